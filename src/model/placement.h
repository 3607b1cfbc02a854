// What a pod says about where it may be: tolerations and anti-affinity. Pods of one template share
// it, so it exists once in a pool.
#pragma once

#include <cstdint>
#include <vector>

#include "model/pool.h"
#include "model/selector.h"

namespace ebb::model {

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute, kOther };

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
};

// Whether some toleration covers the taint, as Kubernetes matches them.
[[nodiscard]] bool tolerates(const std::vector<Toleration>& tolerations, const Taint& taint);

// Pods that match `selector` are to be kept out of the pod's domain of `topology_key`.
struct AntiAffinityTerm {
  Interned topology_key;
  Selector selector;
  // Of the pods that are meant; none: the pod's own namespace. Namespace selectors are not read.
  std::vector<Interned> namespaces;
  std::int32_t weight = 0;  // 0: required; 1 to 100: preferred
};

struct Placement {
  std::vector<Toleration> tolerations;
  std::vector<AntiAffinityTerm> anti_affinity;
};

}  // namespace ebb::model
