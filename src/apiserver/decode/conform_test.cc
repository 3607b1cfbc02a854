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

// A kind with a field of every sort.
constexpr schema::Field kMetadataFields[] = {
    field(1, "name", Type::kString),
    field(8, "creationTimestamp", Type::kTime),
    map(11, "labels", Type::kString),
};
constexpr schema::ObjectSchema kMetadata{"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
                                         kMetadataFields};

constexpr schema::Field kSourceFields[] = {
    field(1, "path", Type::kString),
    field(2, "emptyDir", kMetadata).optional_zero(),
};
constexpr schema::ObjectSchema kSource{"example.v1.PartSource", kSourceFields};

constexpr schema::Field kPartFields[] = {
    field(1, "name", Type::kString),
    field(2, "source", kSource).inlined(),
    field(3, "last", Type::kInt32),
};
constexpr schema::ObjectSchema kPart{"example.v1.Part", kPartFields};

constexpr schema::Field kSpecFields[] = {
    field(1, "replicas", Type::kInt32).optional_zero(),
    field(2, "paused", Type::kBool),
    field(3, "size", Type::kInt64),
    field(4, "ratio", Type::kDouble),
    field(5, "port", Type::kIntOrString),
    field(6, "secret", Type::kBytes),
    field(7, "renewed", Type::kMicroTime),
    field(8, "memory", Type::kQuantity),
    field(9, "raw", Type::kAny),
    list(10, "args", Type::kString),
    list(11, "parts", kPart),
    map(12, "limits", Type::kQuantity),
    map(13, "byName", kPart),
    field(14, "part", kPart),
    field(15, "started", Type::kTime),
};
constexpr schema::ObjectSchema kSpec{"example.v1.WidgetSpec", kSpecFields};

constexpr schema::Field kWidgetFields[] = {
    field(0, "kind", Type::kString),
    field(0, "apiVersion", Type::kString),
    field(1, "metadata", kMetadata).optional_zero(),
    field(2, "spec", kSpec),
};
constexpr schema::ObjectSchema kWidgetSchema{"example.v1.Widget", kWidgetFields};
constexpr schema::Kind kWidget{.group = "example.com",
                               .version = "v1",
                               .name = "Widget",
                               .plural = "widgets",
                               .schema = &kWidgetSchema};

model::StatusOr<Decoded> decode(std::string_view text,
                                FieldValidation validation = FieldValidation::kStrict) {
  auto parsed = parse_json(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return conform(kWidget, *std::move(parsed), validation);
}

// The conforming spec, or the error, of a widget with this spec.
std::string spec_of(std::string_view spec) {
  const auto decoded = decode(R"({"spec":)" + std::string(spec) + "}");
  if (!decoded) return decoded.error().message;
  const json::value* found = decoded->object.if_contains("spec");
  return found == nullptr ? "absent" : json::serialize(*found);
}

constexpr std::string_view kPrefix = R"(Widget in version "v1" cannot be handled as a Widget: )";

TEST(Conform, PutsFieldsInTheOrderOfTheTable) {
  const auto decoded = decode(R"({"spec":{"parts":[{"last":1,"emptyDir":{},"path":"p","name":"n"}],
    "replicas":2},"metadata":{"labels":{"b":"1","a":"2"},"name":"x"}})");
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(json::serialize(decoded->object),
            R"({"kind":"Widget","apiVersion":"example.com/v1",)"
            R"("metadata":{"name":"x","labels":{"b":"1","a":"2"}},"spec":{"replicas":2,)"
            R"("parts":[{"name":"n","path":"p","emptyDir":{},"last":1}]}})");
}

TEST(Conform, FillsInKindVersionAndMetadata) {
  const auto decoded = decode(R"({"metadata":null})");
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(json::serialize(decoded->object),
            R"({"kind":"Widget","apiVersion":"example.com/v1","metadata":{}})");
}

