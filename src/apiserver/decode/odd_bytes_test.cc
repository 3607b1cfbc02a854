// Bytes that are not valid text, in requests that need not be JSON: they must not get into
// objects or answers.
#include <tuple>

#include <gtest/gtest.h>

#include "apiserver/admission/admission_answer.h"
#include "schema/core/utf8.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::apiserver {
namespace {

using ebb::testing::ApiServerScene;
using ebb::testing::config_map_json;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";

model::ApiRequest create_request(std::string query, std::string user_agent) {
  return {.method = model::Method::kPost,
          .path = std::string(kMaps),
          .query = std::move(query),
          .content_type = "application/json",
          .user_agent = std::move(user_agent),
          .body = config_map_json("web")};
}

TEST(OddBytes, InTheNameOfAManagerAreReplaced) {
  for (const auto& [query, agent, manager] : {std::tuple{"fieldManager=a%FFb", "",
                                                         "a\xef\xbf\xbd"
                                                         "b"},
                                              std::tuple{"",
                                                         "a\xff"
                                                         "b/1.0",
                                                         "a\xef\xbf\xbd"
                                                         "b"}}) {
    ApiServerScene cluster;
    const auto made = cluster.send(create_request(query, agent));
    ASSERT_EQ(made.code, 201) << made.message();
    EXPECT_EQ(made.text("metadata/managedFields/0/manager"), manager);
    const std::string one = std::string(kMaps) + "/web";
    EXPECT_EQ(cluster.patch(one, "merge-patch", R"({"data":{"a":"b"}})").code, 200);
    EXPECT_EQ(cluster.get(one).code, 200);
  }
}

TEST(OddBytes, DoNotComeFromCuttingALongNameOfAManager) {
  // The 128th byte is the first one of a character.
  const auto made =
      ApiServerScene().send(create_request("", std::string(127, 'a') + "\xc3\xa4/1.0"));
  ASSERT_EQ(made.code, 201) << made.message();
  EXPECT_EQ(made.text("metadata/managedFields/0/manager"), std::string(127, 'a'));
}

TEST(OddBytes, AreNotQuotedInRefusals) {
  ApiServerScene cluster;
  for (const std::string_view target :
       {"/api/v1/namespaces/default/configmaps/%FF", "/api/v1/pods?limit=%FF",
        "/api/v1/pods?labelSelector=%FF%3D%3D%3D", "/api/v1/pods?\xff=%",
        "/api/v1/pods?resourceVersion=%FF", "/api/v1/pods?fieldSelector=%FF%3Da"}) {
    const auto refused = cluster.get(target);
    EXPECT_GE(refused.code, 400) << target;
    EXPECT_TRUE(schema::is_utf8(refused.message())) << target;
    EXPECT_FALSE(refused.message().empty()) << target;
  }
  model::ApiRequest request = create_request("", "");
  request.content_type = "text/\xff";
  const auto refused = cluster.send(request);
  EXPECT_EQ(refused.code, 415);
  EXPECT_TRUE(schema::is_utf8(refused.message()));
}

TEST(OddBytes, OfAWebhooksAnswerAreReplaced) {
  const Expected expected{.uid = "1", .version = "v1"};
  std::string half;  // the body is cut inside a character
  for (int i = 0; i < 200; ++i) half += "\xe2\x82\xac";
  for (const auto& answer :
       {WebhookAnswer{.code = 403, .body = "\xff"}, WebhookAnswer{.code = 500, .body = "\xff"},
        WebhookAnswer{.code = 403, .body = half},
        WebhookAnswer{.code = 200, .content_type = "\xff"},
        WebhookAnswer{.code = 200, .body = "\xff"}}) {
    const auto verdict = read_answer({.webhook = "a"}, answer, expected);
    ASSERT_TRUE(verdict);
    EXPECT_FALSE(verdict->failure.empty());
    EXPECT_TRUE(schema::is_utf8(verdict->failure)) << answer.code;
  }
}

}  // namespace
}  // namespace ebb::apiserver
