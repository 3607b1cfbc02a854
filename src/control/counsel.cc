#include "control/counsel.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "control/picker_choice.h"
#include "control/picker_question.h"
#include "picker/consultation.h"

namespace ebb::control {
namespace {

using model::Pod;
using model::Verdict;
using picker::Outcome;

Key key_of(const ReplicaSet& set) {
  return {.namespace_name = std::string(set.name_space.view()),
          .name = std::string(set.name.view())};
}

// P19: whether the Deployment has pods in another ReplicaSet.
bool is_rolling(const ReplicaSet& set, const Store& store) {
  if (set.controller == nullptr) return false;
  const auto siblings = store.replica_sets_of(set.controller->uid.view());
  return std::any_of(siblings.begin(), siblings.end(), [&](const ReplicaSet* sibling) {
    return sibling->uid != set.uid && (sibling->replicas > 0 || sibling->status_replicas > 0);
  });
}

PickerWish make_wish(const ReplicaSet& set, std::span<const Pod* const> active, std::size_t surplus,
                     std::size_t requested, const PickerChoice& choice, const Store& store,
                     Timestamp now) {
  const std::vector<const Pod*> candidates = candidates_of(active);
  PickerWish wish{.set = key_of(set),
                  .set_uid = std::string(set.uid.view()),
                  .surplus = surplus,
                  .requested = requested,
                  .settings = choice.settings};
  wish.workload_uid = set.controller != nullptr ? set.controller->uid.view() : set.uid.view();
  wish.candidates.reserve(candidates.size());
  for (const Pod* pod : candidates) {
    wish.candidates.push_back({std::string(pod->name.view()), std::string(pod->uid.view())});
  }
  wish.body = std::make_shared<const std::string>(
      write_question(*choice.settings, candidates, requested, store, now));
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
  Decision::Picker& record = *counsel.picker;
  record.outcome = ending.outcome;
  record.code = ending.code;
  record.attempts = ending.attempts;
  record.duration_ns = ending.duration_ns;
  record.requested = ending.requested;
  record.chosen = ending.chosen;
  record.tied = ending.tied;
  record.ignored = ending.ignored;
  record.idempotency_key = std::move(ending.idempotency_key);
}

}  // namespace

Counsel take_counsel(const ReplicaSet& set, std::span<const Pod* const> active, std::size_t surplus,
                     const ControllerContext& context, PickerDesk& desk, Now now) {
  Counsel counsel{.surplus = surplus};
  const Key key = key_of(set);
  std::optional<PickerChoice> choice;
  if (context.gates.on(model::Gate::kDownscalePodPicker) &&
      (context.pickers.during_rollouts || !is_rolling(set, context.store))) {
    choice = choose_picker(set, context.store);
  }
  if (!choice) {
    desk.drop(key);
    return counsel;
  }
  counsel.policy = std::move(choice->policy);
  counsel.picker.emplace();
  counsel.picker->carrier = std::move(choice->carrier);
  if (choice->settings) counsel.picker->endpoint = choice->settings->endpoint();
  if (desk.state(key) == PickerDesk::State::kOver) {
    heed(desk.take(key), active, context.pickers.failure_ends_spreading, counsel);
    return counsel;
  }
  const std::size_t requested = picker::prepare(active, surplus).requested;
  if (requested == 0 || !choice->settings) {
    desk.drop(key);
    counsel.picker->outcome = requested == 0 ? Outcome::kNotNeeded : Outcome::kBadSettings;
    counsel.picker->problem = std::move(choice->problem);
    if (requested > 0 && context.pickers.failure_ends_spreading) {
      counsel.verdicts.assign(active.size(), Verdict::kUnnamed);
    }
    return counsel;
  }
  if (desk.state(key) == PickerDesk::State::kNone) {
    auto over = desk.begin(
        make_wish(set, active, surplus, requested, *choice, context.store, now.wall), now);
    if (over) {
      heed(std::move(*over), active, context.pickers.failure_ends_spreading, counsel);
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
