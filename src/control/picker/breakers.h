// The breakers, one for each pair of workload and endpoint: one tenant's failures never disable
// another tenant's picker. Pickers that have not failed take no memory.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/now.h"
#include "control/core/telemetry.h"
#include "control/picker/breaker.h"

namespace ebb::control {

class Breakers {
 public:
  // `telemetry` must outlive it.
  explicit Breakers(Telemetry& telemetry) : telemetry_(telemetry) {}

  // Workload and endpoint.
  using Who = std::pair<std::string, std::string>;

  // Whether the picker may be called now; if so, the caller must report the result through
  // record().
  [[nodiscard]] bool admits(const Who& who, Now now);

  enum class CallResult : std::uint8_t {
    kAnswered,
    kFailed,
    kNothing,  // it was not called after all
  };
  enum class Change : std::uint8_t { kNone, kOpened, kClosed };
  Change record(const Who& who, CallResult result, Now now);

  void forget_workload(std::string_view workload);
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
