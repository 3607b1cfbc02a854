#include "apiserver/store/shared_text.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/store/object.h"
#include "base/base64.h"
#include "schema/protobuf/protobuf.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

// An entry of managedFields whose fields are so many bytes long, or a little more.
std::string entry(char letter, std::size_t size) {
  return fmt::format(R"({{"manager":"m","time":"t","fieldsV1":{{"f:{}}}\"{{":{{}}}}}})",
                     std::string(size, letter));
}

std::string object(std::string_view name, std::string_view entries) {
  return fmt::format(R"({{"metadata":{{"name":"{}","managedFields":[{}]}},"spec":{{}}}})", name,
                     entries);
}

std::string between(const PiecedText& text, std::size_t begin, std::size_t end) {
  Bytes bytes;
  text.append_to(bytes, nullptr, begin, end);
  return bytes.str();
}

TEST(PiecedText, KeepsWhatTwoObjectsHaveInCommonOnce) {
  TextPool pool;
  const std::string fields = entry('a', 1000);
  const PiecedText first(object("first", fields), pool);
  const PiecedText second(object("second", fields), pool);
  EXPECT_EQ(first.str(), object("first", fields));
  EXPECT_EQ(second.str(), object("second", fields));
  ASSERT_EQ(first.parts().size(), 1U);
  EXPECT_EQ(first.parts()[0].text, second.parts()[0].text);
  EXPECT_LT(first.footprint(), 400U);
  EXPECT_EQ(pool.size(), 1U);
}

TEST(PiecedText, IsTheSameWholeHoweverItIsRead) {
  TextPool pool;
  for (const std::string& entries :
       {std::string(), entry('a', 10), entry('a', 1000),
        entry('a', 1000) + "," + entry('b', 20) + "," + entry('c', 500)}) {
    const std::string whole = object("x", entries);
    const PiecedText text(whole, pool);
    EXPECT_EQ(text.str(), whole);
    EXPECT_EQ(text.size(), whole.size());
    for (std::size_t begin = 0; begin <= whole.size(); begin += 7) {
      for (std::size_t end = begin; end <= whole.size(); end += 11) {
        ASSERT_EQ(between(text, begin, end), whole.substr(begin, end - begin));
      }
    }
  }
}

TEST(PiecedText, SharesInAnotherFormWhatTheFirstFormShared) {
  TextPool pool;
  const PiecedText json(object("x", entry('a', 1000) + "," + entry('b', 1000)), pool);
  ASSERT_EQ(json.parts().size(), 2U);
  const std::string placeholders = json.with_placeholders();
  EXPECT_EQ(placeholders.size(), json.size());
  const PiecedText other("before" + placeholders + "behind", json);
  EXPECT_EQ(other.str(), "before" + json.str() + "behind");
  ASSERT_EQ(other.parts().size(), 2U);
  EXPECT_EQ(other.parts()[1].text, json.parts()[1].text);
  EXPECT_EQ(PiecedText("nothing of it", json).str(), "nothing of it");
}

// Texts that look like shared ones, in places that come before them.
TEST(Object, IsTheSameInProtobufWhateverItShares) {
  TextPool pool;
  const schema::Kind& kind = *schema::find_kind("", "v1", "secrets");
  json::object content;
  content["apiVersion"] = "v1";
  content["kind"] = "Secret";
  const std::string fields = R"({"f:data":{"f:)" + std::string(1000, 'a') + R"(":{}}})";
  json::object managed = {{"manager", "m"}, {"fieldsV1", json::parse(fields)}};
  content["metadata"] = {
      {"name", "x"},
      {"annotations", {{"a", fields}, {"b", '"' + std::string(1000, 'x') + '"'}}},
      {"managedFields", {managed, managed}}};
  content["data"] = {{"k", encode_base64('"' + std::string(fields.size() - 2, '\xff') + '"')}};
  const Object object(kind, content, 7, &pool);
  ASSERT_EQ(object.json_pieces().parts().size(), 2U);
  const Object::Wire& wire = object.wire();
  EXPECT_EQ(wire.item.parts().size(), 2U);
  EXPECT_EQ(wire.item.str().substr(wire.message),
            schema::encode_message(*kind.schema, object.content()).bytes);
}

TEST(PiecedText, LeavesWhatIsNotClosedAsItIs) {
  TextPool pool;
  const std::string torn = R"({"fieldsV1":{"f:)" + std::string(1000, 'a');
  EXPECT_EQ(PiecedText(torn, pool).str(), torn);
}

TEST(TextPool, DropsUnreferencedTexts) {
  TextPool pool;
  const auto kept = pool.share("kept");
  for (int i = 0; i < 10'000; ++i) static_cast<void>(pool.share(fmt::to_string(i)));
  EXPECT_LT(pool.size(), 2'000U);
  EXPECT_EQ(pool.share("kept"), kept);
}

}  // namespace
}  // namespace ebb::apiserver
