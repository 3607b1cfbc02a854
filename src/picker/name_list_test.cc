#include "picker/name_list.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace ebb::picker {
namespace {

TEST(NameList, GivesBackWhatWasPutIn) {
  EXPECT_TRUE(rc::check("every name at its place, whatever bytes it has", [] {
    const auto names = *rc::gen::arbitrary<std::vector<std::string>>();
    const NameList list(names);
    RC_ASSERT(list.size() == names.size());
    RC_ASSERT(list.empty() == names.empty());
    RC_ASSERT(std::vector<std::string>(list.begin(), list.end()) == names);
    for (std::size_t i = 0; i < names.size(); ++i) RC_ASSERT(list[i] == names[i]);
  }));
}

TEST(NameList, TellsWhereNamesEnd) {
  EXPECT_EQ((NameList{"a", "b"}), (NameList{"a", "b"}));
  EXPECT_FALSE((NameList{"a", "b"}) == (NameList{"ab"}));
  EXPECT_FALSE((NameList{"a", ""}) == (NameList{"", "a"}));
  EXPECT_FALSE(NameList{} == NameList{""});
}

}  // namespace
}  // namespace ebb::picker