TEST(Conform, KeepsValuesInTheirCanonicalForm) {
  const struct {
    std::string_view given;
    std::string_view kept;
  } cases[] = {
      {R"({"replicas":-2147483648})", R"({"replicas":-2147483648})"},
      {R"({"size":9223372036854775807})", R"({"size":9223372036854775807})"},
      {R"({"ratio":3.0})", R"({"ratio":3})"},
      {R"({"ratio":2.5})", R"({"ratio":2.5E0})"},
      {R"({"port":80})", R"({"port":80})"},
      {R"({"port":"http"})", R"({"port":"http"})"},
      {R"({"secret":"aGVs\r\nbG9="})", R"({"secret":"aGVsbG8="})"},
      {R"({"started":"2026-11-01T14:00:00.987+02:00"})", R"({"started":"2026-11-01T12:00:00Z"})"},
      {R"({"started":"2500-01-01T00:00:00Z"})", R"({"started":"2500-01-01T00:00:00Z"})"},
      {R"({"renewed":"2026-11-01T12:00:00.1234567Z"})",
       R"({"renewed":"2026-11-01T12:00:00.123456Z"})"},
      {R"({"renewed":"2026-11-01T12:00:00Z"})", R"({"renewed":"2026-11-01T12:00:00.000000Z"})"},
      {R"({"memory":2})", R"({"memory":"2"})"},
      {R"({"memory":0.5})", R"({"memory":"500m"})"},
      {R"({"limits":{"cpu":"0.25"}})", R"({"limits":{"cpu":"250m"}})"},
      {R"({"raw":{"x":[null,0]}})", R"({"raw":{"x":[null,0]}})"},
  };
  for (const auto& c : cases) EXPECT_EQ(spec_of(c.given), c.kept);
}

TEST(Conform, DropsZeroUnlessTheTableKeepsIt) {
  EXPECT_EQ(spec_of(R"({"paused":false,"size":0,"ratio":0.0,"port":0,"secret":"","args":[],
    "parts":[],"limits":{},"part":{},"raw":null,"started":"0001-01-01T00:00:00Z",
    "renewed":null})"),
            "absent");
  EXPECT_EQ(spec_of(R"({"replicas":0,"part":{"emptyDir":{"name":""}}})"),
            R"({"replicas":0,"part":{"emptyDir":{}}})");
}

TEST(Conform, TakesNullInListsAndMapsForZero) {
  EXPECT_EQ(spec_of(R"({"args":[null],"limits":{"cpu":null},"parts":[null],"byName":{"a":null}})"),
            R"({"args":[""],"parts":[{}],"limits":{"cpu":"0"},"byName":{"a":{}}})");
}

