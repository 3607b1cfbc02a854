// List and watch of one resource, as a state machine that keeps a part of the store up to date.
//
// It starts with a consistent list (streaming if the server supports it, in pages otherwise) and
// watches from there, resuming the watch whenever it ends. It never starts from a cached state
// (resourceVersion 0), and the revisions that it passes to the store never go back.
//
// Objects that cannot be decoded are logged and counted, and do not affect others. If the state of
// one is unknown as a result, everything is listed again a little later, because damage in transit
// does not repeat.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/now.h"
#include "control/cache/store.h"
#include "control/core/call.h"
#include "control/core/telemetry.h"

namespace ebb::control {

struct ReflectorSettings {
  Resource resource = Resource::kPods;
  bool protobuf = false;   // request protobuf first
  std::uint64_t seed = 1;  // for jitter
  // A server that does not know the resource, or forbids access to it, does not block the process.
  // The reflector retries from time to time.
  bool optional = false;
};

class Reflector {
 public:
  Reflector(ReflectorSettings settings, Store& store, Telemetry& telemetry);
  ~Reflector();
  Reflector(Reflector&&) noexcept;
  Reflector& operator=(Reflector&&) noexcept;

  // The request to send now, if any; at most one is in flight. The caller assigns an id and passes
  // the answer back.
  struct Wanted {
    Call::Kind kind = Call::Kind::kRead;  // kRead: a page of a list; kStream: a watch
    model::ApiRequest request{};
    Nanoseconds deadline_ns = 0;
  };
  [[nodiscard]] std::optional<Wanted> take_wanted(Now now);

  // Does what is due while a call is in flight.
  void wake(Now now);
  void answered(const Answer& answer, Now now);
  void received(std::string_view bytes, Now now);
  // When take_wanted() or wake() has work next, on the monotonic clock; the zero time: only after
  // an answer.
  [[nodiscard]] Timestamp wake_at() const;
  // Whether to cancel the stream in flight (a message could not be decoded, or a new list is due).
  [[nodiscard]] bool wants_cancel() const;
  void cancelled(Now now);

  // For a minute, every list of the API server has been older than what is known: its storage went
  // back, as after a restore from a backup. The contents of the store are no longer valid.
  [[nodiscard]] bool went_back(Now now) const;

  // Lists again, unless a list is already in progress.
  void refresh(Now now);
  // Whether a list that was begun at that time or later is complete.
  [[nodiscard]] bool listed_since(Timestamp mono) const;
  [[nodiscard]] bool is_optional() const;

  // Since when the watch has been disconnected; the zero time: it is connected.
  [[nodiscard]] Timestamp down_since(Now now) const;

  // The store has a complete list, or the resource is optional and no longer waited for.
  [[nodiscard]] bool synced() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::control
