#include "model/json/list_decoder.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/json/decode_json.h"
#include "support/objects/generated_pods.h"
#include "support/objects/reading.h"

namespace ebb::model {
namespace {

using ebb::testing::generate_pod_list;

std::string pod(const std::string& name) {
  return "        {\n            \"apiVersion\": \"v1\",\n            \"kind\": \"Pod\",\n"
         "            \"metadata\": {\n                \"name\": \"" +
         name + "\",\n                \"uid\": \"" + name + "\"\n            }\n        }";
}

std::string list(const std::string& items, const std::string& kind = "List") {
  return "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n" + items +
         "\n    ],\n    \"kind\": \"" + kind +
         "\",\n    \"metadata\": {\n        "
         "\"resourceVersion\": \"\"\n    }\n}\n";
}

// Decodes a text that comes in windows which grow by `step` bytes.
bool decode_in_windows(const std::string& text, std::size_t step, Snapshot& into) {
  const simdjson::padded_string padded(text);
  const std::string_view all = padded;
  ListDecoder decoder(into);
  std::size_t begin = 0;
  for (std::size_t end = 4096 + step; end < all.size(); end += step) {
    const auto done = decoder.take(all.substr(begin, end - begin));
    if (!done) return false;
    begin += *done;
  }
  const auto done = decoder.take(all.substr(begin));
  return done && decoder.finish(all.substr(begin + *done));
}

bool decode_whole(const std::string& text, Snapshot& into) {
  return decode_list(simdjson::padded_string(text), into);
}

TEST(ListDecoder, FindsWhatTheThoroughDecoderFinds) {
  const std::string text = generate_pod_list({.pods = 300, .nodes = 20, .seed = 7});
  Snapshot whole;
  ASSERT_TRUE(decode_whole(text, whole));
  Snapshot thorough;
  ASSERT_TRUE(JsonDecoder().decode(simdjson::padded_string(text), thorough));
  EXPECT_EQ(ebb::testing::describe(whole), ebb::testing::describe(thorough));
  EXPECT_EQ(whole.pods.size(), 300U);
}

RC_GTEST_PROP(ListDecoder, DoesNotCareHowTheTextIsCutIntoWindows, ()) {
  static const std::string kText = generate_pod_list({.pods = 20, .nodes = 5, .seed = 3});
  static const std::string kExpected = [] {
    Snapshot whole;
    EXPECT_TRUE(decode_whole(kText, whole));
    return ebb::testing::describe(whole);
  }();
  Snapshot snapshot;
  RC_ASSERT(decode_in_windows(kText, *rc::gen::inRange<std::size_t>(1, 30'000), snapshot));
  RC_ASSERT(ebb::testing::describe(snapshot) == kExpected);
}

TEST(ListDecoder, LeavesEverythingElseToTheThoroughDecoderAndTheSnapshotAsItWas) {
  const std::string two = pod("a") + ",\n" + pod("b");
  const std::string texts[] = {
      "",
      "{}",
      R"({"apiVersion": "v1", "kind": "List", "items": []})",
      list(two, "PodList"),                         // its items need not say their kind
      list(two + ",\n" + pod("c").substr(9)),       // an item is broken
      list(pod("a") + "\n" + pod("b")),             // a comma is missing
      list(two + ","),                              // a comma too many
      list(two).substr(0, list(two).size() - 3),    // cut short
      list(two) + "x",                              // something behind it
      list(two) + list(pod("c")),                   // two documents
      list(two).insert(2, "    \"items\": [],\n"),  // `items` occurs twice
      "{\n    \"metadata\": " + list(two) + "}",    // a list inside of something else
      list("        {\n            \"kind\": \"Pod\"\n        }"),  // an item without a name
  };
  for (const std::string& text : texts) {
    Snapshot snapshot;
    ASSERT_TRUE(decode_whole(list(pod("before")), snapshot));
    EXPECT_FALSE(decode_whole(text, snapshot)) << text;
    ASSERT_EQ(snapshot.pods.size(), 1U) << text;
    EXPECT_EQ(snapshot.pods.front().name.view(), "before");
  }
}

// Lines of an item that look like its end, but are nested deeper or within a string.
TEST(ListDecoder, IsNotFooledByWhatLooksLikeTheEndOfAnItem) {
  const std::string odd =
      "        {\n            \"apiVersion\": \"v1\",\n            \"kind\": \"Pod\",\n"
      "            \"extra\": [\n        {\n        },\n        {\n        }\n    ],\n"
      "            \"metadata\": {\"name\": \"a\\n        },\\n        {\", \"uid\": \"u\"}\n"
      "        }";
  Snapshot snapshot;
  EXPECT_FALSE(decode_whole(list(odd), snapshot));
  EXPECT_TRUE(snapshot.pods.empty());
  EXPECT_TRUE(JsonDecoder().decode(simdjson::padded_string(list(odd)), snapshot).has_value());
  EXPECT_EQ(snapshot.pods.size(), 1U);
}

}  // namespace
}  // namespace ebb::model
