#include "model/json/decode_policy.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/json/decode_metadata.h"
#include "model/records/target.h"
#include "schema/core/kind.h"
#include "schema/core/name_rules.h"

namespace ebb::model {
namespace {

// Files may leave the version out; API servers add the default.
Interned decode_target_group(const JsonValue& version) {
  if (version.string().empty()) return version.pool().intern(kAppsGroup);
  for (const std::string& problem : schema::api_version_errors(version.string())) {
    version.report(problem);
  }
  return version.pool().intern(schema::api_group(version.string()));
}

// Whether the text is `special`; if not, it must be `normal`, which is the default.
bool decode_choice(const JsonValue& value, std::string_view normal, std::string_view special) {
  const std::string_view text = value.string();
  if (!text.empty() && text != normal && text != special) {
    value.report(fmt::format("expected {} or {}, got \"{}\"", normal, special, text));
  }
  return text == special;
}

}  // namespace

DownscalePolicy decode_policy(const JsonValue& object) {
  const auto [metadata, spec] = object.members({"metadata", "spec"});
  const Metadata meta = decode_metadata(metadata);
  DownscalePolicy policy;
  policy.name = meta.name;
  policy.namespace_name = meta.namespace_name;
  policy.uid = meta.uid;
  policy.created = meta.created;
  policy.revision_seen = meta.revision;
  policy.generation = meta.generation;

  const auto [target, picker, ranking, costs, mode] =
      spec.members({"targetRef", "podPicker", "ranking", "deletionCost", "mode"});
  const auto [version, kind, name] = target.members({"apiVersion", "kind", "name"});
  policy.target_group = decode_target_group(version);
  policy.target_kind = kind.required();
  policy.target_name = name.required();
  policy.has_picker = picker.present();
  policy.has_ranking = ranking.present();
  if (policy.has_ranking) {
    policy.ranking = object.pool().intern(simdjson::minify(ranking.element()));
  }
  policy.ignores_deletion_costs = decode_choice(costs, "Respect", "Ignore");
  policy.shadow = decode_choice(mode, "Active", "Shadow");
  return policy;
}

PodGroupCost decode_pod_group_cost(const JsonValue& object) {
  const auto [metadata, spec, status] = object.members({"metadata", "spec", "status"});
  const Metadata meta = decode_metadata(metadata);
  PodGroupCost group;
  group.name = meta.name;
  group.namespace_name = meta.namespace_name;
  group.revision_seen = meta.revision;
  group.generation = meta.generation;

  const auto [hash, recompute, observed] =
      status.members({"podSetHash", "recompute", "observedGeneration"});
  group.pod_set_hash = hash.interned();
  group.recompute = recompute.boolean();
  group.observed_generation = observed.int64().value_or(0);

  const auto [owner, costs] = spec.members({"owner", "costs"});
  const auto [kind, name, uid] = owner.members({"kind", "name", "uid"});
  group.owner_kind = kind.required();
  group.owner_name = name.required();
  group.owner_uid = uid.interned();
  costs.each_member([&](const JsonValue& cost) {
    if (const auto value = cost.int32()) {
      group.costs.push_back({object.pool().intern(cost.key()), *value});
    }
  });
  const auto by_pod = [](const PodGroupCost::Entry& a, const PodGroupCost::Entry& b) {
    return a.pod.view() < b.pod.view();
  };
  std::sort(group.costs.begin(), group.costs.end(), by_pod);
  const auto twice =
      std::adjacent_find(group.costs.begin(), group.costs.end(),
                         [](const auto& a, const auto& b) { return a.pod == b.pod; });
  if (twice != group.costs.end()) {
    costs.report(fmt::format("key {} occurs twice in the same object", twice->pod.view()));
  }
  return group;
}

// Only the metadata is requested, and the rest would not be read.
DownscaleDecision decode_downscale_decision(const JsonValue& object) {
  const auto [metadata] = object.members({"metadata"});
  const Metadata meta = decode_metadata_with_uid(metadata);
  DownscaleDecision decision;
  decision.name = meta.name;
  decision.namespace_name = meta.namespace_name;
  decision.uid = meta.uid;
  decision.created = meta.created;
  decision.revision_seen = meta.revision;
  decision.deleting = meta.deleting;
  if (meta.labels == nullptr) return decision;
  for (const Label& label : meta.labels->labels) {
    if (label.key.view() == kDecisionWorkloadKindLabel) decision.workload_kind = label.value;
    if (label.key.view() == kDecisionWorkloadLabel) decision.workload = label.value;
  }
  return decision;
}

}  // namespace ebb::model
