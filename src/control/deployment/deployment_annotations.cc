#include "control/deployment/deployment_annotations.h"

#include <algorithm>
#include <array>
#include <limits>

#include "schema/core/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestHistory = 2000;

bool set_annotation(json::object& object, std::string_view key, std::string_view value) {
  const json::value* known = schema::lookup(object, {"metadata", "annotations", key});
  if (known != nullptr && known->is_string() && known->get_string() == value) return false;
  schema::ensure_object(object, {"metadata", "annotations"})[key] = value;
  return true;
}

bool copy_annotations(const json::object& from, json::object& to) {
  const json::object* annotations = schema::object_at(from, {"metadata", "annotations"});
  if (annotations == nullptr) return false;
  bool changed = false;
  for (const auto& each : *annotations) {
    if (stays(each.key()) || !each.value().is_string()) continue;
    changed |= set_annotation(to, each.key(), each.value().get_string());
  }
  return changed;
}

}  // namespace

bool stays(std::string_view annotation_key) {
  constexpr std::array kStaying = {
      std::string_view("kubectl.kubernetes.io/last-applied-configuration"),
      kRevision,
      kRevisionHistory,
      kDesiredReplicas,
      kMaxReplicas,
      kRollbackTo,
  };
  return std::find(kStaying.begin(), kStaying.end(), annotation_key) != kStaying.end();
}

std::int64_t next_revision(const std::vector<const SetView*>& old) {
  std::int64_t highest = 0;
  for (const SetView* set : old) highest = std::max(highest, set->revision.value_or(0));
  // Any client that can write ReplicaSets can write any number there.
  return highest == std::numeric_limits<std::int64_t>::max() ? highest : highest + 1;
}

std::optional<std::string> extend_history(std::string_view history, std::string_view revision,
                                          std::size_t max_characters) {
  while (!history.empty() && history.size() + 1 + revision.size() > max_characters) {
    const std::size_t comma = history.find(',');
    history.remove_prefix(comma == std::string_view::npos ? history.size() : comma + 1);
  }
  if (revision.size() > max_characters) return std::nullopt;
  if (history.empty()) return std::string(revision);
  return std::string(history) + ',' + std::string(revision);
}

bool annotate_new_set(const json::object& deployment, std::int64_t revision, json::object& set) {
  const std::string before(annotation(set, kRevision));
  const std::optional<std::int64_t> known = before.empty() ? 0 : parse_number(before);
  if (!known) return false;
  bool changed = copy_annotations(deployment, set);
  if (*known >= revision) return changed;
  set_annotation(set, kRevision, std::to_string(revision));
  if (!before.empty()) {
    const auto history = extend_history(annotation(set, kRevisionHistory), before, kLongestHistory);
    if (history) set_annotation(set, kRevisionHistory, *history);
  }
  return true;
}

bool stamp_sizes(const DeploymentView& deployment, json::object& set) {
  const bool desired = set_annotation(set, kDesiredReplicas, std::to_string(deployment.replicas));
  const bool max = set_annotation(set, kMaxReplicas, std::to_string(deployment.allowed()));
  return desired || max;
}

}  // namespace ebb::control::deployments
