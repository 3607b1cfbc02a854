// A watch on its way through a Link.
#pragma once

#include <memory>
#include <string>

#include "sim/link.h"

namespace ebb::sim {

struct Link::Stream {
  control::Call call{};
  const schema::Kind* kind = nullptr;
  std::shared_ptr<apiserver::WatchCursor> cursor{};
  std::string unheard{};  // sent by the server, not yet received
  bool protobuf = false;
  bool poll_due = false;
  bool delivery_due = false;
  bool ended = false;      // by the server: what is unheard is the last of it
  bool silent = false;     // nothing will be received any more
  bool hiding = false;     // what is unheard waits for the next event
  Timestamp held_until{};  // a replica that is behind
  Timestamp last_heard{};
};

}  // namespace ebb::sim
