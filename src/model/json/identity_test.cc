#include "model/json/identity.h"

#include <string>

#include <gtest/gtest.h>

#include "support/objects/wire_encoder.h"

namespace ebb::model {
namespace {

using testing::append_field;
using Owner = Identity::Owner;

// Of a type that protobuf does not have.
const std::string kNonsense = "\x27";

std::string reference(std::string_view name, bool controller) {
  std::string message;
  append_field(message, 1, std::string_view("ReplicaSet"));
  append_field(message, 3, name);
  append_field(message, 4, std::string_view("set-uid"));
  append_field(message, 5, std::string_view("apps/v1"));
  if (controller) append_field(message, 6, std::uint64_t{1});
  return message;
}

std::string metadata() {
  std::string message;
  append_field(message, 1, std::string_view("web-1"));
  append_field(message, 3, std::string_view("shop"));
  append_field(message, 5, std::string_view("u1"));
  append_field(message, 6, std::string_view("42"));
  return message;
}

std::string object(const std::string& metadata, const std::string& rest = {}) {
  std::string message;
  append_field(message, 1, metadata);
  return message + rest;
}

void expect_web_1(const Identity& identity) {
  EXPECT_EQ(identity.name, "web-1");
  EXPECT_EQ(identity.namespace_name, "shop");
  EXPECT_EQ(identity.uid, "u1");
  EXPECT_EQ(identity.revision, 42U);
}

TEST(Identity, IsReadFromProtobufWhateverComesAfterTheMetadata) {
  std::string owned = metadata();
  append_field(owned, 13, reference("other", false));
  append_field(owned, 13, reference("web", true));
  append_field(owned, 13, reference("second", true));
  for (const std::string& rest : {std::string(), kNonsense, std::string("\x12\x7f", 2)}) {
    const std::string message = object(owned, rest);
    const Identity identity = identity_in_protobuf(message);
    expect_web_1(identity);
    EXPECT_EQ(identity.owner, Owner::kKnown);
    EXPECT_EQ(identity.owner_group, "apps");
    EXPECT_EQ(identity.owner_kind, "ReplicaSet");
    EXPECT_EQ(identity.owner_name, "web");
    EXPECT_EQ(identity.owner_uid, "set-uid");
  }
  const std::string orphan = object(metadata(), kNonsense);
  EXPECT_EQ(identity_in_protobuf(orphan).owner, Owner::kNone);
}

TEST(Identity, KeepsWhatCameBeforeTheMetadataMadeNoSense) {
  std::string owned = metadata();
  append_field(owned, 13, reference("web", true));
  const std::string damaged_behind = object(owned + kNonsense);
  expect_web_1(identity_in_protobuf(damaged_behind));
  EXPECT_EQ(identity_in_protobuf(damaged_behind).owner, Owner::kUnclear);
  std::string damaged_owner = metadata();
  append_field(damaged_owner, 13, reference("web", true) + kNonsense);
  const std::string message = object(damaged_owner);
  expect_web_1(identity_in_protobuf(message));
  EXPECT_EQ(identity_in_protobuf(message).owner, Owner::kUnclear);
}

TEST(Identity, IsEmptyIfTheObjectHasNoValidName) {
  std::string long_name;
  append_field(long_name, 1, std::string(300, 'x'));
  std::string no_text;
  append_field(no_text, 1, std::string_view("\xff"));
  for (const std::string& message : {std::string(), kNonsense, std::string("\x0f\x01x", 3),
                                     object(long_name), object(no_text)}) {
    EXPECT_EQ(identity_in_protobuf(message).name, "");
  }
  for (const char* json : {"", "{}", "[]", "7", R"({"metadata":7})", R"({"metadata":{"name":7}})",
                           R"({"metadata":{"name":"a\u0062"}})"}) {
    EXPECT_EQ(identity_in_json(json).name, "") << json;
  }
}

TEST(Identity, IsReadFromJsonThatCannotBeParsed) {
  const std::string json =
      R"({"metadata":{"name":"web-1","namespace":"shop","uid":"u1","resourceVersion":"42",)"
      R"("ownerReferences":[{"kind":"Job","name":"x","uid":"y"},)"
      R"({"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"set-uid",)"
      R"("controller":true}],)"
      "\"annotations\":{\"a\":\"\xff\"}},\"spec\":nonsense}";
  const Identity identity = identity_in_json(json);
  expect_web_1(identity);
  EXPECT_EQ(identity.owner, Owner::kKnown);
  EXPECT_EQ(identity.owner_group, "apps");
  EXPECT_EQ(identity.owner_name, "web");
}

TEST(Identity, SaysWhenTheOwnersInJsonAreUnclear) {
  const auto owner_of = [](std::string_view references) {
    const std::string json = R"({"metadata":{"name":"a")" + std::string(references) + "}}";
    return identity_in_json(json).owner;
  };
  EXPECT_EQ(owner_of(""), Owner::kNone);
  EXPECT_EQ(owner_of(R"(,"ownerReferences":null)"), Owner::kNone);
  EXPECT_EQ(owner_of(R"(,"ownerReferences":[])"), Owner::kNone);
  EXPECT_EQ(owner_of(R"(,"ownerReferences":[{"kind":"Job"}])"), Owner::kNone);
  EXPECT_EQ(owner_of(R"(,"ownerReferences":7)"), Owner::kUnclear);
  EXPECT_EQ(owner_of(R"(,"ownerReferences":[7])"), Owner::kUnclear);
  // The second reference might be that of the controller.
  EXPECT_EQ(owner_of(R"(,"ownerReferences":[{"kind":"Job"},,{"controller":true}])"),
            Owner::kUnclear);
  EXPECT_EQ(owner_of(R"(,ownerReferences":[{"controller":true}])"), Owner::kUnclear);
}

// Behind a lost quote, what was inside strings is outside, and a brace in the key of a managed
// field closes the metadata too early.
TEST(Identity, IsUnclearIfTheDamageHidesTheOwnersInJson) {
  const std::string json =
      "{\"metadata\":{\"name\":\"a\",\"uid\":\"u\",\xffownerReferences\":[{\"kind\":\"ReplicaSet\","
      R"("controller":true}],"managedFields":[{"fieldsV1":{"k:{\"type\":\"Ready\"}":{".":{}}}}]},)"
      R"("spec":{}})";
  const Identity identity = identity_in_json(json);
  EXPECT_EQ(identity.name, "a");
  EXPECT_EQ(identity.uid, "u");
  EXPECT_EQ(identity.owner, Owner::kUnclear);
}

}  // namespace
}  // namespace ebb::model
