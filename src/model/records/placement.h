// The scheduling constraints of a pod: tolerations and anti-affinity. Pods of one template share
// them, so a pool stores each once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/records/interned.h"
#include "model/records/selector.h"

namespace ebb::model {

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute, kOther };

// kOther for any other text.
[[nodiscard]] TaintEffect parse_taint_effect(std::string_view text);

struct Taint {
  Interned key;
  Interned value;
  TaintEffect effect = TaintEffect::kOther;

  friend bool operator==(const Taint&, const Taint&) = default;
};

struct Toleration {
  Interned key;    // empty, with `exists`: every key
  Interned value;  // ignored with `exists`
  bool exists = false;
  bool any_effect = true;
  TaintEffect effect = TaintEffect::kOther;  // unless any

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

// Whether a toleration covers the taint, by Kubernetes' matching rules.
[[nodiscard]] bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);

// Keeps pods that match `selector` out of the pod's domain of `topology_key`. A term for every pod
// uses every_pod(), because a selector without requirements matches none.
struct AntiAffinityTerm {
  Interned topology_key;
  Selector selector;
  // The namespaces of the matching pods; if empty, the pod's own. Namespace selectors are not read:
  // they would need the labels of namespaces. A term with one applies to the namespaces it lists,
  // or else to the pod's own. matchLabelKeys are not read either: API servers add them to the
  // selector.
  std::vector<Interned> namespaces;
  std::int32_t weight = 0;  // 0: required; 1 to 100: preferred

  friend bool operator==(const AntiAffinityTerm&, const AntiAffinityTerm&) = default;
};

[[nodiscard]] Selector every_pod();

struct Placement {
  std::vector<Toleration> tolerations;
  std::vector<AntiAffinityTerm> anti_affinity;

  [[nodiscard]] bool empty() const { return tolerations.empty() && anti_affinity.empty(); }
  friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace ebb::model
