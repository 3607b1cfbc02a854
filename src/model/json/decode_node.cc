#include "model/json/decode_node.h"

#include "model/json/decode_metadata.h"

namespace ebb::model {

Node decode_node(const JsonValue& object) {
  const auto [metadata, spec, status] = object.members({"metadata", "spec", "status"});
  const Metadata meta = decode_metadata(metadata);
  Node node{
      .name = meta.name, .uid = meta.uid, .revision_seen = meta.revision, .labels = meta.labels};

  const auto [taints, unschedulable] = spec.members({"taints", "unschedulable"});
  taints.each_item([&](const JsonValue& taint) {
    const auto [key, value, effect] = taint.members({"key", "value", "effect"});
    node.taints.push_back({.key = key.interned(),
                           .value = value.interned(),
                           .effect = parse_taint_effect(effect.string())});
  });
  node.unschedulable = unschedulable.boolean();

  // As for pods, the first condition of the type counts.
  const auto [conditions] = status.members({"conditions"});
  bool seen = false;
  conditions.each_item([&](const JsonValue& condition) {
    const auto [type, state] = condition.members({"type", "status"});
    if (type.string() != "Ready" || seen) return;
    seen = true;
    node.ready = state.string() == "True";
  });
  return node;
}

}  // namespace ebb::model
