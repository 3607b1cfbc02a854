// Taints of nodes and the tolerations of pods.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "base/timestamp.h"

namespace ebb::hollow {

struct Taint {
  std::string key{};
  std::string value{};
  std::string effect{};  // NoSchedule, PreferNoSchedule, NoExecute
  Timestamp added{};     // of NoExecute taints, if known

  friend bool operator==(const Taint&, const Taint&) = default;
};

struct Toleration {
  std::string key{};  // empty (with Exists): every key
  bool exists = false;
  std::string value{};
  std::string effect{};                   // empty: every effect
  std::optional<std::int64_t> seconds{};  // tolerationSeconds; nothing: for ever

  [[nodiscard]] bool tolerates(const Taint& taint) const;

  friend auto operator<=>(const Toleration&, const Toleration&) = default;
};

// Read from the spec of a node, and of a pod.
[[nodiscard]] std::vector<Taint> read_taints(const boost::json::object& node);
[[nodiscard]] std::vector<Toleration> read_tolerations(const boost::json::object& pod);

[[nodiscard]] bool tolerated(const Taint& taint, std::span<const Toleration> tolerations);

// The time at which a pod that came to a node at `since` must leave because of NoExecute taints;
// the zero time: never.
[[nodiscard]] Timestamp eviction_time(std::span<const Taint> taints,
                                      std::span<const Toleration> tolerations, Timestamp since);

// {key: value}, as in the scheduler's messages.
[[nodiscard]] std::string describe(const Taint& taint);

}  // namespace ebb::hollow