TEST(Conform, NamesFieldAndTypeOfAWrongValue) {
  const struct {
    std::string_view spec;
    std::string_view message;
  } cases[] = {
      {R"({"replicas":"2"})", "string into Go struct field WidgetSpec.spec.replicas of type int32"},
      {R"({"replicas":1.0})",
       "number 1.0 into Go struct field WidgetSpec.spec.replicas of type int32"},
      {R"({"replicas":2147483648})",
       "number 2147483648 into Go struct field WidgetSpec.spec.replicas of type int32"},
      {R"({"size":9223372036854775808})",
       "number 9223372036854775808 into Go struct field WidgetSpec.spec.size of type int64"},
      {R"({"paused":"yes"})", "string into Go struct field WidgetSpec.spec.paused of type bool"},
      {R"({"args":"x"})", "string into Go struct field WidgetSpec.spec.args of type []string"},
      {R"({"args":[1]})", "number into Go struct field WidgetSpec.spec.args of type string"},
      {R"({"parts":[{},{"last":true}]})",
       "bool into Go struct field Part.spec.parts.last of type int32"},
      {R"({"parts":{}})", "object into Go struct field WidgetSpec.spec.parts of type []v1.Part"},
      {R"({"part":[]})", "array into Go struct field WidgetSpec.spec.part of type v1.Part"},
      {R"({"part":{"path":1}})", "number into Go struct field Part.spec.part.path of type string"},
      {R"({"byName":{"k":3}})",
       "number into Go struct field WidgetSpec.spec.byName of type v1.Part"},
      {R"({"limits":3})",
       "number into Go struct field WidgetSpec.spec.limits of type map[string]resource.Quantity"},
      {R"({"port":1.5})", "number 1.5 into Go struct field WidgetSpec.spec.port of type int32"},
      {R"({"secret":5})", "number into Go struct field WidgetSpec.spec.secret of type []uint8"},
      {R"({"started":5})", "number into Go struct field WidgetSpec.spec.started of type string"},
      {R"({"ratio":"x"})", "string into Go struct field WidgetSpec.spec.ratio of type float64"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(spec_of(c.spec),
              std::string(kPrefix) + "json: cannot unmarshal " + std::string(c.message));
  }
  EXPECT_EQ(decode(R"({"metadata":{"labels":{"a":1}}})").error().message,
            std::string(kPrefix) +
                "json: cannot unmarshal number into Go struct field "
                "ObjectMeta.metadata.labels of type string");
}

TEST(Conform, NamesThePlaceOfAValueThatItCannotRead) {
  EXPECT_EQ(spec_of(R"({"secret":"aGVs*"})"),
            std::string(kPrefix) + "spec.secret: illegal base64 data at input byte 4");
  EXPECT_EQ(spec_of(R"({"started":"yesterday"})"),
            std::string(kPrefix) +
                R"(spec.started: expected a time such as 2026-11-01T12:00:00Z, got "yesterday")");
  EXPECT_EQ(spec_of(R"({"limits":{"cpu":"lots"}})"),
            std::string(kPrefix) +
                "spec.limits.cpu: quantities must match the regular expression "
                "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

constexpr std::string_view kUntidy =
    R"({"spec":{"foo":1,"replicas":1,"replicas":2,"parts":[{"Name":"x"}],"foo":2},"extra":{}})";

TEST(Conform, RefusesUnknownAndDuplicateFieldsWhenStrict) {
  const auto decoded = decode(kUntidy);
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(decoded.error().code, 400);
  EXPECT_EQ(decoded.error().reason, "BadRequest");
  EXPECT_EQ(decoded.error().message,
            std::string(kPrefix) +
                R"(strict decoding error: unknown field "spec.foo", )"
                R"(unknown field "spec.parts[0].Name", unknown field "extra", )"
                R"(duplicate field "spec.replicas", duplicate field "spec.foo")");
}

TEST(Conform, WarnsOfThemOrIgnoresThemWhenAsked) {
  const auto warned = decode(kUntidy, FieldValidation::kWarn);
  ASSERT_TRUE(warned.has_value());
  EXPECT_EQ(warned->warnings,
            (std::vector<std::string>{
                R"(unknown field "spec.foo")", R"(unknown field "spec.parts[0].Name")",
                R"(unknown field "extra")", R"(duplicate field "spec.replicas")",
                R"(duplicate field "spec.foo")"}));
  const auto ignored = decode(kUntidy, FieldValidation::kIgnore);
  ASSERT_TRUE(ignored.has_value());
  EXPECT_TRUE(ignored->warnings.empty());
  EXPECT_EQ(ignored->object, warned->object);
  EXPECT_EQ(json::serialize(ignored->object.at("spec")), R"({"replicas":2,"parts":[{}]})");
}

TEST(Conform, KeepsOnlyTheFirstHundredUnknownFields) {
  std::string text = "{\"spec\":{";
  for (int i = 0; i < 150; ++i) text += "\"f" + std::to_string(i) + "\":1,";
  text.back() = '}';
  const auto decoded = decode(text + "}", FieldValidation::kWarn);
  ASSERT_TRUE(decoded.has_value());
  EXPECT_EQ(decoded->warnings.size(), 100U);
}

TEST(Conform, RefusesAnotherKindOrVersion) {
  EXPECT_EQ(decode(R"({"apiVersion":"v1"})").error().message,
            "the API version in the data (v1) does not match the expected API version "
            "(example.com/v1)");
  EXPECT_EQ(decode(R"({"kind":"WidgetList","items":[]})").error().message,
            R"(WidgetList in version "v1" cannot be handled as a Widget: converting )"
            "(v1.WidgetList) to (example.com.Widget): unknown conversion");
  EXPECT_EQ(decode(R"({"kind":7})").error().message,
            "the object provided is unrecognized (must be of type Widget): couldn't get "
            "version/kind; json parse error: json: cannot unmarshal number into Go struct field "
            ".kind of type string");
  EXPECT_EQ(decode("[]").error().message,
            "the object provided is unrecognized (must be of type Widget): couldn't get "
            "version/kind; json parse error: json: cannot unmarshal array into Go value of type "
            "struct");
}

}  // namespace
}  // namespace ebb::apiserver
