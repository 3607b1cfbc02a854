#include "model/decode_node_protobuf.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "schema/kind.h"
#include "support/wire_encoder.h"

namespace ebb::model {
namespace {

std::string encode_node(std::string_view text) {
  return testing::encode_message(*schema::find_kind("v1", "Node")->shape,
                                 boost::json::parse(text).as_object());
}

TEST(DecodeNodeProtobuf, ReadsWhatTheJsonDecoderReads) {
  Pool pool;
  const auto node = decode_node_protobuf(
      encode_node(R"({"metadata":{"name":"node-1","uid":"u","resourceVersion":"17",
                      "labels":{"zone":"z","arch":"arm"},"annotations":{"a":"b"}},
                      "spec":{"podCIDR":"10.0.0.0/24"},
                      "status":{"conditions":[{"type":"Ready","status":"True"}]}})"),
      pool);
  ASSERT_TRUE(node) << node.error().message;
  EXPECT_EQ(node->name.view(), "node-1");
  EXPECT_EQ(node->uid.view(), "u");
  EXPECT_EQ(node->revision_seen, 17U);
  ASSERT_EQ(node->labels->labels.size(), 2U);
  EXPECT_EQ(node->labels->labels[0].key.view(), "arch");
  EXPECT_EQ(node->labels->labels[1].value.view(), "z");
}

TEST(DecodeNodeProtobuf, SaysWhatIsWrong) {
  Pool pool;
  const std::string whole = encode_node(R"({"metadata":{"name":"node-1","labels":{"a":"b"}}})");
  EXPECT_EQ(decode_node_protobuf("", pool).error().message,
            "a Node without a name: metadata.name: is missing");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_FALSE(decode_node_protobuf(std::string_view(whole).substr(0, size), pool)) << size;
  }
  std::string bad;
  std::string metadata;
  testing::append_field(metadata, 1, std::string_view("\xff"));
  testing::append_field(bad, 1, metadata);
  EXPECT_EQ(decode_node_protobuf(bad, pool).error().message,
            "a Node without a name: metadata.name: is no UTF-8");
}

}  // namespace
}  // namespace ebb::model
