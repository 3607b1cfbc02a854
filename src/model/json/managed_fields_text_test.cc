#include "model/json/managed_fields_text.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace ebb::model {
namespace {

TEST(ManagedFieldsText, IsCutOutFromAnyPosition) {
  const struct {
    std::string_view given;
    std::string_view rest;
    std::string_view entries;
  } cases[] = {
      {R"({"metadata":{"name":"a","managedFields":[{"fieldsV1":{"f:a":{}}}]},"spec":{}})",
       R"({"metadata":{"name":"a"},"spec":{}})", R"([{"fieldsV1":{"f:a":{}}}])"},
      {R"({"metadata":{"managedFields":[],"name":"a"}})", R"({"metadata":{"name":"a"}})", "[]"},
      {R"({"metadata":{"managedFields":[]}})", R"({"metadata":{}})", "[]"},
      // Brackets and quotes within texts are not those of the list.
      {R"({"metadata":{"name":"a","managedFields":[{"f":{"v:\"]\"":[["\\"]]}}],"uid":"u"}})",
       R"({"metadata":{"name":"a","uid":"u"}})", R"([{"f":{"v:\"]\"":[["\\"]]}}])"},
  };
  for (const auto& each : cases) {
    const auto cut = cut_managed_fields(each.given);
    ASSERT_TRUE(cut) << each.given;
    EXPECT_EQ(cut->rest, each.rest);
    EXPECT_EQ(cut->entries, each.entries);
  }
}

TEST(ManagedFieldsText, IsNotFoundWithinTexts) {
  const std::string text = boost::json::serialize(
      boost::json::object{{"a", R"({"managedFields":[1]})"}, {"managedFields", "none"}});
  EXPECT_FALSE(cut_managed_fields(text));
}

TEST(ManagedFieldsText, IsNotFoundAtTheEndOfAnotherName) {
  EXPECT_FALSE(cut_managed_fields(R"({"a\"managedFields":[1]})"));
  EXPECT_FALSE(cut_managed_fields(R"({"unmanagedFields":[1]})"));
}

TEST(ManagedFieldsText, OfABrokenDocumentIsLeftAlone) {
  for (const char* text : {R"({"managedFields":[)", R"({"managedFields":[")",
                           R"({"managedFields":["\)", R"({"managedFields":[[])"}) {
    EXPECT_FALSE(cut_managed_fields(text)) << text;
  }
}

}  // namespace
}  // namespace ebb::model
