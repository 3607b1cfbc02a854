#include "cli/controller/controller_choices.h"

#include <filesystem>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/common/controller_names.h"

namespace ebb::cli {
namespace {

TEST(ControllerChoices, DescribeEveryControllerThatCanBeChosen) {
  const std::string text = describe_controller_choices();
  for (const std::string& name : complete_controllers(Offer::kControllers).words) {
    if (name.find_first_of("*,-") != std::string::npos) continue;
    EXPECT_NE(text.find(fmt::format("\n  {}\n", name)), std::string::npos) << name;
  }
}

TEST(ControllerChoices, NameManifestsThatExist) {
  const std::string text = describe_controller_choices();
  static const std::regex kManifest("deploy/[a-z.]+yaml");
  int found = 0;
  for (std::sregex_iterator each(text.begin(), text.end(), kManifest), end; each != end; ++each) {
    ++found;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(EBB_SOURCE_DIR) / each->str()))
        << each->str();
  }
  EXPECT_GT(found, 0);
}

}  // namespace
}  // namespace ebb::cli
