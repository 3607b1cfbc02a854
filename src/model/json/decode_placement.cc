#include "model/json/decode_placement.h"

#include "model/records/placement_text.h"

namespace ebb::model {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

// Parsing limits how deep documents are nested. NOLINTNEXTLINE(misc-no-recursion)
void add_value(const element& value, PlacementSource& source) {
  switch (value.type()) {
    case element_type::ARRAY:
      source.add('[');
      for (const element item : simdjson::dom::array(value)) add_value(item, source);
      return source.add(']');
    case element_type::OBJECT:
      source.add('{');
      for (const auto member : simdjson::dom::object(value)) {
        source.add('k', member.key);
        add_value(member.value, source);
      }
      return source.add('}');
    case element_type::STRING:
      return source.add('s', std::string_view(value));
    case element_type::INT64:
      return source.add('n', std::int64_t(value));
    default:
      return source.add('v', simdjson::minify(value));
  }
}

void decode_selector(const JsonValue& selector, TermParts& parts) {
  using Operator = Requirement::Operator;
  parts.has_selector = selector.present();
  const auto [labels, expressions] = selector.members({"matchLabels", "matchExpressions"});
  for (const Label& label : labels.labels()->labels) {
    parts.term.selector.requirements.push_back({label.key, Operator::kIn, {label.value}});
  }
  expressions.each_item([&](const JsonValue& expression) {
    const auto [key, op, values] = expression.members({"key", "operator", "values"});
    std::vector<Interned> texts;
    values.each_item([&](const JsonValue& value) { texts.push_back(value.interned()); });
    parts.add(key.interned(), op.string(), std::move(texts));
  });
}

void decode_term(const JsonValue& term, TermParts parts, Placement& into) {
  const auto [selector, namespaces, topology_key] =
      term.members({"labelSelector", "namespaces", "topologyKey"});
  decode_selector(selector, parts);
  namespaces.each_item(
      [&](const JsonValue& name) { parts.term.namespaces.push_back(name.interned()); });
  parts.term.topology_key = topology_key.interned();
  add_term(std::move(parts), into);
}

Placement decode(const JsonValue& tolerations, const JsonValue& anti_affinity) {
  Placement placement;
  tolerations.each_item([&](const JsonValue& toleration) {
    const auto [key, op, value, effect] =
        toleration.members({"key", "operator", "value", "effect"});
    add_toleration({.key = key.interned(), .value = value.interned()}, op.string(), effect.string(),
                   placement);
  });
  const auto [required, preferred] =
      anti_affinity.members({"requiredDuringSchedulingIgnoredDuringExecution",
                             "preferredDuringSchedulingIgnoredDuringExecution"});
  required.each_item([&](const JsonValue& term) { decode_term(term, {}, placement); });
  preferred.each_item([&](const JsonValue& weighed) {
    const auto [weight, term] = weighed.members({"weight", "podAffinityTerm"});
    TermParts parts{.preferred = true};
    parts.term.weight = weight.int32().value_or(0);
    decode_term(term, std::move(parts), placement);
  });
  return placement;
}

}  // namespace

const Placement* decode_placement(const JsonValue& tolerations, const JsonValue& affinity) {
  const auto [anti_affinity] = affinity.members({"podAntiAffinity"});
  PlacementSource source('j');
  if (tolerations.present()) add_value(tolerations.element(), source);
  if (anti_affinity.present()) {
    source.add('a');
    add_value(anti_affinity.element(), source);
  }
  if (source.empty()) return nullptr;
  Placements& placements = tolerations.pool().placements();
  if (const auto known = placements.made_of(source)) return *known;
  const Placement* made = placements.intern(decode(tolerations, anti_affinity));
  // Not remembered after a problem, so that the next pod reports it too.
  if (!tolerations.failed()) placements.remember(source, made);
  return made;
}

}  // namespace ebb::model
