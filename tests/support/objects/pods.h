// Builders for pods and workloads in tests. Everything has a default, so a test sets only what it
// is about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/records/snapshot.h"

namespace ebb::testing {

// 2026-11-01T12:00:00Z, the current time in tests of pods.
inline constexpr Timestamp kNow = Timestamp::from_seconds(1793534400);
using ebb::kHour;
using ebb::kMinute;
using ebb::kSecond;

// The instant `age_ns` before kNow.
[[nodiscard]] constexpr Timestamp ago(Nanoseconds age_ns) {
  return Timestamp::from_nanoseconds(kNow.since_epoch_ns() - age_ns);
}

// A snapshot under construction. Pods belong to `set` unless a test changes that.
class World {
 public:
  World();

  // A Running, Ready pod on node `node-1`, ready and created 5 h ago, owned by the
  // ReplicaSet `web`; its uid is its name.
  [[nodiscard]] model::Pod pod(std::string_view name);

  [[nodiscard]] model::Interned intern(std::string_view text) { return snapshot.pool.intern(text); }
  [[nodiscard]] const model::LabelSet* labels(
      std::vector<std::pair<std::string_view, std::string_view>> labels);
  [[nodiscard]] const model::ControllerRef* owner(std::string_view kind, std::string_view name,
                                                  std::string_view uid,
                                                  std::string_view group = "apps");
  // A ReplicaSet that selects app=NAME.
  [[nodiscard]] model::ReplicaSet replica_set(std::string_view name, std::int32_t replicas = 1);

  model::Snapshot snapshot;
};

// Pointers to all pods of a list, as decisions take them.
[[nodiscard]] std::vector<const model::Pod*> pointers(const std::vector<model::Pod>& pods);
[[nodiscard]] std::vector<const model::ReplicaSet*> pointers(
    const std::vector<model::ReplicaSet>& sets);

}  // namespace ebb::testing
