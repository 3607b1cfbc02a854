#include "apiserver/managedfields/field_set.h"

#include <gtest/gtest.h>

namespace ebb::apiserver {
namespace {

FieldSet set_of(std::string_view text) {
  Result<FieldSet> set = parse_fields_v1(text);
  EXPECT_TRUE(set) << text;
  return set ? *std::move(set) : FieldSet();
}

std::string text_of(const FieldSet& set) { return fields_v1(set); }

TEST(FieldSet, IsWrittenInKubernetesOrder) {
  const struct {
    std::string_view given;
    std::string_view written;
  } cases[] = {
      {"{}", "{}"},
      {R"({"f:b":{},"f:a":{}})", R"({"f:a":{},"f:b":{}})"},
      {R"({"f:a":{"f:b":{},".":{}}})", R"({"f:a":{".":{},"f:b":{}}})"},
      // Numbers go by size, not by their digits.
      {R"({"k:{\"port\":443}":{},"k:{\"port\":80}":{}})",
       R"({"k:{\"port\":80}":{},"k:{\"port\":443}":{}})"},
      {R"({"k:{\"protocol\":\"TCP\", \"port\":80}":{}})",
       R"({"k:{\"port\":80,\"protocol\":\"TCP\"}":{}})"},
      {R"({"v:\"b\"":{},"k:{\"a\":1}":{},"f:z":{},"v:\"a b\"":{},"v:\"a\"":{}})",
       R"({"f:z":{},"k:{\"a\":1}":{},"v:\"a\"":{},"v:\"a b\"":{},"v:\"b\"":{}})"},
      {R"({"f:a":null})", R"({"f:a":{}})"},
  };
  for (const auto& each : cases) EXPECT_EQ(text_of(set_of(each.given)), each.written);
}

TEST(FieldSet, RefusesInvalidPathElements) {
  for (const char* text : {R"({"x":{}})", R"({"k:1":{}})", R"({"k:{}":{}})", R"({"v:":{}})",
                           R"({"i:x":{}})", R"({"f:a":{"nothing":{}}})", R"({"":{}})"}) {
    EXPECT_FALSE(parse_fields_v1(text)) << text;
  }
}

TEST(FieldSet, FollowsTheAlgebraOfSets) {
  const FieldSet a = set_of(R"({"f:x":{".":{},"f:y":{}},"f:z":{}})");
  const FieldSet b = set_of(R"({"f:x":{},"f:w":{}})");
  EXPECT_EQ(text_of(united(a, b)), R"({"f:w":{},"f:x":{".":{},"f:y":{}},"f:z":{}})");
  EXPECT_EQ(text_of(intersection(a, b)), R"({"f:x":{}})");
  EXPECT_EQ(text_of(difference(a, b)), R"({"f:x":{"f:y":{}},"f:z":{}})");
  EXPECT_EQ(text_of(recursive_difference(a, b)), R"({"f:z":{}})");
  EXPECT_EQ(text_of(difference(b, a)), R"({"f:w":{}})");
}

TEST(FieldSet, NamesPathsAsMessagesDo) {
  const FieldSet set = set_of(
      R"({"f:spec":{"f:replicas":{},"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},)"
      R"("f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{}}}},"f:names":{"v:\"x\"":{}}}})");
  const std::vector<std::string> expected{
      ".spec.replicas", ".spec.containers[name=\"web\"]", ".spec.containers[name=\"web\"].image",
      ".spec.containers[name=\"web\"].ports[containerPort=80,protocol=\"TCP\"]",
      ".spec.names[=\"x\"]"};
  EXPECT_EQ(path_texts(set), expected);
}

TEST(FieldSet, IsUnitedWithATextWithoutReadingIt) {
  const char* const texts[] = {
      "{}",
      R"({"f:a":{}})",
      R"({"f:a":{"f:b":{}}})",
      R"({"f:a":{".":{},"f:b":{},"f:d":{}},"f:c":{}})",
      R"({"f:a":{"k:{\"name\":\"x\"}":{".":{},"f:y":{}},"k:{\"port\":443}":{}}})",
      R"({"f:a":{"k:{\"name\":\"w\"}":{},"k:{\"port\":80}":{"f:q":{}}},"f:b":{}})",
  };
  for (const char* a : texts) {
    for (const char* b : texts) {
      EXPECT_EQ(with_more_fields(a, set_of(b)), text_of(united(set_of(a), set_of(b))))
          << a << " and " << b;
    }
  }
}

}  // namespace
}  // namespace ebb::apiserver
