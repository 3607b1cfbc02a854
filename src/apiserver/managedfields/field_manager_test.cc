// The owners of fields after writes, on small config maps and pods.
#include "apiserver/managedfields/field_manager.h"

#include <algorithm>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "schema/core/json.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

const FieldSet kNothing;

FieldWrite by(std::string_view name, bool applies) {
  return {.kind = *schema::find_kind("v1", "ConfigMap"),
          .manager = {.name = std::string(name),
                      .applies = applies,
                      .api_version = "v1",
                      .subresource = {}},
          .now = "2026-01-01T00:00:00Z",
          .ignored = kNothing};
}

json::object data(std::string_view text) { return {{"data", json::parse(text)}}; }

// The managers in short form: A:{"f:data":{"f:a":{}}} for an applier, a: for an updater.
std::string owners(const ManagedFields& managed) {
  std::string text;
  const json::value entries = json::parse(managed.encode());
  for (const json::value& entry : entries.as_array()) {
    if (!text.empty()) text += ' ';
    text += schema::text_at(entry.get_object(), {"manager"});
    text += ':';
    text += json::serialize(entry.at("fieldsV1"));
  }
  return text;
}

struct State {
  json::object object;
  ManagedFields managed;
};

State applied(State state, std::string_view who, std::string_view text, bool force = false) {
  auto result = apply_fields(by(who, true), state.managed, state.object, data(text), force);
  EXPECT_TRUE(result) << who << " " << text;
  if (!result) return state;
  return {.object = std::move(result->object), .managed = std::move(result->managed)};
}

State updated(State state, std::string_view who, std::string_view text) {
  json::object wanted = data(text);
  ManagedFields managed = track_update(by(who, false), state.managed, state.object, wanted);
  return {.object = std::move(wanted), .managed = std::move(managed)};
}

std::string many_keys(char letter, std::string_view value) {
  json::object keys;
  for (int i = 0; i < 20000; ++i) keys.emplace(letter + std::to_string(i * 7919 % 20000), value);
  return json::serialize(keys);
}

// All requests wait while one is handled, so its time must be proportional to its length. If every
// key were compared with every other, this would take minutes.
TEST(FieldManager, KeepsTrackOfTensOfThousandsOfKeys) {
  State state = applied({}, "A", many_keys('a', "1"));
  state = applied(std::move(state), "B", many_keys('b', "1"));
  state = applied(std::move(state), "B", many_keys('b', "2"));
  state = updated(std::move(state), "c", many_keys('a', "3"));
  state = updated(std::move(state), "c", many_keys('a', "4"));
  const std::string text = owners(state.managed);
  EXPECT_TRUE(text.starts_with(R"(c:{"f:data":{"f:a0":{},"f:a1":{},"f:a10":{},)"))
      << text.substr(0, 200);
  EXPECT_EQ(std::count(text.begin(), text.end(), 'f'), 20001);
}

TEST(FieldManager, LetsAnApplierOwnWhatItMentions) {
  const State state = applied({}, "A", R"({"a":"1","b":"2"})");
  EXPECT_EQ(owners(state.managed), R"(A:{"f:data":{"f:a":{},"f:b":{}}})");
}

TEST(FieldManager, TakesAwayWhatAnApplierStopsMentioning) {
  State state = applied({}, "A", R"({"a":"1","b":"2"})");
  state = applied(std::move(state), "A", R"({"a":"1"})");
  EXPECT_EQ(state.object, data(R"({"a":"1"})"));
  EXPECT_EQ(owners(state.managed), R"(A:{"f:data":{"f:a":{}}})");
}

TEST(FieldManager, SharesWhatTwoApplyAlike) {
  State state = applied({}, "A", R"({"a":"1"})");
  state = applied(std::move(state), "B", R"({"a":"1","b":"2"})");
  EXPECT_EQ(owners(state.managed), R"(A:{"f:data":{"f:a":{}}} B:{"f:data":{"f:a":{},"f:b":{}}})");
  state = applied(std::move(state), "A", R"({})");
  EXPECT_EQ(state.object, data(R"({"a":"1","b":"2"})"));
  EXPECT_EQ(owners(state.managed), R"(A:{"f:data":{}} B:{"f:data":{"f:a":{},"f:b":{}}})");
}

TEST(FieldManager, RefusesConflictsUnlessForced) {
  const State state = applied({}, "A", R"({"a":"1","b":"1"})");
  const auto refused =
      apply_fields(by("B", true), state.managed, state.object, data(R"({"a":"2","b":"1"})"), false);
  ASSERT_FALSE(refused);
  ASSERT_EQ(refused.error().size(), 1U);
  EXPECT_EQ(refused.error()[0].manager.name, "A");
  EXPECT_EQ(path_texts(refused.error()[0].fields), std::vector<std::string>{".data.a"});
  const State forced = applied(state, "B", R"({"a":"2","b":"1"})", true);
  EXPECT_EQ(owners(forced.managed), R"(A:{"f:data":{"f:b":{}}} B:{"f:data":{"f:a":{},"f:b":{}}})");
}

TEST(FieldManager, GivesWhatAnUpdateChangesToTheUpdater) {
  State state = applied({}, "A", R"({"a":"1","b":"1","c":"1"})");
  state = updated(std::move(state), "U", R"({"a":"2","b":"1","d":"1"})");
  EXPECT_EQ(owners(state.managed), R"(A:{"f:data":{"f:b":{}}} U:{"f:data":{"f:a":{},"f:d":{}}})");
}

TEST(FieldManager, KeepsFieldsWithoutAnOwner) {
  // Fields that existed before managers were tracked belong to a separate updater.
  State state{.object = data(R"({"x":"1"})"), .managed = {}};
  state = applied(std::move(state), "A", R"({"a":"1"})");
  state = applied(std::move(state), "A", R"({})");
  EXPECT_EQ(state.object, data(R"({"x":"1"})"));
  EXPECT_EQ(owners(state.managed),
            R"(A:{"f:data":{}} before-first-apply:{"f:data":{".":{},"f:x":{}}})");
}

TEST(FieldManager, MergesTheOldestUpdatesOnceThereAreTooMany) {
  State state = updated({}, "u00", R"({"k":"00"})");
  for (const char* who : {"u01", "u02", "u03", "u04", "u05", "u06", "u07", "u08", "u09", "u10"}) {
    json::object wanted = state.object;
    wanted["data"].as_object()[who] = "1";
    state = updated(std::move(state), who, json::serialize(wanted["data"]));
  }
  EXPECT_EQ(state.managed.entries().size(), 10U);
  EXPECT_TRUE(owners(state.managed)
                  .starts_with(R"(ancient-changes:{"f:data":{".":{},"f:k":{},"f:u01":{}}})"));
}

TEST(FieldManager, LeavesTheTimeWhereNothingIsTaken) {
  State state = updated({}, "U", R"({"a":"1"})");
  FieldWrite later = by("U", false);
  later.now = "2026-01-01T00:00:09Z";
  const ManagedFields same = track_update(later, state.managed, state.object, data(R"({"a":"1"})"));
  EXPECT_EQ(same.entries().at(0).time, "2026-01-01T00:00:00Z");
  const ManagedFields changed =
      track_update(later, state.managed, state.object, data(R"({"a":"2"})"));
  EXPECT_EQ(changed.entries().at(0).time, "2026-01-01T00:00:09Z");
}

}  // namespace
}  // namespace ebb::apiserver
