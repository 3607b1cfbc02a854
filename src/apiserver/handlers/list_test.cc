// Lists: selection, paging from one state, and states of the past.
#include <gtest/gtest.h>

#include "apiserver/store/continue_token.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::apiserver {
namespace {

using ebb::testing::ApiServerScene;
using ebb::testing::config_map_json;
using ebb::testing::pod_json;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

std::string names(const ApiServerScene::Answer& answer) {
  std::string text;
  const boost::json::value items = answer.at("items");
  if (!items.is_array()) return answer.message();
  for (const boost::json::value& item : items.get_array()) {
    if (!text.empty()) text += ' ';
    text += item.at("metadata").at("name").get_string();
  }
  return text;
}

void make(ApiServerScene& cluster, std::string_view names_of_maps) {
  for (const char name : names_of_maps) {
    ASSERT_EQ(cluster.post(kMaps, config_map_json(std::string(1, name))).code, 201);
  }
}

std::string with(std::string_view query) { return std::string(kMaps) + "?" + std::string(query); }

TEST(List, IsInTheOrderOfNamesAndHasTheCurrentRevision) {
  ApiServerScene cluster;
  make(cluster, "cab");
  const auto list = cluster.get(kMaps);
  EXPECT_EQ(list.text("kind"), "ConfigMapList");
  EXPECT_EQ(list.text("apiVersion"), "v1");
  EXPECT_EQ(names(list), "a b c");
  EXPECT_EQ(list.text("metadata/resourceVersion"), std::to_string(cluster.server.published()));
}

TEST(List, OfOneNamespaceOrOfAll) {
  ApiServerScene cluster;
  make(cluster, "b");
  cluster.post("/api/v1/namespaces/kube-system/configmaps", config_map_json("a"));
  EXPECT_EQ(names(cluster.get(kMaps)), "b");
  EXPECT_EQ(names(cluster.get("/api/v1/configmaps")), "b a");
}

TEST(List, SelectsByLabelsAndFields) {
  ApiServerScene cluster;
  constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
  cluster.post(kPods, pod_json("a", R"({"app":"web"})"));
  cluster.post(kPods, pod_json("b", R"({"app":"db"})"));
  cluster.post(std::string(kPods) + "/b/binding", R"({"target":{"name":"n1"}})");
  const std::string pods(kPods);
  EXPECT_EQ(names(cluster.get(pods + "?labelSelector=app%3Dweb")), "a");
  EXPECT_EQ(names(cluster.get(pods + "?labelSelector=app%21%3Dweb")), "b");
  EXPECT_EQ(names(cluster.get(pods + "?fieldSelector=spec.nodeName%3Dn1")), "b");
  EXPECT_EQ(names(cluster.get(pods + "?fieldSelector=metadata.name%3Da,status.phase%3DPending")),
            "a");
  const auto refused = cluster.get(pods + "?fieldSelector=spec.nose%3Dn1");
  EXPECT_EQ(refused.code, 400);
  EXPECT_NE(refused.message().find("field label not supported: spec.nose"), std::string::npos);
}

TEST(Pages, ComeFromOneState) {
  ApiServerScene cluster;
  make(cluster, "abcdef");
  const auto first = cluster.get(with("limit=2"));
  EXPECT_EQ(names(first), "a b");
  EXPECT_EQ(first.at("metadata/remainingItemCount"), 4);
  // Objects change in between.
  cluster.remove(std::string(kMaps) + "/c");
  cluster.patch(std::string(kMaps) + "/d", "merge-patch", R"({"data":{"value":"new"}})");
  make(cluster, "g");
  const auto second = cluster.get(with("limit=2&continue=" + first.text("metadata/continue")));
  EXPECT_EQ(names(second), "c d");
  EXPECT_EQ(second.at("metadata/remainingItemCount"), 2);
  EXPECT_EQ(second.text("items/1/data/value"), "x");
  EXPECT_EQ(second.text("metadata/resourceVersion"), first.text("metadata/resourceVersion"));
  const auto third = cluster.get(with("limit=9&continue=" + second.text("metadata/continue")));
  EXPECT_EQ(names(third), "e f");
  EXPECT_TRUE(third.at("metadata/continue").is_null());
}

TEST(Pages, WithSelectorsDoNotCountWhatRemains) {
  ApiServerScene cluster;
  make(cluster, "abc");
  const auto page = cluster.get(with("limit=1&labelSelector=%21x"));
  EXPECT_FALSE(page.at("metadata/continue").is_null());
  EXPECT_TRUE(page.at("metadata/remainingItemCount").is_null());
}

TEST(Pages, OfAStateThatIsNoLongerKnownAreGone) {
  apiserver::Settings settings;
  settings.history_age_ns = 60 * kNanosecondsPerSecond;
  ApiServerScene cluster(settings);
  make(cluster, "abc");
  const auto first = cluster.get(with("limit=1"));
  cluster.pass_seconds(100);
  make(cluster, "de");
  cluster.pass_seconds(100);
  make(cluster, "f");
  const auto second = cluster.get(with("limit=1&continue=" + first.text("metadata/continue")));
  EXPECT_EQ(second.code, 410);
  EXPECT_EQ(second.text("reason"), "Expired");
}

TEST(Pages, NeedATokenOfOurs) {
  ApiServerScene cluster;
  for (const std::string_view token : {"x", "1", "1/2", "1/2/3", "a/2/b/c", "1/b/c/d", "1/2//"}) {
    const auto page = cluster.get(with("limit=1&continue=" + std::string(token)));
    EXPECT_EQ(page.code, token == "1/2//" ? 200 : 400) << token;
  }
}

TEST(PastStates, CanBeListedExactly) {
  ApiServerScene cluster;
  make(cluster, "ab");
  const std::string before = std::to_string(cluster.server.published());
  cluster.remove(std::string(kMaps) + "/a");
  make(cluster, "c");
  EXPECT_EQ(names(cluster.get(with("resourceVersion=" + before + "&resourceVersionMatch=Exact"))),
            "a b");
  EXPECT_EQ(names(cluster.get(with("resourceVersion=" + before))), "b c");
  EXPECT_EQ(names(cluster.get(with("resourceVersion=0"))), "b c");
  EXPECT_EQ(names(cluster.get(with("resourceVersion=" + before + "&limit=5"))), "a b");
}

TEST(PastStates, NeedOptionsThatMakeSense) {
  struct Case {
    std::string_view query;
    int code;
    std::string_view message;
  };
  constexpr Case kCases[] = {
      {"resourceVersionMatch=Exact", 422,
       "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "resourceVersionMatch is forbidden unless resourceVersion is provided"},
      {"resourceVersion=0&resourceVersionMatch=Exact", 422,
       "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: "
       "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""},
      {"resourceVersion=1&resourceVersionMatch=Roughly", 422,
       "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Unsupported value: "
       "\"Roughly\": supported values: \"Exact\", \"NotOlderThan\", \"\""},
      {"resourceVersion=soon", 400,
       "invalid resource version: resourceVersion: Invalid value: \"soon\": not a revision of this "
       "server"},
      {"limit=many", 400, "invalid value \"many\" for query parameter limit: not a number"},
  };
  ApiServerScene cluster;
  for (const Case& one : kCases) {
    const auto answer = cluster.get(with(one.query));
    EXPECT_EQ(answer.code, one.code) << one.query;
    EXPECT_EQ(answer.message(), one.message) << one.query;
  }
  EXPECT_EQ(cluster.get(with("limit=-1")).code, 200);
}

TEST(FutureStates, AreWaitedForButNotForLong) {
  ApiServerScene cluster;
  const Revision next = cluster.server.published() + 1;
  model::ApiRequest request;
  request.path = kMaps;
  request.query = "resourceVersion=" + std::to_string(next);
  request.received = cluster.now;
  const Reply waiting = cluster.server.handle(request, cluster.now);
  EXPECT_EQ(waiting.retry_after, next);
  EXPECT_EQ(elapsed_ns(cluster.now, waiting.retry_at), 3 * kNanosecondsPerSecond);

  const Reply late = cluster.server.handle(request, waiting.retry_at);
  EXPECT_EQ(late.response.code, 504);
  EXPECT_NE(late.response.body.str().find("ResourceVersionTooLarge"), std::string::npos);

  make(cluster, "a");
  EXPECT_EQ(cluster.server.handle(request, cluster.now).response.code, 200);
}

TEST(Tables, AreSentToClientsThatAcceptThem) {
  ApiServerScene cluster;
  make(cluster, "a");
  const auto table =
      cluster.get(kMaps, "application/json;as=Table;v=v1;g=meta.k8s.io,application/json");
  EXPECT_EQ(table.text("kind"), "Table");
  EXPECT_EQ(table.text("columnDefinitions/0/name"), "Name");
  EXPECT_EQ(table.text("rows/0/cells/0"), "a");
  EXPECT_EQ(table.text("rows/0/object/kind"), "PartialObjectMetadata");
  const auto metadata =
      cluster.get(kMaps, "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
  EXPECT_EQ(metadata.text("kind"), "PartialObjectMetadataList");
  EXPECT_EQ(metadata.text("items/0/metadata/name"), "a");
  EXPECT_TRUE(metadata.at("items/0/data").is_null());
}

TEST(ContinueTokens, SurviveARoundTrip) {
  const ContinueToken token{.revision = 12, .left = 7, .namespace_name = "", .name = "node-1"};
  const auto parsed = ContinueToken::parse(token.text());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->revision, 12U);
  EXPECT_EQ(parsed->left, 7U);
  EXPECT_EQ(parsed->namespace_name, "");
  EXPECT_EQ(parsed->name, "node-1");
}

}  // namespace
}  // namespace ebb::apiserver
