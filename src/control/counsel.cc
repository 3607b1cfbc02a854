#include "control/counsel.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "control/picker_choice.h"
#include "control/rollout.h"
#include "picker/consultation.h"
#include "picker/facts.h"

namespace ebb::control {
namespace {

using model::Pod;
using model::Verdict;
using picker::Outcome;

Key key_of(const ReplicaSet& set) {
  return {.namespace_name = std::string(set.name_space.view()),
          .name = std::string(set.name.view())};
}

constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";

std::string_view zone_of(const Store& store, model::Interned node) {
  const Node* const found = store.node(node.view());
  if (found == nullptr || found->labels == nullptr) return {};
  for (const model::Label& label : found->labels->labels) {
    if (label.key.view() == kZoneLabel) return label.value.view();
  }
  return {};
}

std::string write_question(const picker::Settings& settings, picker::Consultation consultation,
                           const Store& store, Timestamp now) {
  const picker::Question question = picker::ask_about(
      std::move(consultation), settings.context,
      [&store](model::Interned node) { return zone_of(store, node); }, now);
  return settings.protocol == picker::Protocol::kGrpc ? to_protobuf(question) : to_json(question);
}

PickerWish make_wish(const ReplicaSet& set, std::span<const Pod* const> active, std::size_t surplus,
                     const PickerChoice& choice, const Store& store, Timestamp now) {
  picker::Consultation consultation = picker::prepare(active, surplus);
  PickerWish wish{.set = key_of(set),
                  .set_uid = std::string(set.uid.view()),
                  .carrier = choice.carrier,
                  .policy = choice.policy,
                  .surplus = surplus,
                  .requested = consultation.requested,
                  .settings = choice.settings};
  wish.workload_uid = set.controller != nullptr ? set.controller->uid.view() : set.uid.view();
  for (const Pod* pod : consultation.pods) {
    wish.names.add(pod->name.view());
    wish.uids.add(pod->uid.view());
  }
  wish.body = std::make_shared<const std::string>(
      write_question(*choice.settings, std::move(consultation), store, now));
  return wish;
}

// On each of the pods there are now. None if nobody who was named is there any more.
std::vector<Verdict> verdicts_on(std::span<const Pod* const> active, const PickerEnding& ending) {
  boost::unordered_flat_map<std::string_view, Verdict> named;
  for (const PickerEnding::Named& one : ending.named) named.emplace(one.uid, one.verdict);
  std::vector<Verdict> verdicts(active.size(), Verdict::kUnnamed);
  bool any = false;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const auto found = named.find(active[i]->uid.view());
    if (found == named.end()) continue;
    verdicts[i] = found->second;
    any = true;
  }
  if (!any) verdicts.clear();
  return verdicts;
}

void heed(PickerEnding ending, std::span<const Pod* const> active, bool failure_ends_spreading,
          Counsel& counsel) {
  // The answer was to how many had to go then; the rest is asked about anew.
  counsel.surplus = std::min(counsel.surplus, ending.surplus);
  counsel.surplus_asked_about = ending.surplus;
  counsel.breaker = ending.breaker;
  if (ending.outcome == Outcome::kAnswered) {
    counsel.verdicts = verdicts_on(active, ending);
  } else if (failure_ends_spreading && ending.outcome != Outcome::kEmpty) {
    // All alike, and with a picker's word nobody looks at co-location.
    counsel.verdicts.assign(active.size(), Verdict::kUnnamed);
  }
  counsel.policy = std::move(ending.policy);
  Decision::Picker& record = counsel.picker.emplace(Decision::Picker{});
  record.endpoint = std::move(ending.endpoint);
  record.carrier = std::move(ending.carrier);
  record.outcome = ending.outcome;
  record.code = ending.code;
  record.problem = std::move(ending.problem);
  record.detail = std::move(ending.detail);
  record.attempts = ending.attempts;
  record.duration_ns = ending.duration_ns;
  record.requested = ending.requested;
  record.chosen = ending.chosen;
  record.tied = ending.tied;
  record.ignored = ending.ignored;
  record.idempotency_key = std::move(ending.idempotency_key);
}

// Nobody is asked: nothing depends on it, or the settings make no sense.
void do_without(PickerChoice choice, std::size_t requested, std::span<const Pod* const> active,
                bool failure_ends_spreading, Counsel& counsel) {
  counsel.policy = std::move(choice.policy);
  Decision::Picker& record = counsel.picker.emplace(Decision::Picker{});
  record.carrier = std::move(choice.carrier);
  if (choice.settings) record.endpoint = choice.settings->endpoint();
  if (requested == 0) return;
  record.outcome = Outcome::kBadSettings;
  record.problem = std::move(choice.problem);
  if (failure_ends_spreading) counsel.verdicts.assign(active.size(), Verdict::kUnnamed);
}

std::optional<PickerChoice> find_picker(const ReplicaSet& set, const ControllerContext& context) {
  if (!context.gates.on(model::Gate::kDownscalePodPicker)) return std::nullopt;
  // P19.
  if (!context.pickers.during_rollouts && is_rolling(set, context.store)) return std::nullopt;
  return choose_picker(set, context.store);
}

}  // namespace

Counsel take_counsel(const ReplicaSet& set, std::span<const Pod* const> active, std::size_t surplus,
                     const ControllerContext& context, PickerDesk& desk, Now now) {
  const bool strict = context.pickers.failure_ends_spreading;
  Counsel counsel{.surplus = surplus};
  const Key key = key_of(set);
  auto choice = find_picker(set, context);
  if (!choice) {
    desk.drop(key);
    return counsel;
  }
  if (desk.state(key) == PickerDesk::State::kOver) {
    heed(desk.take(key), active, strict, counsel);
    return counsel;
  }
  const std::size_t requested = picker::number_to_ask_for(active, surplus);
  if (requested == 0 || !choice->settings) {
    desk.drop(key);
    do_without(std::move(*choice), requested, active, strict, counsel);
    return counsel;
  }
  if (desk.state(key) == PickerDesk::State::kNone) {
    auto over = desk.begin(make_wish(set, active, surplus, *choice, context.store, now.wall), now);
    if (over) {
      heed(std::move(*over), active, strict, counsel);
      return counsel;
    }
  }
  counsel.awaited = true;
  return counsel;
}

bool is_fallback(Outcome outcome) {
  return outcome != Outcome::kAnswered && outcome != Outcome::kNotNeeded;
}

}  // namespace ebb::control
