// The lists of a live cluster that a plan reads, with a server that follows a script.
#include "cli/plan/live_snapshot.h"

#include <algorithm>
#include <map>
#include <sstream>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/net/raw_server.h"
#include "support/threads/guarded.h"

namespace ebb::cli {
namespace {

constexpr std::string_view kPolicies = "/apis/ebb.dev/v1alpha1/namespaces/shop/downscalepolicies";

std::string list_of(std::string_view item) {
  return fmt::format(
      R"({{"kind":"List","apiVersion":"v1","metadata":{{"resourceVersion":"7"}},"items":[{}]}})",
      item);
}

std::string policy_that_ranks_by(std::string_view strategy) {
  return fmt::format(
      R"({{"kind":"DownscalePolicy","apiVersion":"ebb.dev/v1alpha1","metadata":{{"name":"p",)"
      R"("namespace":"shop","uid":"u"}},"spec":{{"targetRef":{{"kind":"Deployment","name":"web"}},)"
      R"("ranking":{{"strategies":[{{"name":"{}"}}]}}}}}})",
      strategy);
}

class LiveSnapshotTest : public ::testing::Test {
 protected:
  // Everything is there and empty, but for `bodies` and what is `forbidden`.
  Result<model::Snapshot> read() {
    support::RawServer server([this](support::RawConnection& connection, int) {
      while (const auto got = connection.read_request()) {
        const std::string target = got->substr(4, got->find(" HTTP") - 4);
        const std::string path = target.substr(0, target.find('?'));
        asked_.with([&](auto& paths) { paths.push_back(path); });
        if (path == forbidden) {
          connection.answer(403, R"({"kind":"Status","code":403,"message":"no"})");
        } else {
          connection.answer(200, bodies.contains(path) ? bodies.at(path) : list_of(""));
        }
      }
    });
    kube::ClusterAccess access;
    access.server = server.url("");
    auto client = kube::Client::make(std::move(access));
    EXPECT_TRUE(client);
    request.namespace_name = "shop";
    request.name = "web";
    request.kind = plan::Request::Kind::kDeployment;
    return read_live(**client, request, {in_, out_, err});
  }
  bool asked_for(std::string_view path) const {
    const auto paths = asked_.get();
    return std::find(paths.begin(), paths.end(), path) != paths.end();
  }

  plan::Request request;
  std::map<std::string, std::string> bodies;
  std::string forbidden;
  std::ostringstream err;

 private:
  support::Guarded<std::vector<std::string>> asked_;
  std::istringstream in_;
  std::ostringstream out_;
};

TEST_F(LiveSnapshotTest, ReadsThePodsOfTheNamespace) {
  ASSERT_TRUE(read().has_value());
  EXPECT_TRUE(asked_for("/api/v1/namespaces/shop/pods"));
  EXPECT_FALSE(asked_for("/api/v1/pods"));
  EXPECT_TRUE(asked_for("/api/v1/nodes"));
}

TEST_F(LiveSnapshotTest, ReadsPodsEverywhereIfAPolicyRanksByThem) {
  bodies[std::string(kPolicies)] = list_of(policy_that_ranks_by("Pack"));
  bodies["/api/v1/pods"] = list_of(
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"x","uid":"u"}})");
  const auto snapshot = read();
  ASSERT_TRUE(snapshot.has_value());
  EXPECT_EQ(snapshot->pods.size(), 1U);
  EXPECT_FALSE(asked_for("/api/v1/namespaces/shop/pods"));
}

TEST_F(LiveSnapshotTest, AStrategyThatLooksAtItsOwnPodsNeedsNoOthers) {
  bodies[std::string(kPolicies)] = list_of(policy_that_ranks_by("Oldest"));
  ASSERT_TRUE(read().has_value());
  EXPECT_FALSE(asked_for("/api/v1/pods"));
}

TEST_F(LiveSnapshotTest, APolicyThatIsTriedCountsRatherThanThoseThatAreThere) {
  bodies[std::string(kPolicies)] = list_of(policy_that_ranks_by("Oldest"));
  auto settings = ranking::decode_settings(
      boost::json::parse(R"({"strategies":[{"name":"Pack"}]})"), "spec.ranking");
  ASSERT_TRUE(settings.has_value());
  request.policy =
      plan::TriedPolicy{.ranking = std::make_shared<const ranking::Settings>(std::move(*settings))};
  ASSERT_TRUE(read().has_value());
  EXPECT_TRUE(asked_for("/api/v1/pods"));
}

TEST_F(LiveSnapshotTest, MakesDoWithTheNamespaceIfOthersAreNotShown) {
  bodies[std::string(kPolicies)] = list_of(policy_that_ranks_by("Pack"));
  forbidden = "/api/v1/pods";
  ASSERT_TRUE(read().has_value());
  EXPECT_TRUE(asked_for("/api/v1/namespaces/shop/pods"));
  EXPECT_EQ(err.str(),
            "Warning: pods of other namespaces cannot be read, so ranks are computed without "
            "them\n");
}

TEST_F(LiveSnapshotTest, OnePodWithAnInvalidValueDoesNotHideTheOthers) {
  bodies["/api/v1/namespaces/shop/pods"] = list_of(
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"shop","uid":"u"},)"
      R"("spec":{"nodeName":7}},)"
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"b","namespace":"shop","uid":"v"}})");
  const auto snapshot = read();
  ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
  ASSERT_EQ(snapshot->pods.size(), 1U);
  EXPECT_EQ(snapshot->pods.front().name.view(), "b");
  ASSERT_EQ(snapshot->undecoded.size(), 1U);
  EXPECT_EQ(snapshot->undecoded.front().name.view(), "a");
}

}  // namespace
}  // namespace ebb::cli
