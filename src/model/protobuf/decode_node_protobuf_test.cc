#include "model/protobuf/decode_node_protobuf.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "schema/core/kind.h"
#include "support/objects/reading.h"
#include "support/objects/wire_encoder.h"

namespace ebb::model {
namespace {

std::string encode_node(std::string_view text) {
  return testing::encode_message(*schema::find_kind("v1", "Node")->schema,
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

TEST(DecodeNodeProtobuf, MakesTheSameRecordAsJson) {
  const char* const nodes[] = {
      R"({"metadata":{"name":"a","uid":"u"}})",
      R"({"metadata":{"name":"b"},"spec":{"unschedulable":true,"taints":[
            {"key":"k/x","value":"v","effect":"NoSchedule"},
            {"key":"y","effect":"PreferNoSchedule","timeAdded":"2026-11-01T12:00:00Z"},
            {"key":"z","effect":"NoExecute"},{"key":"o","effect":"Odd"}]},
          "status":{"conditions":[{"type":"DiskPressure","status":"False"},
            {"type":"Ready","status":"True"},{"type":"Ready","status":"False"}]}})",
      R"({"metadata":{"name":"c"},"spec":{"unschedulable":false,"taints":[]},
          "status":{"conditions":[{"type":"Ready","status":"Unknown"}]}})"};
  const char* const expected[] = {"Node a labels=\n",
                                  ("Node b labels= taint=k/x=v:NoSchedule "
                                   "taint=y=:PreferNoSchedule taint=z=:NoExecute taint=o=:other "
                                   "unschedulable ready\n"),
                                  "Node c labels=\n"};
  for (std::size_t i = 0; i < std::size(nodes); ++i) {
    auto object = boost::json::parse(nodes[i]).as_object();
    Snapshot snapshot;
    const auto node = decode_node_protobuf(encode_node(nodes[i]), snapshot.pool);
    ASSERT_TRUE(node) << node.error().message;
    snapshot.nodes.push_back(*node);
    EXPECT_EQ(testing::describe(snapshot), expected[i]);
    object["apiVersion"] = "v1";
    object["kind"] = "Node";
    EXPECT_EQ(testing::describe(testing::read(boost::json::serialize(object)).value()),
              expected[i]);
  }
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
            "a Node without a name: metadata.name: is not valid UTF-8");
}

}  // namespace
}  // namespace ebb::model
