#include "support/objects/reading.h"

#include <optional>

#include <fmt/format.h>
#include <simdjson.h>

#include "model/snapshot/read_snapshot.h"
#include "schema/core/time.h"

namespace ebb::testing {
namespace {

using model::ControllerRef;
using model::Interned;
using model::LabelSet;

// `apps/`, or nothing for the core group.
std::string prefix(Interned group) {
  return group.empty() ? std::string() : fmt::format("{}/", group.view());
}

std::string text(const ControllerRef* owner) {
  if (owner == nullptr) return "none";
  return fmt::format("{}{}/{}/{}", prefix(owner->group), owner->kind.view(), owner->name.view(),
                     owner->uid.view());
}

std::string text(const LabelSet* set) {
  std::string all;
  for (const auto& label : set->labels) {
    all += fmt::format("{}={},", label.key.view(), label.value.view());
  }
  return all;
}

template <class Integer>
std::string text(const std::optional<Integer>& number) {
  return number ? fmt::format("{}", *number) : "none";
}

std::string text(Timestamp time) { return schema::format_time(time); }

std::string text(const model::Selector& selector) {
  std::string all;
  for (const auto& requirement : selector.requirements) {
    all += fmt::format("{} {}", requirement.key.view(), static_cast<int>(requirement.op));
    for (const Interned value : requirement.values) all += fmt::format(" {}", value.view());
    all += ',';
  }
  return all;
}

std::string_view text(model::TaintEffect effect) {
  using enum model::TaintEffect;
  switch (effect) {
    case kNoSchedule:
      return "NoSchedule";
    case kPreferNoSchedule:
      return "PreferNoSchedule";
    case kNoExecute:
      return "NoExecute";
    case kOther:
      break;
  }
  return "other";
}

std::string text(const model::Toleration& toleration) {
  return fmt::format("{}{}{}:{},", toleration.key.view(), toleration.exists ? "" : "=",
                     toleration.value.view(),
                     toleration.any_effect ? "any" : text(toleration.effect));
}

std::string text(const model::AntiAffinityTerm& term) {
  std::string all =
      fmt::format("{}/{} {}in", term.weight, term.topology_key.view(), text(term.selector));
  for (const Interned namespace_name : term.namespaces)
    all += fmt::format(" {}", namespace_name.view());
  return all + ";";
}

// Fields that most pods do not have are printed only if they are set.
std::string extras(const model::Pod& pod) {
  std::string all;
  if (pod.numbers != nullptr) all += fmt::format(" numbers={}", text(pod.numbers));
  if (pod.placement == nullptr) return all;
  all += " tolerations=";
  for (const model::Toleration& toleration : pod.placement->tolerations) all += text(toleration);
  all += " apart=";
  for (const model::AntiAffinityTerm& term : pod.placement->anti_affinity) all += text(term);
  return all;
}

std::string text(const model::Pod& pod) {
  return fmt::format(
      "Pod {}/{} uid={} node={} labels={} owner={} created={} ready={} since={} restarts={} "
      "sidecar_restarts={} cost={} cost_set={} cost_valid={} annotated_rank={} rank_set={} "
      "status_rank={} "
      "phase={} deleting={} prefer={}{}\n",
      pod.namespace_name.view(), pod.name.view(), pod.uid.view(), pod.node.view(), text(pod.labels),
      text(pod.controller), text(pod.created), pod.ready, text(pod.ready_since), pod.restarts,
      pod.sidecar_restarts, pod.deletion_cost, pod.deletion_cost_set, pod.deletion_cost_valid,
      text(pod.annotated_rank), pod.annotated_rank_set, text(pod.status_rank), to_string(pod.phase),
      pod.deleting, pod.prefer_for_scale_down, extras(pod));
}

std::string text(const model::ReplicaSet& set) {
  return fmt::format(
      "ReplicaSet {}/{} uid={} owner={} created={} deleting={} replicas={} available={} "
      "selector={} template={} picker={} desired={} max={} revision={}\n",
      set.namespace_name.view(), set.name.view(), set.uid.view(), text(set.controller),
      text(set.created), set.deleting, set.replicas, set.available, text(set.selector),
      text(set.template_labels), set.has_picker, text(set.desired_annotation),
      text(set.max_annotation), text(set.revision));
}

std::string text(const model::Deployment& deployment) {
  return fmt::format(
      "Deployment {}/{} uid={} deleting={} replicas={} status_replicas={} recreate={} surge={}{} "
      "picker={} revision={}\n",
      deployment.namespace_name.view(), deployment.name.view(), deployment.uid.view(),
      deployment.deleting, deployment.replicas, deployment.status_replicas, deployment.recreate,
      deployment.max_surge.value, deployment.max_surge.percent ? "%" : "", deployment.has_picker,
      text(deployment.revision));
}

std::string text(const model::DownscalePolicy& policy) {
  return fmt::format("DownscalePolicy {}/{} created={} target={}{}/{} picker={} ranking={}\n",
                     policy.namespace_name.view(), policy.name.view(), text(policy.created),
                     prefix(policy.target_group), policy.target_kind.view(),
                     policy.target_name.view(), policy.has_picker, policy.has_ranking);
}

std::string text(const model::PodGroupCost& group) {
  std::string costs;
  for (const auto& entry : group.costs) {
    costs += fmt::format("{}={},", entry.pod.view(), entry.cost);
  }
  const std::string status =
      fmt::format(" generation={} observed={} hash={} recompute={}", group.generation,
                  group.observed_generation, group.pod_set_hash.view(), group.recompute);
  return fmt::format("PodGroupCost {}/{} owner={}/{}/{} costs={}{}\n", group.namespace_name.view(),
                     group.name.view(), group.owner_kind.view(), group.owner_name.view(),
                     group.owner_uid.view(), costs, group.generation == 0 ? "" : status);
}

std::string text(const model::Node& node) {
  std::string all = fmt::format("Node {} labels={}", node.name.view(), text(node.labels));
  for (const model::Taint& taint : node.taints) {
    all += fmt::format(" taint={}={}:{}", taint.key.view(), taint.value.view(), text(taint.effect));
  }
  if (node.unschedulable) all += " unschedulable";
  if (node.ready) all += " ready";
  return all + "\n";
}

}  // namespace

Result<model::Snapshot> read(std::string_view text) {
  const simdjson::padded_string padded(text);
  model::SnapshotReader reader;
  EBB_RETURN_IF_ERROR(reader.add("input", padded));
  return std::move(reader).finish();
}

std::string error_of(std::string_view text) {
  constexpr std::string_view kSource = "input: ";
  const auto snapshot = read(text);
  if (snapshot) return {};
  const std::string& message = snapshot.error().message;
  return message.starts_with(kSource) ? message.substr(kSource.size()) : message;
}

std::string describe(const model::Snapshot& snapshot) {
  std::string all;
  for (const auto& pod : snapshot.pods) all += text(pod);
  for (const auto& set : snapshot.replica_sets) all += text(set);
  for (const auto& deployment : snapshot.deployments) all += text(deployment);
  for (const auto& node : snapshot.nodes) all += text(node);
  for (const auto& policy : snapshot.policies) all += text(policy);
  for (const auto& group : snapshot.pod_group_costs) all += text(group);
  for (const auto& [kind, count] : snapshot.skipped) {
    all += fmt::format("skipped {} {}\n", kind, count);
  }
  return all;
}

}  // namespace ebb::testing
