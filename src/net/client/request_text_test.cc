#include "net/client/request_text.h"

#include <gtest/gtest.h>

namespace ebb::net {
namespace {

std::string request_text(const HttpCall& call) {
  std::string text;
  append_request(call, text);
  return text;
}

TEST(RequestText, SaysWhatIsAskedAndNothingElse) {
  EXPECT_EQ(request_text({.url = "https://10.0.0.1:6443/api/v1/pods?limit=5"}),
            "GET /api/v1/pods?limit=5 HTTP/1.1\r\nHost: 10.0.0.1:6443\r\n\r\n");
  EXPECT_EQ(request_text({.url = "http://[::1]:80"}), "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n");
  EXPECT_EQ(request_text({.method = "DELETE",
                          .url = "https://a/b",
                          .headers = {{"Accept", "c/d"}, {"X", ""}},
                          .body = "{}"}),
            "DELETE /b HTTP/1.1\r\nHost: a\r\nAccept: c/d\r\nX:\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(request_text({.method = "POST", .url = "https://a/b"}),
            "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
}

TEST(RequestText, LetsNoLineBecomeTwo) {
  EXPECT_EQ(request_text({.url = "http://a/", .headers = {{"X", "1\r\nY: 2"}, {"Z\n", "3"}}}),
            "GET / HTTP/1.1\r\nHost: a\r\nX: 1  Y: 2\r\nZ : 3\r\n\r\n");
  // Such a URL is not plain, and calls with one do not get here.
  EXPECT_EQ(request_text({.method = "GET\r\nA:", .url = "http://a\nB: c/d\re"}),
            "GET  A: /d e HTTP/1.1\r\nHost: a B: c\r\n\r\n");
}

TEST(PlainUrl, HasNothingThatWouldHaveToBeRewritten) {
  for (const char* url : {"https://a", "https://a/", "http://[::1]:6443/x?y=%20&z=@"}) {
    EXPECT_TRUE(is_plain_url(url)) << url;
  }
  for (const char* url : {"", "a/b", "ftp://a/", "https://", "https:///x", "https://u:p@a/",
                          "https://a/x y", "https://a/x\r\nY: z", "https://a/#x", "https://a?x",
                          "https://a/\x7f", "https://a/\xc3\xbc"}) {
    EXPECT_FALSE(is_plain_url(url)) << url;
  }
}

TEST(ServerOf, IsWhereAConnectionLeads) {
  EXPECT_EQ(server_of("https://a:1/b/c?d"), "https://a:1");
  EXPECT_EQ(server_of("https://a?d"), "https://a");
  EXPECT_EQ(server_of("https://a"), "https://a");
}

}  // namespace
}  // namespace ebb::net
