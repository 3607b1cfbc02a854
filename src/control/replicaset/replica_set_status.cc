#include "control/replicaset/replica_set_status.h"

#include <algorithm>

#include <boost/json/array.hpp>

#include "base/deadline_queue.h"
#include "control/core/json_document.h"
#include "model/api/requests.h"
#include "model/records/selector_memo.h"
#include "schema/core/json.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using model::LabelSet;

constexpr std::string_view kFailureType = "ReplicaFailure";
constexpr std::string_view kWaitingType = "RanksAwaited";

bool contains_all(const LabelSet& labels, const LabelSet& wanted) {
  return std::all_of(wanted.labels.begin(), wanted.labels.end(), [&](const model::Label& label) {
    const model::Interned* value = labels.find(label.key);
    return value != nullptr && *value == label.value;
  });
}

// Most pods share one label set, so the last result is usually reusable.
class TemplateLabels {
 public:
  explicit TemplateLabels(const LabelSet* wanted) : wanted_(wanted) {}

  bool in(const LabelSet* labels) {
    if (labels == wanted_ || wanted_ == nullptr) return true;
    if (labels != last_) {
      last_ = labels;
      last_answer_ = labels != nullptr && contains_all(*labels, *wanted_);
    }
    return last_answer_;
  }

 private:
  const LabelSet* wanted_;
  const LabelSet* last_ = nullptr;
  bool last_answer_ = false;
};

// Returns whether the conditions changed. A condition that is already present stays unchanged.
bool update_condition(json::array& conditions, std::string_view type,
                      const std::optional<ConditionText>& words, Timestamp now) {
  const auto found =
      std::find_if(conditions.begin(), conditions.end(), [type](const json::value& condition) {
        return condition.is_object() && schema::text_at(condition.get_object(), {"type"}) == type;
      });
  if (words.has_value() == (found != conditions.end())) return false;
  if (!words) {
    conditions.erase(found);
    return true;
  }
  conditions.push_back(json::object{{"type", type},
                                    {"status", "True"},
                                    {"lastTransitionTime", model::time_text(now)},
                                    {"reason", words->reason},
                                    {"message", words->message}});
  return true;
}

bool update_conditions(json::array& conditions, const StatusConditions& wanted, Timestamp now) {
  const bool failure = update_condition(conditions, kFailureType, wanted.failure, now);
  const bool waiting = update_condition(conditions, kWaitingType, wanted.waiting, now);
  return failure || waiting;
}

// Whether one of ebb's conditions holds, or may be present and have to be removed.
bool concerns_conditions(const ReplicaSet& set, const StatusConditions& wanted) {
  return wanted.failure || wanted.waiting || set.json.find(kFailureType) != std::string::npos ||
         set.json.find(kWaitingType) != std::string::npos;
}

bool same_counts(const ReplicaSet& set, const StatusCounts& counts) {
  return set.status_replicas == counts.replicas && set.fully_labeled == counts.fully_labeled &&
         set.ready == counts.ready && set.available == counts.available &&
         set.terminating == counts.terminating && set.observed_generation >= counts.generation;
}

// Omits zeros where Kubernetes does.
void put(json::object& status, std::string_view field, std::int64_t value) {
  if (value != 0) {
    status[field] = value;
  } else {
    status.stable_erase(field);
  }
}

}  // namespace

Availability availability(const Pod& pod, std::int32_t min_ready_seconds, Timestamp now) {
  if (!pod.ready) return {};
  if (min_ready_seconds == 0) return {.available = true, .at = {}};
  if (pod.ready_since.is_zero()) return {};
  const Timestamp at = later_by(pod.ready_since, min_ready_seconds * kNanosecondsPerSecond);
  return {.available = at <= now, .at = at};
}

StatusCounts count_status(const ReplicaSet& set, std::span<const Pod* const> active,
                          std::span<const Claim::Ignored> ignored, bool counts_terminating,
                          Timestamp now) {
  StatusCounts counts;
  counts.generation = set.generation;
  counts.min_ready_seconds = set.min_ready_seconds;
  counts.replicas = static_cast<std::int32_t>(active.size());
  TemplateLabels wanted(set.template_labels);
  for (const Pod* pod : active) {
    if (wanted.in(pod->labels)) ++counts.fully_labeled;
    if (!pod->ready) continue;
    ++counts.ready;
    const Availability pods = availability(*pod, set.min_ready_seconds, now);
    if (pods.available) {
      ++counts.available;
    } else {
      counts.next_available = sooner(counts.next_available, pods.at);
    }
  }
  if (counts_terminating) {
    model::SelectorMemo selector({&set.selector});
    counts.terminating = static_cast<std::int32_t>(
        std::count_if(ignored.begin(), ignored.end(), [&](const Claim::Ignored& one) {
          return one.pod->terminating() && selector.matches(one.pod->labels);
        }));
  }
  return counts;
}

std::optional<Nanoseconds> next_available_after_ns(const StatusCounts& counts, Timestamp now) {
  if (counts.min_ready_seconds == 0 || counts.ready == counts.available) return std::nullopt;
  // Capped at minReadySeconds: otherwise a clock that was set back would extend the wait.
  const Nanoseconds longest = counts.min_ready_seconds * kNanosecondsPerSecond;
  if (counts.next_available.is_zero()) return longest;
  return std::clamp<Nanoseconds>(elapsed_ns(now, counts.next_available), 0, longest);
}

bool may_need_new_status(const ReplicaSet& set, const StatusCounts& counts,
                         const StatusConditions& wanted) {
  return !same_counts(set, counts) || concerns_conditions(set, wanted);
}

std::optional<json::object> with_new_status(const ReplicaSet& set, const StatusCounts& counts,
                                            const StatusConditions& wanted, Timestamp now) {
  auto object = parse_document(set.json);
  if (!object) return std::nullopt;
  json::object& status = schema::ensure_object(*object, {"status"});
  json::array conditions;
  if (const json::array* given = schema::array_at(status, {"conditions"})) conditions = *given;
  if (!update_conditions(conditions, wanted, now) && same_counts(set, counts)) return std::nullopt;

  status["replicas"] = counts.replicas;
  put(status, "fullyLabeledReplicas", counts.fully_labeled);
  put(status, "readyReplicas", counts.ready);
  put(status, "availableReplicas", counts.available);
  status.stable_erase("terminatingReplicas");
  if (counts.terminating) status["terminatingReplicas"] = *counts.terminating;
  put(status, "observedGeneration", std::max(counts.generation, set.observed_generation));
  status.stable_erase("conditions");
  if (!conditions.empty()) status["conditions"] = std::move(conditions);
  return object;
}

bool same_status(const model::ReplicaSet& a, const model::ReplicaSet& b) {
  return a.observed_generation == b.observed_generation && a.status_replicas == b.status_replicas &&
         a.fully_labeled == b.fully_labeled && a.ready == b.ready && a.available == b.available &&
         a.terminating == b.terminating;
}

}  // namespace ebb::control
