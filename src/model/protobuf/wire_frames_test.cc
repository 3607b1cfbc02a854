// The bytes in this test come from a real kube-apiserver (v1.36).
#include "model/protobuf/wire_frames.h"

#include <string>

#include <gtest/gtest.h>

#include "support/objects/wire_encoder.h"

namespace ebb::model {
namespace {

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// A streaming list of no pods consists of this.
const std::string kBookmarkFrame = from_hex(
    "0000008e0a08424f4f4b4d41524b1281010a7f6b3873000a090a0276311203506f64126a0a350a0012001a0022002a"
    "003202373538004200622"
    "10a196b38732e696f2f696e697469616c2d6576656e74732d656e641204747275"
    "65121c1a00320042004a0052005800600068008201008a01009a0100c201001a130a001a0022002a0032004a005a00"
    "72008801001a002200");
const std::string kEmptyList = from_hex(
    "6b3873000a0d0a0276311207506f644c69737412"
    "0a0a080a001202373"
    "51a001a002200");

const std::string kExpiredFrame = from_hex(
    "000000640a054552524f52125b0a596b3873000a0c0a02763112065374617475731241"
    "0a060a0012001a0012074661696c7572651a22746f6f206f6c64207265736f757263652076657273696f6e3a203630"
    "20283631392922074578706972656430"
    "9a031a002200");

TEST(WireFrames, ReadsABookmarkOfARealServer) {
  ASSERT_EQ(frame_bytes(kBookmarkFrame), kBookmarkFrame.size() - kFrameHeadBytes);
  const auto event = read_event(std::string_view(kBookmarkFrame).substr(kFrameHeadBytes));
  ASSERT_TRUE(event) << event.error().message;
  EXPECT_EQ(event->type, "BOOKMARK");
  const auto envelope = open_envelope(event->object);
  ASSERT_TRUE(envelope) << envelope.error().message;
  EXPECT_EQ(envelope->kind, "Pod");
  const auto bookmark = read_bookmark(envelope->message);
  ASSERT_TRUE(bookmark) << bookmark.error().message;
  EXPECT_EQ(bookmark->revision, 75U);
  EXPECT_TRUE(bookmark->ends_initial_events);
}

TEST(WireFrames, ReadsAListOfARealServer) {
  const auto envelope = open_envelope(kEmptyList);
  ASSERT_TRUE(envelope) << envelope.error().message;
  EXPECT_EQ(envelope->kind, "PodList");
  const auto list = read_list(envelope->message);
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->resource_version, "75");
  EXPECT_EQ(list->continue_token, "");
  EXPECT_TRUE(list->items.empty());
}

TEST(WireFrames, ReadsAnErrorOfARealServer) {
  const auto event = read_event(std::string_view(kExpiredFrame).substr(kFrameHeadBytes));
  ASSERT_TRUE(event) << event.error().message;
  EXPECT_EQ(event->type, "ERROR");
  const auto envelope = open_envelope(event->object);
  ASSERT_TRUE(envelope) << envelope.error().message;
  EXPECT_EQ(envelope->kind, "Status");
  const auto status = read_status(envelope->message);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(status->reason, "Expired");
  EXPECT_EQ(status->message, "too old resource version: 60 (619)");
  EXPECT_EQ(status->code, 410);
}

TEST(WireFrames, RefuseWhatIsCutOffOrSomethingElse) {
  EXPECT_FALSE(open_envelope("k8s"));
  EXPECT_FALSE(open_envelope("{}"));
  EXPECT_FALSE(open_envelope(std::string_view(kEmptyList).substr(0, kEmptyList.size() - 5)));
  std::string encoded("k8s\0", 4);
  testing::append_field(encoded, 3, std::string_view("gzip"));
  EXPECT_FALSE(open_envelope(encoded));
  EXPECT_FALSE(read_event("\x12\x02\x0a\x7f"));
  EXPECT_FALSE(read_list("\x0a\x02\x12\x7f"));
  EXPECT_FALSE(read_status("\x32\x01x"));
  EXPECT_FALSE(read_bookmark("\x0a\x01\x32"));
}

}  // namespace
}  // namespace ebb::model
