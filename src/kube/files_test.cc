#include "kube/files.h"

#include <fstream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "net/secret.h"
#include "support/temporary_folder.h"

namespace ebb::kube {
namespace {

TEST(Base64, ComesBackAsItWas) {
  EXPECT_TRUE(rc::check("decode_base64 undoes base64", [](const std::string& bytes) {
    RC_ASSERT(decode_base64(net::base64(bytes)) == bytes);
  }));
}

TEST(Base64, AllowsLineBreaks) { EXPECT_EQ(decode_base64(" YW\r\nJj\n"), "abc"); }

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"a", "ab", "abc", "YWJj=", "YWI", "YW=I", "YW==YW==", "%", "===="}) {
    EXPECT_FALSE(decode_base64(text)) << text;
  }
}

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
