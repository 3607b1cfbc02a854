// The picker request and its wire formats (KEP-3189; api/picker/v1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/timestamp.h"

namespace ebb::picker {

// The facts about a candidate that a picker gets with `context: full`.
struct CandidateFacts {
  std::string node{};
  std::string zone{};
  std::int64_t age_seconds = 0;
  std::optional<Timestamp> ready_since{};
  std::int64_t restarts = 0;
  std::int64_t cost = 0;  // controller.kubernetes.io/pod-deletion-cost
};

struct PickRequest {
  std::size_t requested = 0;
  std::vector<std::string> candidates{};  // names, sorted
  std::vector<CandidateFacts> facts{};    // parallel to them; empty: names only
};

[[nodiscard]] std::string to_json(const PickRequest& request);
// ebb.picker.v1.PickRequest.
[[nodiscard]] std::string to_protobuf(const PickRequest& request);

}  // namespace ebb::picker
