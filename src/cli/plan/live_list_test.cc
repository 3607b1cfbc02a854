// Lists of a live cluster, with a server that follows a script.
#include "cli/plan/live_list.h"

#include <deque>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/net/raw_server.h"
#include "support/objects/wire_encoder.h"
#include "support/threads/guarded.h"

namespace ebb::cli {
namespace {

constexpr LiveKind kPods{"/api/v1", "pods", true, false, true};

std::string page(std::string_view name, std::string_view next) {
  return fmt::format(
      R"({{"kind":"PodList","apiVersion":"v1","metadata":{{"resourceVersion":"7","continue":"{}"}},)"
      R"("items":[{{"metadata":{{"name":"{}","namespace":"shop","uid":"{}"}}}}]}})",
      next, name, name);
}
constexpr std::string_view kExpired =
    R"({"kind":"Status","code":410,"reason":"Expired","message":"too old"})";

class LiveListTest : public ::testing::Test {
 protected:
  struct Reply {
    int code;
    std::string body;
    std::chrono::milliseconds after{0};
  };

  Result<void> read(std::deque<Reply> script, const LiveKind& kind = kPods) {
    script_.set({.replies = std::move(script)});
    server_ = std::make_unique<support::RawServer>([this](support::RawConnection& connection, int) {
      while (const auto request = connection.read_request()) {
        const auto reply = script_.with([&](Script& now) { return now.next(*request); });
        if (!reply) return;
        std::this_thread::sleep_for(reply->after);
        connection.answer(reply->code, reply->body);
      }
    });
    kube::ClusterAccess access;
    access.server = server_->url("");
    auto client = kube::Client::make(std::move(access));
    EXPECT_TRUE(client);
    LiveRequests requests(**client, err);
    return read_kind(requests, kind, "shop", reader);
  }
  std::vector<std::string> names() {
    auto snapshot = std::move(reader).finish();
    std::vector<std::string> found;
    EXPECT_TRUE(snapshot);
    if (!snapshot) return found;
    for (const model::Pod& pod : snapshot->pods) found.emplace_back(pod.name.view());
    return found;
  }

  [[nodiscard]] std::vector<std::string> asked() const { return script_.get().asked; }
  [[nodiscard]] std::vector<bool> in_protobuf() const { return script_.get().in_protobuf; }

  std::ostringstream err;
  model::SnapshotReader reader;

 private:
  // What the server still answers, and what it was asked.
  struct Script {
    std::optional<Reply> next(const std::string& request) {
      asked.push_back(request.substr(4, request.find(" HTTP") - 4));
      in_protobuf.push_back(request.find("kubernetes.protobuf") != std::string::npos);
      if (replies.empty()) return std::nullopt;
      Reply reply = std::move(replies.front());
      replies.pop_front();
      return reply;
    }
    std::deque<Reply> replies{};
    std::vector<std::string> asked{};
    std::vector<bool> in_protobuf{};
  };

  support::Guarded<Script> script_;
  std::unique_ptr<support::RawServer> server_;
};

using Names = std::vector<std::string>;
constexpr std::string_view kFirst = "/api/v1/namespaces/shop/pods?limit=500";

TEST_F(LiveListTest, ReadsPageAfterPage) {
  ASSERT_TRUE(read({{200, page("a", "x/y=")}, {200, page("b", "")}}));
  EXPECT_EQ(names(), (Names{"a", "b"}));
  EXPECT_EQ(asked(), (Names{std::string(kFirst), std::string(kFirst) + "&continue=x%2Fy%3D"}));
  EXPECT_EQ(err.str(), "");
}

TEST_F(LiveListTest, FindsTheNextPageWhereverTheServerSaysSo) {
  const std::string_view item = R"({"metadata":{"name":"a","namespace":"shop","uid":"a"}})";
  const std::string words =
      fmt::format(R"({{"kind":"PodList","apiVersion":"v1","metadata":{{"selfLink":"\"items\"",)"
                  R"("resourceVersion":"7","continue":"x"}},"items":[{}]}})",
                  item);
  const std::string last = fmt::format(
      R"({{"kind":"PodList","apiVersion":"v1","items":[{}],"metadata":{{"continue":"y",)"
      R"("resourceVersion":"7"}}}})",
      item);
  ASSERT_TRUE(read({{200, words}, {200, last}, {200, page("b", "")}}));
  ASSERT_EQ(asked().size(), 3U);
  EXPECT_EQ(asked().at(1), std::string(kFirst) + "&continue=x");
  EXPECT_EQ(asked().at(2), std::string(kFirst) + "&continue=y");
}

TEST_F(LiveListTest, RefusesAListWithoutItems) {
  const auto result = read({{200, R"({"kind":"PodList","apiVersion":"v1","metadata":{}})"}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "list of pods: the list has no field items");
}

TEST_F(LiveListTest, ReadsPodsInProtobufAndInJsonWhereThatIsRefused) {
  const std::string body = testing::encode_pod_list(
      {{"metadata", {{"resourceVersion", "7"}, {"continue", "x"}}},
       {"items", boost::json::array{boost::json::object{
                     {"metadata", {{"name", "a"}, {"namespace", "shop"}, {"uid", "a"}}}}}}});
  ASSERT_TRUE(read({{200, body}, {406, "{}"}, {200, page("b", "")}}));
  EXPECT_EQ(names(), (Names{"a", "b"}));
  EXPECT_EQ(in_protobuf(), (std::vector<bool>{true, true, false}));
  EXPECT_EQ(asked().at(2), std::string(kFirst) + "&continue=x");
}

TEST_F(LiveListTest, RestartsIfItsContinueTokenExpired) {
  ASSERT_TRUE(read({{200, page("gone", "x")},
                    {410, std::string(kExpired)},
                    {200, page("a", "y")},
                    {200, page("b", "")}}));
  EXPECT_EQ(names(), (Names{"a", "b"}));
  EXPECT_EQ(asked().at(2), kFirst);
}

TEST_F(LiveListTest, AsksForEverythingAtOnceIfItsPlaceExpiresAgainAndAgain) {
  std::deque<Reply> script;
  for (int i = 0; i < 3; ++i) {
    script.push_back({200, page("a", "x")});
    script.push_back({410, std::string(kExpired)});
  }
  script.push_back({200, page("a", "")});
  ASSERT_TRUE(read(std::move(script)));
  EXPECT_EQ(names(), (Names{"a"}));
  EXPECT_EQ(asked().back(), "/api/v1/namespaces/shop/pods");
}

TEST_F(LiveListTest, ReportsTheMessageOfTheServer) {
  const auto refused =
      read({{403, R"({"kind":"Status","reason":"Forbidden","message":"pods is forbidden"})"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "from server (Forbidden): pods is forbidden");
}

TEST_F(LiveListTest, LeavesOutWhatIsOptionalAndNotShown) {
  constexpr LiveKind kOptional{"/apis/x/v1", "things", true, true};
  EXPECT_TRUE(read({{403, "{}"}}, kOptional));
  EXPECT_EQ(reader.count(), 0U);
}

TEST_F(LiveListTest, SaysWhatItWaitsForOnceThatTakesLong) {
  ASSERT_TRUE(read({{200, page("a", "x")}, {200, page("b", ""), std::chrono::milliseconds(2600)}}));
  EXPECT_EQ(err.str(), "reading pods: 1 so far\n");
}

}  // namespace
}  // namespace ebb::cli
