// Amounts of resources: the requests of pods and the capacity of nodes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/json/object.hpp>

namespace ebb::hollow {

// CPU in thousandths, everything else in whole units; rounded up. Nothing if the text is not a
// quantity or is negative.
[[nodiscard]] std::optional<std::int64_t> parse_amount(std::string_view resource,
                                                       std::string_view quantity);

struct Resources {
  std::int64_t cpu_milli = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t pods = 0;
  // Other resources (nvidia.com/gpu) by name.
  std::vector<std::pair<std::string, std::int64_t>> others{};

  Resources& operator+=(const Resources& more);
  Resources& operator-=(const Resources& less);
  void raise_to(const Resources& other);
  [[nodiscard]] std::int64_t other(std::string_view name) const;

  friend bool operator==(const Resources&, const Resources&) = default;
};

// Reads a map of quantities by resource name, such as status.allocatable.
[[nodiscard]] Resources read_resources(const boost::json::object* quantities);

// The requests of a pod: the sum over its containers, or the largest of its init containers if that
// is more, plus overhead; and one pod. Restartable init containers (sidecars) count like
// containers.
[[nodiscard]] Resources read_requests(const boost::json::object& pod);

}  // namespace ebb::hollow
