#include "schema/core/plain_json.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace ebb::schema {
namespace {

namespace json = boost::json;

TEST(PlainJson, WritesNumbersAsPeopleDo) {
  const struct {
    double number;
    std::string_view text;
  } cases[] = {{0.478, "0.478"}, {0.5, "0.5"},    {2.5, "2.5"},          {-0.001, "-0.001"},
               {30.25, "30.25"}, {1e-9, "1e-09"}, {1.5e300, "1.5e+300"}, {1234.5678, "1234.5678"}};
  for (const auto& each : cases) {
    EXPECT_EQ(plain_json(each.number), each.text);
    EXPECT_EQ(json::parse(plain_json(each.number)).as_double(), each.number);
  }
  // Whole numbers need no point.
  EXPECT_EQ(json::parse(plain_json(2.0)).to_number<double>(), 2.0);
  EXPECT_EQ(plain_json(2.0).find('E'), std::string::npos);
}

TEST(PlainJson, IsTheSameDocument) {
  for (const std::string_view text :
       {R"({})", R"([])", R"({"a":{},"b":[]})", R"({"a \"b\"":"c\n","d":[1,true,null,"ä"]})",
        R"([18446744073709551615,-5,[[1]],{"x":{"y":false}}])"}) {
    EXPECT_EQ(plain_json(json::parse(text)), text);
  }
}

}  // namespace
}  // namespace ebb::schema
