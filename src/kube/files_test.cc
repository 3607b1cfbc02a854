#include "kube/files.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/objects/temporary_folder.h"

namespace ebb::kube {
namespace {

TEST(TokenFile, IsOneLineWithoutBlanksAround) {
  const support::TemporaryFolder folder;
  const auto token = [&](const std::string& text) {
    std::ofstream(folder.path() / "token") << text;
    auto read = read_token_file(folder.path() / "token");
    return read ? *read : "error";
  };
  EXPECT_EQ(token("abc"), "abc");
  EXPECT_EQ(token(" abc \r\n\n"), "abc");
  EXPECT_EQ(token(""), "error");
  EXPECT_EQ(token(" \n"), "error");
  EXPECT_EQ(token("a\nb"), "error");
}

TEST(ReadFile, DoesNotReadForEver) {
  EXPECT_FALSE(read_file("/dev/zero", "token"));
  EXPECT_FALSE(read_file("/", "token"));
}

}  // namespace
}  // namespace ebb::kube
