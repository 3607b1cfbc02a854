// What a pod says about where it may be: tolerations and anti-affinity. Pods of one template share
// it, so it exists once in a pool.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/interned.h"
#include "model/selector.h"

namespace ebb::model {

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute, kOther };

// kOther for what is none of them.
[[nodiscard]] TaintEffect parse_taint_effect(std::string_view text);

struct Taint {
  Interned key;
  Interned value;
  TaintEffect effect = TaintEffect::kOther;

  friend bool operator==(const Taint&, const Taint&) = default;
};

struct Toleration {
  Interned key;    // empty, with `exists`: every key
  Interned value;  // counts unless `exists`
  bool exists = false;
  bool any_effect = true;
  TaintEffect effect = TaintEffect::kOther;  // unless any

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

// Whether some toleration covers the taint, as Kubernetes matches them.
[[nodiscard]] bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);

// Pods that match `selector` are to be kept out of the pod's domain of `topology_key`. A term that
// means every pod has every_pod(), for a selector without requirements matches none.
struct AntiAffinityTerm {
  Interned topology_key;
  Selector selector;
  // Of the pods that are meant; none: the pod's own namespace. Namespace selectors are not read:
  // they would need the labels of namespaces. A term that has one counts for what it lists, or else
  // for the pod's own namespace. Nor are matchLabelKeys: API servers add them to the selector.
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
