#include "cluster/server/impersonation.h"

#include <gtest/gtest.h>

namespace ebb::cluster {
namespace {

TEST(Impersonation, IsReadFromHeaders) {
  const model::Impersonation as = impersonation_of({{"impersonate-user", "bob"},
                                                    {"impersonate-user", "eve"},
                                                    {"impersonate-group", "a"},
                                                    {"impersonate-uid", "7"},
                                                    {"impersonate-group", ""},
                                                    {"impersonate-extra-ac%2fme", "x"},
                                                    {"impersonate-extra-ac%2fme", "y"},
                                                    {"impersonate-other", "z"}});
  EXPECT_EQ(as.user, "bob");
  EXPECT_EQ(as.uid, "7");
  EXPECT_EQ(as.groups, (std::vector<std::string>{"a", ""}));
  ASSERT_EQ(as.extra.size(), 1U);
  EXPECT_EQ(as.extra.at("ac/me"), (std::vector<std::string>{"x", "y"}));
}

TEST(Impersonation, LeavesKeysAloneThatAreNotEncodedProperly) {
  for (const std::string key : {"a%zz", "a%2", "a%", "%+1"}) {
    EXPECT_EQ(impersonation_of({{"impersonate-extra-" + key, "x"}}).extra.count(key), 1U) << key;
  }
}

TEST(Impersonation, IsTextWhateverBytesTheHeadersHold) {
  const model::Impersonation as = impersonation_of({{"impersonate-user", "\xff"},
                                                    {"impersonate-group", "a\xc3"},
                                                    {"impersonate-extra-%ff", "\xfe"}});
  EXPECT_EQ(as.user, "\xef\xbf\xbd");
  EXPECT_EQ(as.groups, (std::vector<std::string>{"a\xef\xbf\xbd"}));
  EXPECT_EQ(as.extra.at("\xef\xbf\xbd"), (std::vector<std::string>{"\xef\xbf\xbd"}));
}

}  // namespace
}  // namespace ebb::cluster
