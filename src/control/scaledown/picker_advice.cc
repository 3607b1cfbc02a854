#include "control/scaledown/picker_advice.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "control/cache/rollout.h"
#include "control/cache/workload_table.h"
#include "control/core/key_of.h"
#include "control/policy/picker_choice.h"
#include "model/records/ownership.h"
#include "picker/facts.h"
#include "picker/prepared_request.h"

namespace ebb::control {
namespace {

using model::Pod;
using model::Verdict;
using picker::Outcome;

constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";

std::string_view zone_of(const Store& store, model::Interned node) {
  const Node* const found = store.node(node.view());
  if (found == nullptr || found->labels == nullptr) return {};
  for (const model::Label& label : found->labels->labels) {
    if (label.key.view() == kZoneLabel) return label.value.view();
  }
  return {};
}

std::string write_request(const picker::Settings& settings, picker::PreparedRequest prepared,
                          const Store& store, Timestamp now) {
  const picker::PickRequest request = picker::make_pick_request(
      std::move(prepared), settings.context,
      [&store](model::Interned node) { return zone_of(store, node); }, now);
  return settings.protocol == picker::Protocol::kGrpc ? to_protobuf(request) : to_json(request);
}

PickerRequest make_picker_request(const ReplicaSet& set, std::span<const Pod* const> active,
                                  std::size_t surplus, const PickerChoice& choice,
                                  const ControllerContext& context, Timestamp now) {
  picker::PreparedRequest prepared = picker::prepare(active, surplus);
  PickerRequest request{.set = key_of(set),
                        .set_uid = std::string(set.uid.view()),
                        .carrier = choice.carrier,
                        .policy = choice.policy,
                        .surplus = surplus,
                        .requested = prepared.requested,
                        .settings = choice.settings};
  request.workload = workload_of(set);
  for (const Pod* pod : prepared.pods) {
    request.names.add(pod->name.view());
    request.uids.add(pod->uid.view());
  }
  request.body = std::make_shared<const std::string>(
      write_request(*choice.settings, std::move(prepared), context.store, now));
  request.shadow = context.policies == PolicyView::kShadow;
  return request;
}

// A verdict for each of the current pods. Empty if none of the named pods still exists.
std::vector<Verdict> verdicts_on(std::span<const Pod* const> active, const PickerResult& result) {
  boost::unordered_flat_map<std::string_view, Verdict> named;
  for (const PickerResult::Named& one : result.named) named.emplace(one.uid, one.verdict);
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

void apply_result(PickerResult result, std::span<const Pod* const> active,
                  bool failure_ends_spreading, PickerAdvice& picker_advice) {
  // The picker answered for the surplus at that time; the rest needs another request.
  picker_advice.surplus = std::min(picker_advice.surplus, result.surplus);
  picker_advice.surplus_asked_about = result.surplus;
  picker_advice.breaker = result.breaker;
  if (result.outcome == Outcome::kAnswered) {
    picker_advice.verdicts = verdicts_on(active, result);
  } else if (failure_ends_spreading && result.outcome != Outcome::kEmpty) {
    // All pods are equal; with a picker's verdict, co-location does not count.
    picker_advice.verdicts.assign(active.size(), Verdict::kUnnamed);
  }
  picker_advice.policy = std::move(result.policy);
  picker_advice.picker = std::move(static_cast<Decision::Picker&>(result));
}

// The picker is not called: nothing depends on its answer, or its settings are invalid.
void do_without(PickerChoice choice, std::size_t requested, std::span<const Pod* const> active,
                bool failure_ends_spreading, PickerAdvice& picker_advice) {
  picker_advice.policy = std::move(choice.policy);
  Decision::Picker& record = picker_advice.picker.emplace(Decision::Picker{});
  record.carrier = std::move(choice.carrier);
  if (choice.settings) record.endpoint = choice.settings->endpoint();
  if (requested == 0) return;
  record.outcome = Outcome::kBadSettings;
  record.problem = std::move(choice.problem);
  if (failure_ends_spreading) picker_advice.verdicts.assign(active.size(), Verdict::kUnnamed);
}

std::optional<PickerChoice> find_picker(const ReplicaSet& set, const ControllerContext& context) {
  if (!context.gates.on(model::Gate::kDownscalePodPicker)) return std::nullopt;
  // P19.
  if (!context.pickers.during_rollouts && is_rolling(set, context.store)) return std::nullopt;
  return choose_picker(set, context.store, context.policies);
}

}  // namespace

std::string workload_of(const ReplicaSet& set) {
  const std::string_view namespace_name = set.namespace_name.view();
  if (set.controller == nullptr) {
    return owner_text({namespace_name, model::kReplicaSetKind, set.name.view(), set.uid.view()});
  }
  return owner_text({namespace_name, set.controller->kind.view(), set.controller->name.view(),
                     set.controller->uid.view()});
}

PickerAdvice advise_on_picker(const ReplicaSet& set, std::span<const Pod* const> active,
                              std::size_t surplus, const ControllerContext& context,
                              PickerSessions& picker_sessions, Now now) {
  const bool strict = context.pickers.failure_ends_spreading;
  PickerAdvice picker_advice{.surplus = surplus};
  const Key key = key_of(set);
  auto choice = find_picker(set, context);
  if (!choice) {
    picker_sessions.drop(key);
    return picker_advice;
  }
  if (picker_sessions.state(key) == PickerSessions::State::kOver) {
    apply_result(picker_sessions.take(key), active, strict, picker_advice);
    return picker_advice;
  }
  const std::size_t requested = picker::number_to_request(active, surplus);
  if (requested == 0 || !choice->settings) {
    picker_sessions.drop(key);
    do_without(std::move(*choice), requested, active, strict, picker_advice);
    return picker_advice;
  }
  if (picker_sessions.state(key) == PickerSessions::State::kNone) {
    auto over = picker_sessions.begin(
        make_picker_request(set, active, surplus, *choice, context, now.wall), now);
    if (over) {
      apply_result(std::move(*over), active, strict, picker_advice);
      return picker_advice;
    }
  }
  picker_advice.awaited = true;
  return picker_advice;
}

bool is_fallback(Outcome outcome) {
  return outcome != Outcome::kAnswered && outcome != Outcome::kNotNeeded;
}

}  // namespace ebb::control
