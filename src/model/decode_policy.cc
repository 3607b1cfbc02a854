#include "model/decode_policy.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/decode_metadata.h"

namespace ebb::model {

DownscalePolicy decode_policy(const JsonValue& object) {
  const auto [metadata, spec] = object.members({"metadata", "spec"});
  const Metadata meta = decode_metadata(metadata);
  DownscalePolicy policy;
  policy.name = meta.name;
  policy.name_space = meta.name_space;
  policy.uid = meta.uid;
  policy.created = meta.created;
  policy.revision_seen = meta.revision;
  policy.generation = meta.generation;

  const auto [target, picker, ranking] = spec.members({"targetRef", "podPicker", "ranking"});
  const auto [kind, name] = target.members({"kind", "name"});
  policy.target_kind = kind.required();
  policy.target_name = name.required();
  policy.has_picker = picker.present();
  policy.has_ranking = ranking.present();
  if (policy.has_ranking) {
    policy.ranking = object.pool().intern(simdjson::minify(ranking.element()));
  }
  return policy;
}

PodGroupCost decode_pod_group_cost(const JsonValue& object) {
  const auto [metadata, spec, status] = object.members({"metadata", "spec", "status"});
  const Metadata meta = decode_metadata(metadata);
  PodGroupCost group;
  group.name = meta.name;
  group.name_space = meta.name_space;
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
    costs.report(fmt::format("key {} stands twice in the same object", twice->pod.view()));
  }
  return group;
}

}  // namespace ebb::model
