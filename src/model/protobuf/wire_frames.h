// The framing of Kubernetes protobuf: envelopes, lists, and the frames of a watch.
//
// An envelope is `k8s`, a zero byte, and a message with the type and the object's own message. A
// watch is a sequence of frames: a four-byte big-endian length, then a WatchEvent, whose object is
// in an envelope again. All views point into the input.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/api/api.h"
#include "schema/core/envelope.h"

namespace ebb::model {

inline constexpr std::size_t kFrameHeadBytes = 4;
// The length of the frame with this header, without the header.
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

// A bookmark's object has only these two fields.
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
