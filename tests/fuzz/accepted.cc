#include "accepted.h"

#include <algorithm>

#include <simdjson.h>

#include "base/check.h"
#include "model/snapshot/read_snapshot.h"

namespace ebb::fuzz {
namespace {

void check_labels(const model::LabelSet* set) {
  EBB_CHECK(set != nullptr);
  const auto not_ascending = [](const model::Label& a, const model::Label& b) {
    return a.key.view() >= b.key.view();
  };
  EBB_CHECK(std::adjacent_find(set->labels.begin(), set->labels.end(), not_ascending) ==
            set->labels.end());
}

void check_controller(const model::ControllerRef* owner) {
  if (owner == nullptr) return;
  EBB_CHECK(!owner->kind.empty() && !owner->name.empty() && !owner->uid.empty());
}

template <class Record>
void check_identity(const Record& record) {
  EBB_CHECK(!record.name.empty() && !record.namespace_name.empty() && !record.uid.empty());
}

void check_pod(const model::Pod& pod) {
  check_identity(pod);
  check_labels(pod.labels);
  check_controller(pod.controller);
  EBB_CHECK(pod.restarts >= 0 && pod.sidecar_restarts >= 0);
  EBB_CHECK(pod.deletion_cost_set || !pod.deletion_cost_valid);
  EBB_CHECK(pod.deletion_cost_valid || pod.deletion_cost == 0);
  EBB_CHECK(!(pod.active() && pod.terminating()));
}

void check_replica_set(const model::ReplicaSet& set) {
  using Operator = model::Requirement::Operator;
  check_identity(set);
  check_labels(set.template_labels);
  check_controller(set.controller);
  EBB_CHECK(set.replicas >= 0 && set.available >= 0);
  for (const auto& requirement : set.selector.requirements) {
    const bool has_values = requirement.op == Operator::kIn || requirement.op == Operator::kNotIn;
    EBB_CHECK(requirement.values.empty() != has_values);
  }
}

void check_deployment(const model::Deployment& deployment) {
  check_identity(deployment);
  EBB_CHECK(deployment.replicas >= 0 && deployment.status_replicas >= 0);
  EBB_CHECK(deployment.max_surge.value >= 0);
}

void check_snapshot(const model::Snapshot& snapshot) {
  for (const auto& pod : snapshot.pods) check_pod(pod);
  for (const auto& set : snapshot.replica_sets) check_replica_set(set);
  for (const auto& deployment : snapshot.deployments) check_deployment(deployment);
  for (const auto& node : snapshot.nodes) {
    EBB_CHECK(!node.name.empty());
    check_labels(node.labels);
  }
  for (const auto& policy : snapshot.policies) {
    EBB_CHECK(!policy.name.empty() && !policy.target_kind.empty() && !policy.target_name.empty());
  }
  for (const auto& group : snapshot.pod_group_costs) {
    EBB_CHECK(!group.name.empty() && !group.owner_kind.empty() && !group.owner_name.empty());
  }
}

// An error is one line that begins with the source and is fit to be printed.
void check_error(const Error& error) {
  const std::string_view message = error.message;
  EBB_CHECK(error.code == ErrorCode::kInvalidInput);
  EBB_CHECK(message.starts_with("input: ") && message.size() > 10);
  EBB_CHECK(message.size() < 6000);
  EBB_CHECK(simdjson::validate_utf8(message.data(), message.size()));
  EBB_CHECK(std::none_of(message.begin(), message.end(),
                         [](unsigned char c) { return c < 0x20 || c == 0x7f; }));
}

}  // namespace

void check_reading(std::string_view text) {
  const simdjson::padded_string padded(text);
  model::SnapshotReader reader;
  if (const auto added = reader.add("input", padded); !added) return check_error(added.error());
  if (const auto snapshot = std::move(reader).finish()) check_snapshot(*snapshot);
}

}  // namespace ebb::fuzz
