// The changes that a log keeps, and how much history the store keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "model/api/api.h"
#include "model/records/feature_gates.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

using model::ApiRequest;
using model::ApiResponse;
using model::Bytes;
using model::Revision;

// One write, for a log from which the server can be restored.
struct Change {
  Revision revision = 0;
  Timestamp time;
  const schema::Kind* kind = nullptr;
  std::string namespace_name;
  std::string name;
  bool deleted = false;
  // The object after the change; for a deletion its last state.
  Bytes::Segment json;
};

// The changes that a log may drop.
struct CompactedHistory {
  std::vector<Revision> revisions;  // changes that readers can no longer request
  // Up to this revision, only the changes that made current objects remain.
  Revision history_start = 0;
};

struct Settings {
  std::uint64_t seed = 1;  // for uids and generated names
  // How far back watches and continued lists can start: changes younger than this, unless old
  // versions take more than this many bytes.
  Nanoseconds history_age_ns = 300 * kNanosecondsPerSecond;
  std::size_t history_bytes = 64UL << 20;
  // Some gates affect validation.
  model::FeatureGates gates{};
};

}  // namespace ebb::apiserver
