// What the removal order looks at: candidates, and the setting they stand in.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/timestamp.h"
#include "model/pod.h"
#include "model/verdict.h"

namespace ebb::order {

using model::Verdict;

// A pod that may go, with what is known about it beyond its own record.
struct Candidate {
  const model::Pod* pod = nullptr;
  std::uint32_t co_located = 0;         // active related pods on its node, itself included
  std::int32_t cost_rank = 0;           // only looked at with Setting::cost_ranks
  Verdict verdict = Verdict::kUnnamed;  // only looked at with Setting::picker
  bool cost_counts = true;              // otherwise it is as if it had no deletion cost
};

// What holds for all candidates of one decision.
struct Setting {
  Timestamp now;
  bool prefer_label = true;   // labelled pods go first
  bool deletion_cost = true;  // the annotation counts
  bool cost_ranks = false;    // every candidate that matters has a rank
  bool picker = false;        // a picker answered; it takes the place of co-location
  bool logarithmic = true;    // ages are compared by power of two, not exactly
};

// One pod set against the pod on the other side of the line between going and
// staying; criteria turn it into a sentence.
struct Contrast {
  const Candidate& pod;
  const Candidate& other;
  std::string_view other_name;  // `web-x2x1q, the first pod kept`
  bool goes = false;            // the pod goes and the other one stays, or the reverse
};

}  // namespace ebb::order
