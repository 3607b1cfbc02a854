// List and watch of one resource, as a state machine: keeps a part of the store up to date.
//
// It starts with a consistent list (a streaming one where the server has it, pages otherwise),
// then watches from there, for as long as it lasts and again. It never begins from a cached
// state (resourceVersion 0), and what it tells the store never goes back.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/now.h"
#include "control/call.h"
#include "control/store.h"
#include "control/telemetry.h"

namespace ebb::control {

struct ReflectorSettings {
  Resource resource = Resource::kPods;
  bool protobuf = false;   // ask for protobuf first
  std::uint64_t seed = 1;  // of jitter
  // A server that does not know the resource, or does not let it be read, keeps nobody from
  // working. It is asked again from time to time.
  bool optional = false;
};

class Reflector {
 public:
  Reflector(ReflectorSettings settings, Store& store, Telemetry& telemetry);
  ~Reflector();
  Reflector(Reflector&&) noexcept;
  Reflector& operator=(Reflector&&) noexcept;

  // What to send, if anything is to be sent now: at most one call is under way. The caller
  // numbers it and tells of its answer.
  struct Wanted {
    Call::Kind kind = Call::Kind::kRead;  // kRead: a page of a list; kStream: a watch
    model::ApiRequest request{};
    Nanoseconds deadline_ns = 0;
  };
  [[nodiscard]] std::optional<Wanted> take_wanted(Now now);

  void answered(const Answer& answer, Now now);
  void received(std::string_view bytes, Now now);
  // When take_wanted() will have something next, on the monotonic clock; the zero time: only
  // after an answer.
  [[nodiscard]] Timestamp wake_at() const;
  // Whether the stream under way should be given up (a message could not be understood).
  [[nodiscard]] bool wants_cancel() const;
  void cancelled(Now now);

  // The API server has been listing an older state than is known for a minute, over and over: its
  // storage went back, as after a restore. What is known is of a world that is no more.
  [[nodiscard]] bool went_back(Now now) const;

  // Everything that there was has been told at least once, or nothing more is waited for.
  [[nodiscard]] bool synced() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::control
