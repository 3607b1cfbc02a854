#include "control/deployment/deployment_history.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/deployment/deployment_annotations.h"
#include "control/deployment/template_identity.h"
#include "schema/core/json.h"

namespace ebb::control::deployments {
namespace {

namespace json = boost::json;

bool earlier_revision(const SetView* a, const SetView* b) {
  if (!a->revision || !b->revision || *a->revision == *b->revision) return older(*a, *b);
  return *a->revision < *b->revision;
}

// The second highest; 0 if there is none.
std::int64_t revision_before_latest(const Snapshot& snapshot) {
  std::int64_t highest = 0;
  std::int64_t second = 0;
  for (const SetView& set : snapshot.sets) {
    if (!set.revision) continue;
    if (*set.revision >= highest) {
      second = highest;
      highest = *set.revision;
    } else {
      second = std::max(second, *set.revision);
    }
  }
  return second;
}

// The template and the annotations are restored together: otherwise the current annotations would
// be copied to the ReplicaSet that is rolled back to.
void restore(json::object& deployment, const SetView& set) {
  json::object pod_template = *schema::object_at(set.object, {"spec", "template"});
  if (json::object* labels = schema::object_at(pod_template, {"metadata", "labels"})) {
    labels->stable_erase(kTemplateHashLabel);
  }
  schema::ensure_object(deployment, {"spec"})["template"] = std::move(pod_template);

  json::object annotations;
  const auto take = [&](const json::object& from, bool staying) {
    const json::object* all = schema::object_at(from, {"metadata", "annotations"});
    if (all == nullptr) return;
    for (const auto& each : *all) {
      if (stays(each.key()) == staying) annotations[each.key()] = each.value();
    }
  };
  take(deployment, true);
  take(set.object, false);
  schema::ensure_object(deployment, {"metadata"})["annotations"] = std::move(annotations);
}

}  // namespace

std::vector<const SetView*> surplus_history(const Snapshot& snapshot, const SetView* fresh) {
  if (!snapshot.deployment.history_limit) return {};
  std::vector<const SetView*> old;
  for (const SetView* set : old_sets(snapshot, fresh)) {
    if (!set->deleting) old.push_back(set);
  }
  const auto limit = static_cast<std::size_t>(*snapshot.deployment.history_limit);
  if (old.size() <= limit) return {};
  std::sort(old.begin(), old.end(), earlier_revision);
  old.resize(old.size() - limit);
  std::erase_if(old, [](const SetView* set) {
    return set->replicas != 0 || set->status_replicas != 0 ||
           set->generation > set->observed_generation;
  });
  return old;
}

std::optional<std::int64_t> rollback_revision(const DeploymentView& deployment) {
  return parse_number(annotation(deployment.object, kRollbackTo));
}

Rollback roll_back(const Snapshot& snapshot, std::int64_t revision) {
  const DeploymentView& deployment = snapshot.deployment;
  Rollback rollback{.deployment = deployment.object,
                    .reason = "DeploymentRollbackRevisionNotFound",
                    .message = "Unable to find the revision to rollback to."};
  if (revision == 0) {
    revision = revision_before_latest(snapshot);
    if (revision == 0) rollback.message = "Unable to find last revision.";
  }
  const auto meant =
      std::find_if(snapshot.sets.begin(), snapshot.sets.end(),
                   [&](const SetView& set) { return revision != 0 && set.revision == revision; });
  if (meant != snapshot.sets.end() && !meant->whole) {
    rollback.unread = meant->name;
    return rollback;
  }
  if (meant != snapshot.sets.end()) {
    const json::object* wanted = schema::object_at(deployment.object, {"spec", "template"});
    const json::object* then = schema::object_at(meant->object, {"spec", "template"});
    if (wanted != nullptr && then != nullptr && !same_template(*wanted, *then)) {
      restore(rollback.deployment, *meant);
      rollback.done = true;
      rollback.reason = "DeploymentRollback";
      rollback.message = fmt::format("Rolled back deployment \"{}\" to revision {}",
                                     deployment.key.name, revision);
    } else {
      rollback.reason = "DeploymentRollbackTemplateUnchanged";
      rollback.message = fmt::format(
          "The rollback revision contains the same template as current deployment "
          "\"{}\"",
          deployment.key.name);
    }
  }
  if (json::object* annotations =
          schema::object_at(rollback.deployment, {"metadata", "annotations"})) {
    annotations->stable_erase(kRollbackTo);
  }
  return rollback;
}

}  // namespace ebb::control::deployments
