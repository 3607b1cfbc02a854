#include "sim/core/truth.h"

#include <algorithm>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "schema/core/json.h"

namespace ebb::sim {
namespace {

using boost::json::object;
using schema::integer_at;
using schema::text_at;

Labels labels_at(const object& from, schema::Path path) {
  Labels labels;
  const object* const given = schema::object_at(from, path);
  if (given == nullptr) return labels;
  for (const auto& entry : *given) {
    if (entry.value().is_string()) labels.emplace(entry.key(), entry.value().get_string());
  }
  return labels;
}

// `owners` are the possible owners. They exist before the objects that belong to them.
template <class Record>
std::string controller_of(const object& from, std::string_view kind,
                          const std::map<std::string, Record, std::less<>>& owners) {
  const auto* const references = schema::array_at(from, {"metadata", "ownerReferences"});
  if (references == nullptr) return {};
  for (const auto& each : *references) {
    if (!each.is_object() || !schema::is_true_at(each.get_object(), {"controller"})) continue;
    const object& reference = each.get_object();
    const auto owner = owners.find(text_at(reference, {"uid"}));
    const bool means_it = owner != owners.end() && text_at(reference, {"kind"}) == kind &&
                          text_at(reference, {"name"}) == owner->second.name &&
                          text_at(from, {"metadata", "namespace"}) == owner->second.namespace_name;
    return means_it ? owner->first : "forged " + boost::json::serialize(reference);
  }
  return {};
}

// The condition's status; empty if there is no such condition.
std::string_view condition_of(const object& from, std::string_view type) {
  const auto* const conditions = schema::array_at(from, {"status", "conditions"});
  if (conditions == nullptr) return {};
  for (const auto& condition : *conditions) {
    if (condition.is_object() && text_at(condition.get_object(), {"type"}) == type) {
      return text_at(condition.get_object(), {"status"});
    }
  }
  return {};
}

boost::json::value picker_of(const object& workload) {
  const object* const picker = schema::object_at(workload, {"spec", "downscalePodPicker"});
  return picker == nullptr ? boost::json::value() : *picker;
}

// Reads the fields that all kinds share.
template <class Record>
Record& record_of(std::map<std::string, Record, std::less<>>& records, const object& from) {
  std::string uid(text_at(from, {"metadata", "uid"}));
  Record& record = records[uid];
  record.uid = std::move(uid);
  record.namespace_name = text_at(from, {"metadata", "namespace"});
  record.name = text_at(from, {"metadata", "name"});
  record.deleting = !text_at(from, {"metadata", "deletionTimestamp"}).empty();
  return record;
}

}  // namespace

bool selects(const Labels& selector, const Labels& labels) {
  return !selector.empty() &&
         std::includes(labels.begin(), labels.end(), selector.begin(), selector.end());
}

void Truth::apply(const model::ObjectEvent& event) {
  const object& from = *event.object;
  const bool gone = event.type == model::ObjectEvent::Type::kDeleted;
  if (event.kind->plural == "pods") {
    PodTruth& pod = record_of(pods_, from);
    pod.gone = gone;
    pod.controller = controller_of(from, "ReplicaSet", sets_);
    pod.labels = labels_at(from, {"metadata", "labels"});
    const std::string_view phase = text_at(from, {"status", "phase"});
    pod.finished = phase == "Succeeded" || phase == "Failed";
    pod.ready = condition_of(from, "Ready") == "True";
    std::pair key(pod.namespace_name, pod.name);
    if (gone) {
      names_.erase(key);
    } else {
      names_[std::move(key)] = pod.uid;
    }
  } else if (event.kind->plural == "replicasets") {
    SetTruth& set = record_of(sets_, from);
    set.gone = gone;
    set.picker = picker_of(from);
    set.controller = controller_of(from, "Deployment", deployments_);
    set.forged = !set.controller.empty() && !deployments_.contains(set.controller);
    set.selector = labels_at(from, {"spec", "selector", "matchLabels"});
    set.replicas = integer_at(from, {"spec", "replicas"}).value_or(1);
    set.generation = integer_at(from, {"metadata", "generation"}).value_or(0);
    set.observed_generation = integer_at(from, {"status", "observedGeneration"}).value_or(0);
    set.status_replicas = integer_at(from, {"status", "replicas"}).value_or(0);
    set.status_ready = integer_at(from, {"status", "readyReplicas"}).value_or(0);
  } else if (event.kind->plural == "deployments") {
    DeploymentTruth& deployment = record_of(deployments_, from);
    deployment.gone = gone;
    deployment.picker = picker_of(from);
    deployment.paused = schema::is_true_at(from, {"spec", "paused"});
    deployment.replicas = integer_at(from, {"spec", "replicas"}).value_or(1);
    deployment.generation = integer_at(from, {"metadata", "generation"}).value_or(0);
    deployment.observed_generation = integer_at(from, {"status", "observedGeneration"}).value_or(0);
    deployment.status_replicas = integer_at(from, {"status", "replicas"}).value_or(0);
    deployment.updated = integer_at(from, {"status", "updatedReplicas"}).value_or(0);
    deployment.available = integer_at(from, {"status", "availableReplicas"}).value_or(0);
  } else if (event.kind->plural == "downscalepolicies") {
    PolicyTruth& policy = record_of(policies_, from);
    policy.gone = gone;
    policy.target = fmt::format("{}/{}", text_at(from, {"spec", "targetRef", "kind"}),
                                text_at(from, {"spec", "targetRef", "name"}));
    policy.created = text_at(from, {"metadata", "creationTimestamp"});
    policy.generation = integer_at(from, {"metadata", "generation"}).value_or(0);
    policy.observed_generation = integer_at(from, {"status", "observedGeneration"}).value_or(0);
    policy.conflicting = condition_of(from, "Conflicting");
    policy.target_found = condition_of(from, "TargetFound");
  }
}

const PodTruth* Truth::pod(std::string_view uid) const {
  const auto found = pods_.find(uid);
  return found == pods_.end() ? nullptr : &found->second;
}

const PodTruth* Truth::pod(std::string_view namespace_name, std::string_view name) const {
  const auto found = names_.find(std::pair(std::string(namespace_name), std::string(name)));
  return found == names_.end() ? nullptr : pod(found->second);
}

const SetTruth* Truth::set(std::string_view uid) const {
  const auto found = sets_.find(uid);
  return found == sets_.end() ? nullptr : &found->second;
}

bool Truth::counts(const PodTruth& pod, const SetTruth& set) const {
  return pod.active() && pod.controller == set.uid && selects(set.selector, pod.labels);
}

std::vector<const PodTruth*> Truth::pods_of(const SetTruth& set) const {
  std::vector<const PodTruth*> pods;
  for (const auto& entry : pods_) {
    if (counts(entry.second, set)) pods.push_back(&entry.second);
  }
  return pods;
}

void Truth::note_made_by_controller(std::string_view uid) {
  const auto found = pods_.find(uid);
  if (found != pods_.end()) found->second.made_by_controller = true;
}

void Truth::note_ended_by_controller(std::string_view uid, std::string_view set_uid) {
  const auto found = pods_.find(uid);
  if (found != pods_.end()) found->second.ended_for = set_uid;
}

void Truth::note_made_by_rival(std::string_view uid, Timestamp when) {
  const auto found = pods_.find(uid);
  if (found != pods_.end()) found->second.made_by_rival = when;
}

void Truth::note_ended_by_rival(std::string_view uid, Timestamp when) {
  const auto found = pods_.find(uid);
  if (found != pods_.end()) found->second.ended_by_rival = when;
}

}  // namespace ebb::sim
