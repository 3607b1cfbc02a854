#include "schema/protobuf/protobuf.h"

#include <algorithm>
#include <set>
#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "base/wire_writer.h"
#include "schema/core/envelope.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::schema {
namespace {

using enum Type;

constexpr Field kSourceFields[] = {
    field(1, "emptyDir", kString).optional_zero(),
    field(2, "secret", kString),
};
constexpr ObjectSchema kSource{"test.Source", kSourceFields};
constexpr Field kPartFields[] = {
    field(1, "name", kString),
    field(2, "source", kSource).inlined(),
};
constexpr ObjectSchema kPart{"test.Part", kPartFields};
constexpr Field kThingFields[] = {
    kKindField,
    field(1, "text", kString),
    field(2, "count", kInt32),
    field(3, "wanted", kInt32).optional_zero(),
    field(4, "on", kBool),
    field(5, "at", kTime),
    field(6, "exactly", kMicroTime),
    field(7, "amount", kQuantity),
    field(8, "port", kIntOrString),
    field(9, "raw", kAny),
    field(10, "bytes", kBytes),
    field(11, "real", kDouble),
    list(12, "texts", kString),
    map(13, "labels", kString),
    list(14, "parts", kPart),
    map(15, "amounts", kQuantity),
    field(16, "part", kPart),
    field(17, "kept", kPart).optional_zero(),
    map(18, "data", kBytes),
    field(19, "long", kInt64),
};
constexpr ObjectSchema kThing{"test.Thing", kThingFields};

json::object parsed(std::string_view text) { return json::parse(text).as_object(); }

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4U];
    hex += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return hex;
}

struct Pair {
  std::string_view json;
  std::string_view hex;
};

TEST(Protobuf, WritesAndReadsEveryType) {
  const Pair pairs[] = {
      {R"({})", ""},
      {R"({"text":"ab"})", "0a026162"},
      {R"({"text":"é"})", "0a02c3a9"},
      {R"({"count":3})", "1003"},
      {R"({"count":-1})", "10ffffffffffffffffff01"},
      {R"({"long":-9223372036854775808})", "980180808080808080808001"},
      {R"({"wanted":0})", "1800"},
      {R"({"on":true})", "2001"},
      {R"({"at":"1970-01-01T00:00:00Z"})", "2a0408001000"},
      {R"({"at":"2026-11-01T12:00:00Z"})", "2a0808c0d39cd7061000"},
      {R"({"exactly":"1969-12-31T23:59:59.500000Z"})", "321108ffffffffffffffffff011080cab5ee01"},
      {R"({"amount":"500m"})", "3a060a043530306d"},
      {R"({"port":8080})", "4205080010903f"},
      {R"({"port":"http"})", "420808011a0468747470"},
      {R"({"raw":{"f:a":{}}})", "4a0c0a0a7b22663a61223a7b7d7d"},
      {R"({"bytes":"AP8="})", "520200ff"},
      {R"({"real":5E-1})", "59000000000000e03f"},
      {R"({"texts":["a",""]})", "6201616200"},
      {R"({"labels":{"a":"b","c":""}})", "6a060a01611201626a050a01631200"},
      {R"({"amounts":{"cpu":"1"}})", "7a0a0a0363707512030a0131"},
      {R"({"parts":[{},{"name":"a","emptyDir":""}]})", "720072070a016112020a00"},
      {R"({"kept":{}})", "8a0100"},
      {R"({"data":{"k":""}})", "9201050a016b1200"},
  };
  for (const Pair& pair : pairs) {
    const json::object object = parsed(pair.json);
    const EncodedMessage encoded = encode_message(kThing, object);
    EXPECT_EQ(encoded.lost, "") << pair.json;
    EXPECT_EQ(to_hex(encoded.bytes), pair.hex) << pair.json;
    const auto decoded = decode_message(kThing, from_hex(pair.hex));
    ASSERT_TRUE(decoded) << pair.json << ": " << decoded.error().message;
    EXPECT_EQ(json::serialize(*decoded), pair.json);
  }
}

TEST(Protobuf, ReadsWhatOthersWriteDifferently) {
  const Pair pairs[] = {
      // Zero values that Go writes always.
      {R"({})", "0a00"},
      {R"({})", "1000"},
      {R"({})", "2000"},
      {R"({})", "2a00"},
      {R"({})", "2a0d088092b8c398feffffff011000"},  // the year 1
      {R"({})", "8201060a0012021200"},              // a part in which everything is zero
      {R"({"amount":"0"})", "3a00"},
      // Unknown fields of every wire type.
      {R"({"count":3})", "f80107f9010000000000000000fa010161fd01000000001003"},
      // The last of a number counts, and messages are merged.
      {R"({"count":4})", "10031004"},
      {R"({})", "10031000"},
      {R"({"kept":{"name":"a","secret":"s"}})", "8a01030a01618a01051203120173"},
      // More than 32 bits are cut off.
      {R"({"count":1})", "108180808010"},
      // Entries of maps the other way round, without a value, and twice.
      {R"({"labels":{"a":"b"}})", "6a061201620a0161"},
      {R"({"labels":{"a":""}})", "6a030a0161"},
      {R"({"labels":{"a":"c"}})", "6a060a01611201626a060a0161120163"},
  };
  for (const Pair& pair : pairs) {
    const auto decoded = decode_message(kThing, from_hex(pair.hex));
    ASSERT_TRUE(decoded) << pair.hex << ": " << decoded.error().message;
    EXPECT_EQ(json::serialize(*decoded), pair.json) << pair.hex;
  }
}

