// The breakers of all workloads and the endpoints that they ask: one tenant's failures never
// silence another's picker. What has not failed is not remembered.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/now.h"
#include "control/breaker.h"
#include "control/telemetry.h"

namespace ebb::control {

class Breakers {
 public:
  // `telemetry` must outlive it.
  explicit Breakers(Telemetry& telemetry) : telemetry_(telemetry) {}

  // Workload (its uid) and endpoint.
  using Who = std::pair<std::string, std::string>;

  // Whether it may be asked now; if so, heard() has to be told how it went.
  [[nodiscard]] bool admits(const Who& who, Now now);

  enum class News : std::uint8_t {
    kAnswered,
    kFailed,
    kNothing,  // it was not asked after all
  };
  enum class Change : std::uint8_t { kNone, kOpened, kClosed };
  Change heard(const Who& who, News news, Now now);

  void forget_workload(std::string_view uid);
  [[nodiscard]] std::size_t size() const { return remembered_.size(); }

 private:
  struct Remembered {
    Breaker breaker;
    Timestamp used;
  };

  void forget_old(Now now);
  void recount();

  Telemetry& telemetry_;
  std::map<Who, Remembered> remembered_;
  std::size_t after_forgetting_ = 0;
};

}  // namespace ebb::control
