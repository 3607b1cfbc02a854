// A watch stream of a Link.
#pragma once  // private to its room

#include <memory>
#include <string>

#include "sim/link/link.h"

namespace ebb::sim {

struct Link::Stream {
  control::Call call{};
  const schema::Kind* kind = nullptr;
  std::shared_ptr<apiserver::WatchCursor> cursor{};
  std::string unheard{};  // sent by the server, not yet received
  bool protobuf = false;
  bool poll_due = false;
  bool delivery_due = false;
  bool ended = false;      // by the server: `unheard` is the last of it
  bool silent = false;     // nothing more will be received
  bool hiding = false;     // `unheard` waits for the next event
  Timestamp held_until{};  // served by a replica that lags
  Timestamp last_heard{};
};

}  // namespace ebb::sim
