#include <string>
#include <string_view>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "apiserver/decode/decode.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using schema::field;
using schema::list;
using schema::map;
using schema::Type;

void policy_of_image(json::object& container) {
  const json::value* image = container.if_contains("image");
  container["pullPolicy"] = image == nullptr ? "Never" : "Always";
}

void note_completion(json::object& object) { object["completed"] = object.contains("strategy"); }

constexpr schema::Field kCheckFields[] = {
    field(1, "path", Type::kString).by_default(R"("/")"),
};
constexpr schema::ObjectSchema kCheck{"v1.Check", kCheckFields};

constexpr schema::Field kContainerFields[] = {
    field(1, "image", Type::kString),
    field(2, "pullPolicy", Type::kString).by_default(policy_of_image),
    field(3, "check", kCheck).inlined(),
};
constexpr schema::ObjectSchema kContainer{"v1.Container", kContainerFields};

constexpr schema::Field kStrategyFields[] = {
    field(1, "type", Type::kString).by_default(R"("RollingUpdate")"),
};
constexpr schema::ObjectSchema kStrategy{"v1.Strategy", kStrategyFields};

constexpr schema::Field kSpecFields[] = {
    field(1, "replicas", Type::kInt32).by_default("1"),
    list(2, "containers", kContainer),
    map(3, "byName", kContainer),
    field(4, "strategy", kStrategy).by_default("{}"),
    field(5, "other", kStrategy),
    field(6, "completed", Type::kBool),
};
constexpr schema::ObjectSchema kSpec{
    .name = "v1.Spec", .fields = kSpecFields, .complete = note_completion};

json::object with_defaults(std::string_view text) {
  json::object object = json::parse(text).as_object();
  apply_defaults(kSpec, object);
  return object;
}

TEST(Defaults, FillInAbsentFieldsAndTheObjectsThatTheyCreate) {
  EXPECT_EQ(with_defaults("{}"), json::parse(R"({"replicas":1,"strategy":{"type":"RollingUpdate"},
    "completed":true})"));
}

TEST(Defaults, LeaveWhatIsThere) {
  const std::string_view text =
      R"({"replicas":0,"strategy":{"type":"Recreate"},"other":{"type":""},"completed":true})";
  EXPECT_EQ(with_defaults(text), json::parse(text));
}

TEST(Defaults, ReachIntoListsMapsAndInlinedShapes) {
  const json::object object = with_defaults(
      R"({"containers":[{"image":"a"},{"pullPolicy":"X","path":"/p"}],"byName":{"b":{}}})");
  EXPECT_EQ(object.at("containers"), json::parse(R"([{"image":"a","path":"/","pullPolicy":"Always"},
                            {"pullPolicy":"X","path":"/p"}])"));
  EXPECT_EQ(object.at("byName"), json::parse(R"({"b":{"path":"/","pullPolicy":"Never"}})"));
}

TEST(Defaults, DoNothingTheSecondTime) {
  json::object object = with_defaults(R"({"containers":[{"image":"a"},{}],"other":{}})");
  json::object again = object;
  apply_defaults(kSpec, again);
  EXPECT_EQ(again, object);
}

}  // namespace
}  // namespace ebb::apiserver