TEST(Protobuf, RefusesNonsenseByItsPlace) {
  struct Case {
    std::string_view hex;
    std::string_view message;
  };
  const Case cases[] = {
      {"0a05", "the message: is truncated or not valid protobuf"},
      {"0a", "the message: is truncated or not valid protobuf"},
      {"ffffffffffffffffffffff", "the message: is truncated or not valid protobuf"},
      {"0b", "the message: is truncated or not valid protobuf"},    // a group
      {"0001", "the message: is truncated or not valid protobuf"},  // field 0
      {"0801", "text: has the wrong protobuf type"},
      {"120161", "count: has the wrong protobuf type"},
      {"0a02c328", "text: is not valid UTF-8"},
      {"72030a01ff", "parts[0].name: is not valid UTF-8"},
      {"720072020a05", "parts[1]: is truncated or not valid protobuf"},
      {"6a050a01ff1200", "labels: has a key that is not valid UTF-8"},
      {"6a030a0561", "labels: is truncated or not valid protobuf"},
      {"2a0208052a020a05", "at: is truncated or not valid protobuf"},
      {"2a0c08ffffffffffffffff7f1000", "at: is not a time between 1678 and 2262"},
      {"2a0d080010ffffffffffffffffff01", "at: is not a time between 1678 and 2262"},
      {"42020805", "port: is neither a number nor a string"},
      {"4a030a017b", "raw: is not valid JSON"},
      {"59000000000000f07f", "real: is not a number that JSON can represent"},
  };
  for (const Case& each : cases) {
    const auto decoded = decode_message(kThing, from_hex(each.hex));
    ASSERT_FALSE(decoded) << each.hex;
    EXPECT_EQ(decoded.error().message, each.message) << each.hex;
  }
}

TEST(Protobuf, SaysWhatIsLost) {
  struct Case {
    std::string_view json;
    std::string_view lost;
  };
  const Case cases[] = {
      {R"({"kind":"Thing","text":null})", ""},
      {R"({"other":1})", "other: is not known"},
      {R"({"parts":[{"name":"a"},{"source":{}}]})", "parts[1].source: is not known"},
      {R"({"text":1})", "text: does not fit"},
      {R"({"count":4294967296})", "count: does not fit"},
      {R"({"texts":{}})", "texts: is not a list"},
      {R"({"labels":[]})", "labels: is not a map"},
      {R"({"labels":{"a":1}})", "labels.a: does not fit"},
      {R"({"part":1})", "part: is not an object"},
      {R"({"at":"yesterday"})", "at: does not fit"},
      {R"({"at":"9999-12-31T23:59:59Z"})", "at: does not fit"},
      {R"({"bytes":"?"})", "bytes: does not fit"},
      {R"({"port":1.5})", "port: does not fit"},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(encode_message(kThing, parsed(each.json)).lost, each.lost) << each.json;
  }
}

TEST(Protobuf, KeepsThePlacesOfNullInLists) {
  const EncodedMessage encoded =
      encode_message(kThing, parsed(R"({"texts":["a",null],"parts":[null],"labels":{"a":null}})"));
  EXPECT_EQ(encoded.lost, "");
  const auto decoded = decode_message(kThing, encoded.bytes);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(json::serialize(*decoded), R"({"texts":["a",""],"labels":{"a":""},"parts":[{}]})");
}

TEST(Protobuf, WritesLongMessagesInPlace) {
  for (const std::size_t size : {125U, 126U, 127U, 128U, 16380U, 16384U, 100000U}) {
    const json::object object{{"part", json::object{{"name", std::string(size, 'x')}}}};
    const auto decoded = decode_message(kThing, encode_message(kThing, object).bytes);
    ASSERT_TRUE(decoded) << size;
    EXPECT_EQ(*decoded, object) << size;
  }
}

std::size_t depth_of(const ObjectSchema& schema, std::set<const ObjectSchema*>& above) {
  EXPECT_TRUE(above.insert(&schema).second) << schema.name << " holds itself";
  std::size_t deepest = 0;
  for (const Field& each : schema.fields) {
    if (each.schema != nullptr && above.count(each.schema) == 0) {
      deepest = std::max(deepest, depth_of(*each.schema, above));
    } else {
      EXPECT_EQ(each.schema, nullptr) << schema.name << "." << each.name << " makes a cycle";
    }
  }
  above.erase(&schema);
  return deepest + 1;
}

TEST(Protobuf, IsAsDeepAsTheTable) {
  for (const Kind& kind : kinds()) {
    std::set<const ObjectSchema*> above;
    EXPECT_LT(depth_of(*kind.schema, above), 20U) << kind.name;
  }
}

TEST(Envelope, HoldsTypeAndMessage) {
  const std::string bytes = in_envelope("apps/v1", "Deployment", "xyz");
  const auto envelope = open_envelope(bytes);
  ASSERT_TRUE(envelope) << envelope.error().message;
  EXPECT_EQ(envelope->api_version, "apps/v1");
  EXPECT_EQ(envelope->kind, "Deployment");
  EXPECT_EQ(envelope->message, "xyz");
}

TEST(Envelope, RefusesBytesThatAreNotAnEnvelope) {
  EXPECT_FALSE(open_envelope(""));
  EXPECT_FALSE(open_envelope("{}"));
  EXPECT_FALSE(open_envelope("k8s"));
  const std::string whole = in_envelope("v1", "Pod", "xyz");
  for (std::size_t size = kProtobufMagic.size() + 1; size < whole.size(); ++size) {
    const auto envelope = open_envelope(std::string_view(whole).substr(0, size));
    // Cut between fields it is whole again, but without a message.
    if (envelope) {
      EXPECT_EQ(envelope->message, "") << size;
    }
  }
}

}  // namespace
}  // namespace ebb::schema
