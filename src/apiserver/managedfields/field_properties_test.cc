// Properties of server-side apply with random configurations.
#include <string>
#include <utility>

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/managedfields/field_manager.h"
#include "apiserver/managedfields/field_walks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

int pick(int below) { return *rc::gen::inRange(0, below); }
bool coin() { return pick(2) == 0; }
std::string pick_name() { return std::string(1, static_cast<char>('a' + pick(4))); }

json::object any_map() {
  json::object map;
  for (const char* key : {"a", "b", "c"}) {
    if (coin()) map[key] = pick_name();
  }
  return map;
}

json::object any_container(const char* name) {
  json::object container{{"name", name}};
  if (coin()) container["image"] = pick_name();
  if (coin()) container["command"] = json::array{pick_name(), pick_name()};
  json::array ports;
  for (const int port : {53, 80, 443}) {
    if (!coin()) continue;
    json::object entry{{"containerPort", port}};
    if (coin()) entry["protocol"] = coin() ? "UDP" : "TCP";
    ports.emplace_back(std::move(entry));
  }
  if (!ports.empty()) container["ports"] = std::move(ports);
  return container;
}

// A part of a pod: maps, atomic maps, sets, lists by one key and by two, atomic lists.
json::object any_configuration() {
  json::object metadata;
  if (coin()) metadata["labels"] = any_map();
  json::array finalizers;
  for (const char* name : {"x/a", "x/b"}) {
    if (coin()) finalizers.emplace_back(name);
  }
  if (!finalizers.empty()) metadata["finalizers"] = std::move(finalizers);
  json::object spec;
  if (coin()) spec["nodeName"] = pick_name();
  if (coin()) spec["nodeSelector"] = any_map();
  json::array containers;
  for (const char* name : {"m", "n", "o"}) {
    if (coin()) {
      containers.insert(containers.begin() + pick(static_cast<int>(containers.size()) + 1),
                        any_container(name));
    }
  }
  if (!containers.empty()) spec["containers"] = std::move(containers);
  json::object configuration;
  if (!metadata.empty()) configuration["metadata"] = std::move(metadata);
  if (!spec.empty()) configuration["spec"] = std::move(spec);
  return configuration;
}

const schema::Kind& kind() { return *schema::find_kind("v1", "Pod"); }
const schema::ObjectSchema& schema() { return *kind().schema; }

FieldWrite by(std::string_view name) {
  static const FieldSet kNothing;
  return {.kind = kind(),
          .manager = {.name = std::string(name),
                      .applies = true,
                      .api_version = "v1",
                      .subresource = {}},
          .now = "2026-01-01T00:00:00Z",
          .ignored = kNothing};
}

struct State {
  json::object object;
  ManagedFields managed;
};

State forced(const State& state, std::string_view who, const json::object& configuration) {
  auto applied = apply_fields(by(who), state.managed, state.object, configuration, true);
  RC_ASSERT(applied.has_value());
  return {.object = std::move(applied->object), .managed = std::move(applied->managed)};
}

FieldSet owned_by(const State& state, std::string_view who) {
  const ManagedEntry* entry = state.managed.find(by(who).manager);
  return entry == nullptr ? FieldSet() : entry->owned.set();
}

RC_GTEST_PROP(ApplyProperties, ApplyingTwiceIsApplyingOnce, ()) {
  const State start = forced({}, "B", any_configuration());
  const json::object configuration = any_configuration();
  const State once = forced(start, "A", configuration);
  const State twice = forced(once, "A", configuration);
  RC_ASSERT(json::serialize(twice.object) == json::serialize(once.object));
  RC_ASSERT(twice.managed.encode() == once.managed.encode());
  // An applier never conflicts with itself.
  RC_ASSERT(apply_fields(by("A"), once.managed, once.object, configuration, false).has_value());
}

RC_GTEST_PROP(ApplyProperties, WhatOneAppliedAndTheOtherDidNotTouchStaysItsOwn, ()) {
  const json::object first = any_configuration();
  const json::object second = any_configuration();
  const State before = forced({}, "A", first);
  const State after = forced(before, "B", second);
  const FieldSet untouched = difference(owned_by(before, "A"), fields_of(schema(), second));
  RC_ASSERT(difference(untouched, owned_by(after, "A")).empty());
  RC_ASSERT(owned_by(after, "B") == fields_of(schema(), second));
}

RC_GTEST_PROP(ApplyProperties, TheOnlyOwnerTakesItsFieldsWithIt, ()) {
  const State state = forced({}, "A", any_configuration());
  const State left = forced(state, "A", {});
  RC_ASSERT(left.managed.empty());
  const FieldSet places = fields_of(schema(), left.object);
  RC_ASSERT(intersection(places, owned_by(state, "A")).empty());
}

RC_GTEST_PROP(ApplyProperties, OneOfTwoTakesOnlyWhatIsNotTheOthers, ()) {
  const State both = forced(forced({}, "A", any_configuration()), "B", any_configuration());
  const State left = forced(both, "A", {});
  const FieldSet others = owned_by(both, "B");
  RC_ASSERT(difference(others, fields_of(schema(), left.object)).empty());
  RC_ASSERT(owned_by(left, "B") == others);
}

RC_GTEST_PROP(ApplyProperties, AChangeIsWhatLiesBetweenTwoStates, ()) {
  const json::object before = any_configuration();
  const json::object after = any_configuration();
  RC_ASSERT(compare_fields(schema(), before, before).empty());
  const FieldChanges changes = compare_fields(schema(), before, after);
  const FieldChanges back = compare_fields(schema(), after, before);
  RC_ASSERT(changes.added == back.removed);
  RC_ASSERT(changes.modified == back.modified);
}

}  // namespace
}  // namespace ebb::apiserver
