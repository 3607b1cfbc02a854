// Whatever other clients write while webhooks are being called, the stored object is the one that
// the webhooks admitted.
#include <optional>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "schema/core/json.h"
#include "support/apiserver/webhook_scene.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using namespace ebb::testing;
using schema::text_at;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kA = "/api/v1/namespaces/default/configmaps/a";

// Copies the object of its request into data.echo.
json::object echo(const json::object& request) {
  const std::string seen = fmt::format("{}-{}", text_at(request, {"object", "data", "value"}),
                                       text_at(request, {"object", "data", "other"}));
  return patch_with(fmt::format(R"([{{"op":"add","path":"/data/echo","value":"{}"}}])", seen));
}

// A request between two of its runs.
struct InFlight {
  model::ApiRequest request;
  std::shared_ptr<WebhookSession> session;
};

model::ApiRequest patch_request(std::string_view field, int value) {
  return {.method = model::Method::kPatch,
          .path = std::string(kA),
          .content_type = "application/merge-patch+json",
          .body = fmt::format(R"({{"data":{{"{}":"{}"}}}})", field, value)};
}

RC_GTEST_PROP(AdmissionProperty, AnAnswerCountsForItsOwnQuestionOnly, ()) {
  WebhookScene hooked;
  ApiServerScene& cluster = hooked.cluster;
  hooked.add_mutating("echo", "echo.example.com", echo);
  RC_ASSERT(cluster
                .post(kMaps, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},)"
                             R"("data":{"value":"0","other":"0"}})")
                .code == 201);
  std::vector<InFlight> in_flight;
  std::size_t done = 0;
  const int steps = *rc::gen::inRange(1, 40);
  for (int step = 0; step < steps; ++step) {
    const bool begins = in_flight.empty() || *rc::gen::inRange(0, 3) == 0;
    if (begins) {
      const std::string_view field = *rc::gen::element("value", "other");
      in_flight.push_back({patch_request(field, *rc::gen::inRange(0, 5)), nullptr});
    }
    const std::size_t which =
        begins ? in_flight.size() - 1 : *rc::gen::inRange<std::size_t>(0, in_flight.size());
    InFlight& one = in_flight[which];
    if (one.session) {
      for (const WebhookQuestion& question : one.session->questions) {
        one.session->answers[question] = cluster.webhook(question);
      }
    }
    Reply reply = cluster.server.handle(one.request, cluster.now, one.session);
    one.session = reply.session;
    const std::vector<Change> staged = cluster.server.take_staged();
    RC_ASSERT(!reply.session || staged.empty());
    for (const Change& change : staged) cluster.server.publish(change.revision, cluster.now);
    if (reply.session) continue;
    RC_ASSERT(reply.response.code == 200 || reply.response.code == 409);
    done += reply.response.code == 200 ? 1 : 0;
    in_flight.erase(in_flight.begin() + static_cast<std::ptrdiff_t>(which));
    const ApiServerScene::Answer stored = cluster.get(kA);
    RC_ASSERT(stored.text("data/echo") ==
              fmt::format("{}-{}", stored.text("data/value"), stored.text("data/other")));
  }
  RC_TAG(done > 3);
}

}  // namespace
}  // namespace ebb::apiserver
