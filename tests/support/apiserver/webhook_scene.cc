#include "support/apiserver/webhook_scene.h"

#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "schema/core/json.h"

namespace ebb::testing {

namespace json = boost::json;
using schema::text_at;

namespace {

json::object request_of(const apiserver::WebhookQuestion& question) {
  const json::value review = json::parse(question.review);
  return *schema::object_at(review.get_object(), {"request"});
}

std::string summary_of(std::string_view webhook, const json::object& request) {
  const std::string_view subresource = text_at(request, {"subResource"});
  const std::string_view name = text_at(request, {"name"});
  return fmt::format("{} {} {}{}{}{}{}", webhook, text_at(request, {"operation"}),
                     text_at(request, {"resource", "resource"}), subresource.empty() ? "" : "/",
                     subresource, name.empty() ? "" : " ", name);
}

}  // namespace

WebhookScene::WebhookScene() {
  cluster.webhook = [this](const auto& question) { return answer(question); };
}

apiserver::WebhookAnswer WebhookScene::answer(const apiserver::WebhookQuestion& question) {
  const json::object request = request_of(question);
  asked.push_back(summary_of(question.webhook, request));
  requests.push_back(request);
  if (transport) return transport(question);
  const auto found = behaviours_.find(question.webhook);
  if (found == behaviours_.end()) return {.error = "nobody is there"};
  return {.code = 200, .body = review_text(text_at(request, {"uid"}), found->second(request))};
}

void WebhookScene::add(std::string_view kind, const std::string& configuration,
                       std::string_view webhook, Behaviour behaviour, std::string_view extra) {
  json::object hook{
      {"name", webhook},
      {"clientConfig", json::object{{"url", fmt::format("https://127.0.0.1:9443/{}", webhook)}}},
      {"rules", json::array{json::object{{"operations", {"*"}},
                                         {"apiGroups", {"*"}},
                                         {"apiVersions", {"*"}},
                                         {"resources", {"*/*"}}}}},
      {"sideEffects", "None"},
      {"admissionReviewVersions", {"v1"}}};
  const json::value more = json::parse(extra);
  for (const json::key_value_pair& member : more.get_object()) {
    hook[member.key()] = member.value();
  }
  const json::object object{{"apiVersion", "admissionregistration.k8s.io/v1"},
                            {"kind", kind},
                            {"metadata", json::object{{"name", configuration}}},
                            {"webhooks", json::array{std::move(hook)}}};
  const std::string plural = kind.starts_with("Mutating") ? "mutatingwebhookconfigurations"
                                                          : "validatingwebhookconfigurations";
  const ApiServerScene::Answer made =
      cluster.post("/apis/admissionregistration.k8s.io/v1/" + plural, json::serialize(object));
  EXPECT_EQ(made.code, 201) << made.message();
  behaviours_[std::string(webhook)] = std::move(behaviour);
}

void WebhookScene::add_mutating(const std::string& configuration, std::string_view webhook,
                                Behaviour behaviour, std::string_view extra) {
  add("MutatingWebhookConfiguration", configuration, webhook, std::move(behaviour), extra);
}

void WebhookScene::add_validating(const std::string& configuration, std::string_view webhook,
                                  Behaviour behaviour, std::string_view extra) {
  add("ValidatingWebhookConfiguration", configuration, webhook, std::move(behaviour), extra);
}

json::object allow() { return {{"allowed", true}}; }

json::object deny(std::string_view status_json) {
  json::object response{{"allowed", false}};
  if (!status_json.empty()) response["status"] = json::parse(status_json);
  return response;
}

json::object patch_with(std::string_view json_patch) {
  return {{"allowed", true}, {"patchType", "JSONPatch"}, {"patch", encode_base64(json_patch)}};
}

std::string review_text(std::string_view uid, json::object response) {
  response["uid"] = uid;
  return json::serialize(json::object{{"apiVersion", "admission.k8s.io/v1"},
                                      {"kind", "AdmissionReview"},
                                      {"response", std::move(response)}});
}

std::string uid_of(const apiserver::WebhookQuestion& question) {
  return std::string(text_at(request_of(question), {"uid"}));
}

}  // namespace ebb::testing
