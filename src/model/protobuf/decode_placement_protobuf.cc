#include "model/protobuf/decode_placement_protobuf.h"

#include <utility>
#include <vector>

#include "model/protobuf/wire_fields.h"
#include "model/records/placement_text.h"

namespace ebb::model {
namespace {

constexpr std::string_view kTolerationsPath = "spec.tolerations";
constexpr std::string_view kAntiAffinityPath = "spec.affinity.podAntiAffinity";

std::string_view find_anti_affinity(std::string_view affinity, WireReading& reading) {
  std::string_view found;
  WireReader fields(affinity);
  while (fields.next()) {
    if (fields.field() == wire::kPodAntiAffinity) found = fields.bytes();
  }
  reading.check(fields, "spec.affinity");
  return found;
}

void read_toleration(std::string_view message, WireReading& reading, Placement& into) {
  std::string_view key;
  std::string_view op;
  std::string_view value;
  std::string_view effect;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kTolerationKey) key = fields.bytes();
    if (fields.field() == wire::kTolerationOperator) op = fields.bytes();
    if (fields.field() == wire::kTolerationValue) value = fields.bytes();
    if (fields.field() == wire::kTolerationEffect) effect = fields.bytes();
  }
  reading.check(fields, kTolerationsPath);
  add_toleration({.key = reading.intern_if_utf8(key, kTolerationsPath),
                  .value = reading.intern_if_utf8(value, kTolerationsPath)},
                 op, effect, into);
}

void read_expression(std::string_view message, WireReading& reading, TermParts& parts) {
  std::string_view key;
  std::string_view op;
  std::vector<Interned> values;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kExpressionKey) key = fields.bytes();
    if (fields.field() == wire::kExpressionOperator) op = fields.bytes();
    if (fields.field() == wire::kExpressionValues) {
      values.push_back(reading.intern_if_utf8(fields.bytes(), kAntiAffinityPath));
    }
  }
  reading.check(fields, kAntiAffinityPath);
  parts.add(reading.intern_if_utf8(key, kAntiAffinityPath), op, std::move(values));
}

void read_selector(std::string_view message, WireReading& reading, TermParts& parts) {
  parts.has_selector = true;
  std::vector<Label> labels;
  std::vector<std::string_view> expressions;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kMatchLabels) {
      labels.push_back(reading.label(fields.bytes(), kAntiAffinityPath));
    }
    if (fields.field() == wire::kMatchExpressions) expressions.push_back(fields.bytes());
  }
  reading.check(fields, kAntiAffinityPath);
  if (sort_by_key(labels) != nullptr) reading.report(kAntiAffinityPath, "a key occurs twice");
  for (const Label& label : labels) {
    parts.term.selector.requirements.push_back(
        {label.key, Requirement::Operator::kIn, {label.value}});
  }
  for (const std::string_view expression : expressions) read_expression(expression, reading, parts);
}

void read_term(std::string_view message, TermParts parts, WireReading& reading, Placement& into) {
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kTermSelector) read_selector(fields.bytes(), reading, parts);
    if (fields.field() == wire::kTermNamespaces) {
      parts.term.namespaces.push_back(reading.intern_if_utf8(fields.bytes(), kAntiAffinityPath));
    }
    if (fields.field() == wire::kTermTopologyKey) {
      parts.term.topology_key = reading.intern_if_utf8(fields.bytes(), kAntiAffinityPath);
    }
  }
  reading.check(fields, kAntiAffinityPath);
  add_term(std::move(parts), into);
}

void read_preferred_term(std::string_view message, WireReading& reading, Placement& into) {
  TermParts parts{.preferred = true};
  std::string_view term;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kTermWeight) parts.term.weight = fields.int32();
    if (fields.field() == wire::kWeightedTerm) term = fields.bytes();
  }
  reading.check(fields, kAntiAffinityPath);
  read_term(term, std::move(parts), reading, into);
}

// Required terms come first, as they do in JSON.
void read_anti_affinity(std::string_view message, WireReading& reading, Placement& into) {
  std::vector<std::string_view> preferred;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kRequiredTerms) read_term(fields.bytes(), {}, reading, into);
    if (fields.field() == wire::kPreferredTerms) preferred.push_back(fields.bytes());
  }
  reading.check(fields, kAntiAffinityPath);
  for (const std::string_view term : preferred) read_preferred_term(term, reading, into);
}

Placement read_placement(std::string_view spec, WireReading& reading) {
  Placement placement;
  WireReader fields(spec);
  while (fields.next()) {
    if (fields.field() == wire::kTolerations) read_toleration(fields.bytes(), reading, placement);
    if (fields.field() == wire::kAffinity) {
      read_anti_affinity(find_anti_affinity(fields.bytes(), reading), reading, placement);
    }
  }
  return placement;
}

}  // namespace

void PlacementReader::add_affinity(std::string_view message, WireReading& reading) {
  const std::string_view anti_affinity = find_anti_affinity(message, reading);
  if (!anti_affinity.empty()) source_.add('a', anti_affinity);
}

const Placement* PlacementReader::read(std::string_view spec, WireReading& reading) const {
  if (source_.empty()) return nullptr;
  Placements& placements = reading.pool().placements();
  if (const auto known = placements.made_of(source_)) return *known;
  const Placement* made = placements.intern(read_placement(spec, reading));
  // Not remembered after a problem, so that the next pod reports it too.
  if (reading.problem().empty()) placements.remember(source_, made);
  return made;
}

}  // namespace ebb::model
