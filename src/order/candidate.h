// The input of the removal order: candidates and their context.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/timestamp.h"
#include "model/records/pod.h"
#include "model/records/verdict.h"

namespace ebb::order {

using model::Verdict;

// A pod that may be removed, with facts from outside its own record.
struct Candidate {
  const model::Pod* pod = nullptr;
  std::uint32_t co_located = 0;         // active related pods on its node, itself included
  std::int32_t cost_rank = 0;           // only used with OrderContext::cost_ranks
  Verdict verdict = Verdict::kUnnamed;  // only used with OrderContext::picker
  bool cost_counts = true;              // false: treated as if it had no deletion cost
};

// The context shared by all candidates of one decision.
struct OrderContext {
  Timestamp now;
  bool prefer_label = true;   // labelled pods go first
  bool deletion_cost = true;  // the annotation counts
  bool cost_ranks = false;    // every relevant candidate has a rank
  bool picker = false;        // a picker answered; replaces co-location
  bool logarithmic = true;    // ages are compared by power of two, not exactly
};

// A pod compared with the pod on the other side of the boundary between victims and kept pods. Each
// criterion describes the difference twice: because() names the other pod, and brief() is at most
// 44 columns long for a table that names the other pod once, above its rows.
struct Contrast {
  const Candidate& pod;
  const Candidate& other;
  std::string_view other_name;  // `web-x2x1q, the first pod kept`
  bool goes = false;            // this pod goes and the other one stays, or the reverse
};

}  // namespace ebb::order
