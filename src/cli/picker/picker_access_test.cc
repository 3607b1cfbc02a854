#include "cli/picker/picker_access.h"

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

using picker::Protocol;

TEST(PickerUrl, IsTakenApart) {
  const struct {
    std::string url;
    std::string endpoint;
    std::string path;
  } rows[] = {
      {"http://localhost:8080/pick", "http://localhost:8080", "/pick"},
      {"http://localhost", "http://localhost:80", "/"},
      {"https://picker.shop.svc/a/b?c=d", "https://picker.shop.svc:443", "/a/b?c=d"},
      {"http://127.0.0.1:1/", "http://127.0.0.1:1", "/"},
      {"http://[::1]:8080/pick", "http://[::1]:8080", "/pick"},
      {"http://[::1]", "http://[::1]:80", "/"},
      {"grpc://localhost:9090", "grpc://localhost:9090", "/"},
      {"grpcs://picker.shop.svc/", "grpcs://picker.shop.svc:443", "/"},
  };
  for (const auto& row : rows) {
    const auto settings = parse_picker_url(row.url);
    ASSERT_TRUE(settings) << row.url << ": " << settings.error().message;
    EXPECT_EQ(settings->endpoint(), row.endpoint) << row.url;
    EXPECT_EQ(settings->path, row.path) << row.url;
    const bool grpc = row.url.starts_with("grpc");
    EXPECT_EQ(settings->protocol, grpc ? Protocol::kGrpc : Protocol::kHttp);
  }
}

TEST(PickerUrl, WithAUserIsRefusedWithoutShowingThePassword) {
  for (const char* url :
       {"http://me:secret@host/", "https://secret@host:1/", "ftp://me:secret@host",
        "me:secret@host", "grpc://me:secret@host:9090", "http://me:secret@host:x"}) {
    const auto settings = parse_picker_url(url);
    ASSERT_FALSE(settings) << url;
    EXPECT_NE(settings.error().message.find("--header-env"), std::string::npos) << url;
    EXPECT_EQ(settings.error().message.find("secret"), std::string::npos) << url;
  }
  EXPECT_TRUE(parse_picker_url("http://host/path@1?a@b"));
}

TEST(PickerUrl, IsRefusedWithAWordOnWhatWouldBeRight) {
  for (const char* url : {"", "localhost:8080", "ftp://host/", "http://", "http:///path",
                          "http://host:", "http://host:0", "http://host:99999", "http://host:http",
                          "http://user@host/", "http://[::1", "http://[::1]x", "http://ho st/",
                          "grpc://host:1/path", "HTTP://host/"}) {
    const auto settings = parse_picker_url(url);
    ASSERT_FALSE(settings) << url;
    EXPECT_EQ(settings.error().code, ErrorCode::kUsage) << url;
    EXPECT_TRUE(settings.error().message.starts_with("URL")) << settings.error().message;
  }
}

}  // namespace
}  // namespace ebb::cli
