#include "control/replica_set_status.h"

#include <algorithm>

#include <boost/json/array.hpp>

#include "base/agenda.h"
#include "control/json_document.h"
#include "model/requests.h"
#include "model/selector_memo.h"
#include "schema/json.h"

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

// Pods mostly share one label set, so the last answer mostly holds.
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

// Whether the conditions changed. One that is there already is left as it is.
bool update_condition(json::array& conditions, std::string_view type,
                      const std::optional<ConditionWords>& words, Timestamp now) {
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

// Whether one of ours holds or may be there to be taken away.
bool concerns_conditions(const ReplicaSet& set, const StatusConditions& wanted) {
  return wanted.failure || wanted.waiting || set.json.find(kFailureType) != std::string::npos ||
         set.json.find(kWaitingType) != std::string::npos;
}

bool same_counts(const ReplicaSet& set, const StatusCounts& counts) {
  return set.status_replicas == counts.replicas && set.fully_labeled == counts.fully_labeled &&
         set.ready == counts.ready && set.available == counts.available &&
         set.terminating == counts.terminating && set.observed_generation >= counts.generation;
}

// Zeros are left out where Kubernetes leaves them out.
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

std::optional<json::object> with_new_status(const ReplicaSet& set, const StatusCounts& counts,
                                            const StatusConditions& wanted, Timestamp now) {
  // Most passes change nothing, and parsing is the expensive part.
  if (same_counts(set, counts) && !concerns_conditions(set, wanted)) return std::nullopt;

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

}  // namespace ebb::control
