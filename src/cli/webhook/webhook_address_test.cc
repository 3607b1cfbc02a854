#include "cli/webhook/webhook_address.h"

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

TEST(WebhookAddress, IsAUrlOfAHost) {
  const auto plain = parse_external_url("https://laptop.example:9443/");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->url, "https://laptop.example:9443");
  EXPECT_EQ(plain->host, "laptop.example");
  const auto v6 = parse_external_url("https://[::1]:9443");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "::1");
  EXPECT_EQ(parse_external_url("https://10.0.0.7")->host, "10.0.0.7");
  for (const char* text :
       {"", "http://a", "https://", "https://a:b", "https://a/path", "https://a?b", "https://u@a",
        "https://[::1", "https://[::1]x", "https://a:70000"}) {
    EXPECT_FALSE(parse_external_url(text)) << text;
  }
}

TEST(WebhookAddress, IsAServiceOfANamespace) {
  const auto service = parse_service("ebb-system/ebb-webhook");
  ASSERT_TRUE(service);
  EXPECT_EQ(service->namespace_name, "ebb-system");
  EXPECT_EQ(service->name, "ebb-webhook");
  for (const char* text : {"", "a", "a/", "/b", "a/b/c", "A/b"}) {
    EXPECT_FALSE(parse_service(text)) << text;
  }
}

}  // namespace
}  // namespace ebb::cli
