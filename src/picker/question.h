// The question to a picker, and how it is written on the wire (KEP-3189; api/picker/v1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"

namespace ebb::picker {

// What a picker may want to know about a candidate (`context: full`).
struct CandidateFacts {
  std::string node{};
  std::string zone{};
  std::int64_t age_seconds = 0;
  std::optional<Timestamp> ready_since{};
  std::int64_t restarts = 0;
  std::int64_t cost = 0;  // controller.kubernetes.io/pod-deletion-cost
};

struct Question {
  std::size_t requested = 0;
  std::vector<std::string> candidates{};  // names, sorted
  std::vector<CandidateFacts> facts{};    // parallel to them; empty: names only
};

[[nodiscard]] std::string to_json(const Question& question);
// ebb.picker.v1.PickRequest.
[[nodiscard]] std::string to_protobuf(const Question& question);

}  // namespace ebb::picker
