// How Kubernetes packs messages in protobuf: envelopes, lists, and the frames of a watch.
//
// An object stands in an envelope: `k8s`, a zero byte, and a message that says what it is and
// has the object's own message inside. A watch is a row of frames: four bytes that say how long
// it is, the largest first, then a WatchEvent, whose object is in an envelope again. All views
// point into what was read.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/api.h"
#include "schema/envelope.h"

namespace ebb::model {

inline constexpr std::size_t kFrameHeadBytes = 4;
// How long the frame is whose first bytes these are, without them.
[[nodiscard]] std::size_t frame_bytes(std::string_view head);

using schema::Envelope;
using schema::kProtobufMagic;
using schema::open_envelope;

struct WireEvent {
  std::string_view type;    // ADDED
  std::string_view object;  // in its envelope
};
[[nodiscard]] Result<WireEvent> read_event(std::string_view frame);

struct WireList {
  std::string_view resource_version;
  std::string_view continue_token;
  std::vector<std::string_view> items;
};
// `message` is a PodList, or any other list.
[[nodiscard]] Result<WireList> read_list(std::string_view message);

// What a bookmark says: its object has nothing but these two.
struct WireBookmark {
  Revision revision = 0;
  bool ends_initial_events = false;
};
[[nodiscard]] Result<WireBookmark> read_bookmark(std::string_view message);

struct WireStatus {
  std::string_view message;
  std::string_view reason;
  int code = 0;
};
[[nodiscard]] Result<WireStatus> read_status(std::string_view message);

}  // namespace ebb::model
