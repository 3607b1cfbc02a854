#include "runtime/health_pages.h"

#include <gtest/gtest.h>

namespace ebb::runtime {
namespace {

// Keeps what it was answered.
class Asked : public net::HttpExchange {
 public:
  Asked(std::string path, bool from_loopback) {
    request_.method = "GET";
    request_.path = std::move(path);
    request_.from_loopback = from_loopback;
  }

  net::HttpRequest& request() override { return request_; }
  void respond(net::HttpHead head, Bytes bytes) override {
    code = head.code;
    body = bytes.str();
  }
  void begin(net::HttpHead /*head*/) override {}
  void write(Bytes /*bytes*/, std::function<void(bool)> /*done*/) override {}
  void end() override {}
  void on_over(std::function<void()> /*over*/) override {}

  int code = 0;
  std::string body;

 private:
  net::HttpRequest request_;
};

TEST(HealthPages, TellDecisionsOnlyToWhoeverIsOnLoopback) {
  Health health;
  Metrics metrics{"x"};
  DecisionBook book;
  static_cast<void>(book.add(R"({"id":"d77"})"));
  health.set_ready(true);
  HealthPages pages(health, metrics, book);
  const auto ask = [&pages](const char* path, bool from_loopback) {
    auto asked = std::make_shared<Asked>(path, from_loopback);
    pages.handle(asked);
    return asked;
  };
  EXPECT_EQ(ask("/decisions", true)->code, 200);
  EXPECT_EQ(ask("/decisions", true)->body, "[{\"id\":\"d77\"}]\n");
  const auto far = ask("/decisions", false);
  EXPECT_EQ(far->code, 403);
  EXPECT_EQ(far->body,
            "decisions are told only on loopback, such as through kubectl port-forward\n");
  for (const char* path : {"/metrics", "/healthz", "/livez", "/readyz"}) {
    const auto page = ask(path, false);
    EXPECT_EQ(page->code, 200) << path;
    EXPECT_EQ(page->body.find("d77"), std::string::npos) << path;
  }
}

}  // namespace
}  // namespace ebb::runtime
