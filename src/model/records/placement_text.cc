#include "model/records/placement_text.h"

#include <algorithm>
#include <utility>

namespace ebb::model {
namespace {

constexpr std::int32_t kMaxWeight = 100;

}  // namespace

void add_toleration(Toleration toleration, std::string_view op, std::string_view effect,
                    Placement& into) {
  toleration.exists = op == "Exists";
  if (!toleration.exists && op != "Equal" && !op.empty()) return;
  if (toleration.exists) toleration.value = {};
  toleration.any_effect = effect.empty();
  toleration.effect = parse_taint_effect(effect);
  if (!toleration.any_effect && toleration.effect == TaintEffect::kOther) return;
  into.tolerations.push_back(toleration);
}

void TermParts::add(Interned key, std::string_view op, std::vector<Interned> values) {
  auto requirement = make_requirement(key, op, std::move(values));
  if (!requirement) {
    sound = false;
    return;
  }
  term.selector.requirements.push_back(std::move(*requirement));
}

void add_term(TermParts parts, Placement& into) {
  AntiAffinityTerm& term = parts.term;
  if (!parts.sound || !parts.has_selector || term.topology_key.empty()) return;
  if (parts.preferred && term.weight < 1) return;
  term.weight = parts.preferred ? std::min(term.weight, kMaxWeight) : 0;
  if (term.selector.empty()) term.selector = every_pod();
  into.anti_affinity.push_back(std::move(term));
}

}  // namespace ebb::model
