// The trace of a run, one line per event. Two runs of one seed have the same lines, and so the same
// hash: lines are always produced, but stored only on request.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "sim/core/timeline.h"

namespace ebb::sim {

class Trace {
 public:
  using Print = std::function<void(std::string_view line)>;

  explicit Trace(const Timeline& time, Print print = {}) : time_(time), print_(std::move(print)) {}

  void line(std::string_view who, std::string_view what);

  [[nodiscard]] std::uint64_t hash() const { return hash_; }
  [[nodiscard]] std::uint64_t lines() const { return lines_; }

 private:
  const Timeline& time_;
  Print print_;
  std::uint64_t hash_ = 0xcbf29ce484222325U;
  std::uint64_t lines_ = 0;
};

}  // namespace ebb::sim
