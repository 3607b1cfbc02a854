#include "model/json/json_value.h"

#include <gtest/gtest.h>

#include "schema/core/time.h"

namespace ebb::model {
namespace {

// Reads the member `a` of a document and keeps what was reported.
class JsonValueTest : public ::testing::Test {
 protected:
  template <class Read>
  auto read(std::string_view json, Read read) {
    const simdjson::padded_string padded(json);
    DecodeContext context(pool_);
    const JsonValue root(context, parser_.parse(padded).value());
    const auto [a] = root.members({"a"});
    auto result = read(a);
    problem_ = context.problem().value_or("");
    return result;
  }

  Pool pool_;
  simdjson::dom::parser parser_;
  std::string problem_;
};

TEST_F(JsonValueTest, NullMeansAbsentForEveryType) {
  for (const std::string_view json : {R"({"a":null})", "{}"}) {
    EXPECT_FALSE(read(json, [](const JsonValue& a) { return a.present(); }));
    EXPECT_EQ(read(json, [](const JsonValue& a) { return std::string(a.string()); }), "");
    EXPECT_EQ(read(json, [](const JsonValue& a) { return a.boolean(); }), false);
    EXPECT_EQ(read(json, [](const JsonValue& a) { return a.int32(); }), std::nullopt);
    EXPECT_TRUE(read(json, [](const JsonValue& a) { return a.time(); }).is_zero());
    EXPECT_TRUE(read(json, [](const JsonValue& a) { return a.labels(); })->labels.empty());
    EXPECT_EQ(read(json,
                   [](const JsonValue& a) {
                     int items = 0;
                     a.each_item([&](const JsonValue&) { ++items; });
                     a.each_member([&](const JsonValue&) { ++items; });
                     return items;
                   }),
              0);
    EXPECT_EQ(problem_, "") << json;
  }
}

TEST_F(JsonValueTest, TellsNullFromAMemberThatIsNotThere) {
  const auto exists = [](const JsonValue& a) { return a.exists(); };
  EXPECT_TRUE(read(R"({"a":null})", exists));
  EXPECT_FALSE(read("{}", exists));
}

TEST_F(JsonValueTest, ReadsEachType) {
  EXPECT_EQ(read(R"({"a":"x\u00e4"})", [](const JsonValue& a) { return std::string(a.string()); }),
            "xä");
  EXPECT_TRUE(read(R"({"a":true})", [](const JsonValue& a) { return a.boolean(); }));
  EXPECT_EQ(read(R"({"a":-2147483648})", [](const JsonValue& a) { return a.int32(); }),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(read(R"({"a":2147483647})", [](const JsonValue& a) { return a.count(); }),
            std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(schema::format_time(read(R"({"a":"2026-11-01T13:00:00+01:00"})",
                                     [](const JsonValue& a) { return a.time(); })),
            "2026-11-01T12:00:00Z");
  EXPECT_EQ(problem_, "");
}

TEST_F(JsonValueTest, SaysWhatWasExpectedAndWhatWasFound) {
  struct Case {
    std::string_view json;
    void (*read)(const JsonValue&);
    std::string_view problem;
  };
  const auto string = [](const JsonValue& a) { (void)a.string(); };
  const auto boolean = [](const JsonValue& a) { (void)a.boolean(); };
  const auto int32 = [](const JsonValue& a) { (void)a.int32(); };
  const auto count = [](const JsonValue& a) { (void)a.count(); };
  const auto time = [](const JsonValue& a) { (void)a.time(); };
  const auto required = [](const JsonValue& a) { (void)a.required(); };
  const auto labels = [](const JsonValue& a) { (void)a.labels(); };
  const auto items = [](const JsonValue& a) { a.each_item([](const JsonValue&) {}); };
  const Case cases[] = {
      {R"({"a":5})", string, "a: expected a string, got a number"},
      {R"({"a":"true"})", boolean, "a: expected a boolean, got a string"},
      {R"({"a":true})", int32, "a: expected an integer, got a boolean"},
      {R"({"a":2147483648})", int32, "a: expected a 32-bit integer, got 2147483648"},
      {R"({"a":-2147483649})", int32, "a: expected a 32-bit integer, got -2147483649"},
      {R"({"a":1.5})", int32, "a: expected a 32-bit integer, got 1.5"},
      {R"({"a":18446744073709551615})", int32,
       "a: expected a 32-bit integer, got 1.8446744073709552e+19"},
      {R"({"a":-1})", count, "a: must not be negative, got -1"},
      {R"({"a":5})", time, "a: expected a time such as 2026-11-01T12:00:00Z, got a number"},
      {R"({"a":"noon"})", time, "a: expected a time such as 2026-11-01T12:00:00Z, got \"noon\""},
      {"{}", required, "a: is missing"},
      {R"({"a":null})", required, "a: is missing"},
      {R"({"a":""})", required, "a: must not be empty"},
      {R"({"a":{}})", required, "a: expected a string, got an object"},
      {R"({"a":[]})", labels, "a: expected an object, got a list"},
      {R"({"a":{"x":1}})", labels, "a.x: expected a string, got a number"},
      {R"({"a":{"x/y.z":[]}})", labels, "a[x/y.z]: expected a string, got a list"},
      {R"({"a":{"x":"1","y":"1","x":"2"}})", labels, "a: key x occurs twice in the same object"},
      {R"({"a":{}})", items, "a: expected a list, got an object"},
      {R"({"a":1,"a":2})", int32, "a: occurs twice in the same object"},
  };
  for (const Case& c : cases) {
    read(c.json, [&](const JsonValue& a) { return c.read(a), 0; });
    EXPECT_EQ(problem_, c.problem) << c.json;
  }
}

TEST_F(JsonValueTest, KeepsTheFirstProblemAndNamesItsPlace) {
  read(R"({"a":[{"b":"x"},{"b":[true,7]},{"b":8}]})", [](const JsonValue& a) {
    a.each_item([](const JsonValue& item) {
      const auto [b] = item.members({"b"});
      if (b.is_string()) return;
      b.each_item([](const JsonValue& value) { (void)value.boolean(); });
    });
    return 0;
  });
  EXPECT_EQ(problem_, "a[1].b[1]: expected a boolean, got a number");
}

TEST_F(JsonValueTest, SortsLabelsByKey) {
  const LabelSet* labels =
      read(R"({"a":{"b":"2","a":"1","c":null}})", [](const JsonValue& a) { return a.labels(); });
  ASSERT_EQ(labels->labels.size(), 3U);
  EXPECT_EQ(labels->labels[0].key.view(), "a");
  EXPECT_EQ(labels->labels[1].value.view(), "2");
  EXPECT_EQ(labels->labels[2].value.view(), "");
}

}  // namespace
}  // namespace ebb::model
