// deploy/crds.yaml agrees with the schema table.
#include "support/objects/custom_resources.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "model/yaml/yaml_to_json.h"

namespace ebb {
namespace {

namespace json = boost::json;

const std::string kFile = std::string(EBB_SOURCE_DIR) + "/deploy/crds.yaml";

std::string read_file() {
  const std::ifstream file(kFile);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(CustomResources, AreWhatTheSchemaTableSays) {
  const std::string expected = support::custom_resources_yaml();
  if (std::getenv("EBB_UPDATE_CRDS") != nullptr) std::ofstream(kFile) << expected;
  EXPECT_TRUE(read_file() == expected)
      << "deploy/crds.yaml is out of date: run this test once with "
         "EBB_UPDATE_CRDS=1 and look at the difference";
}

TEST(CustomResources, AreWrittenAsTheYamlOfTheirContent) {
  const auto documents = model::yaml_to_json(read_file());
  ASSERT_TRUE(documents.has_value()) << documents.error().message;
  std::vector<json::value> expected;
  for (const schema::Kind& kind : schema::kinds()) {
    if (kind.custom) expected.emplace_back(support::custom_resource(kind));
  }
  ASSERT_EQ(documents->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    json::parse_options options;
    options.max_depth = 64;
    boost::system::error_code code;
    EXPECT_EQ(json::parse((*documents)[i].json, code, {}, options), expected[i]);
    EXPECT_FALSE(code) << code.message();
  }
}

}  // namespace
}  // namespace ebb
