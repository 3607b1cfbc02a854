#include "control/registration/webhook_configuration.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "schema/core/json.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

// The label that every namespace has with its own name.
constexpr std::string_view kNamespaceLabel = "kubernetes.io/metadata.name";

// A Scale omits `replicas` if it is zero; a ReplicaSet always has it.
constexpr std::string_view kReplicasDecrease =
    "(has(object.spec) && has(object.spec.replicas) ? object.spec.replicas : 0) < "
    "(has(oldObject.spec) && has(oldObject.spec.replicas) ? oldObject.spec.replicas : 0)";

// A string literal of CEL.
std::string cel_text(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') literal += '\\';
    literal += c;
  }
  return literal + "'";
}

std::string is_one_of(const std::vector<std::string>& users) {
  std::string list;
  for (const std::string& user : users) {
    if (!list.empty()) list += ", ";
    list += cel_text(user);
  }
  return fmt::format("request.userInfo.username in [{}]", list);
}

json::object client_config(const WantedWebhooks& wanted, std::string_view path) {
  const RegistrationSettings& registration = wanted.registration;
  json::object client = {{"caBundle", encode_base64(wanted.ca_bundle_pem)}};
  if (!registration.url.empty()) {
    client["url"] = registration.url + std::string(path);
  } else {
    client["service"] = {{"namespace", registration.service_namespace},
                         {"name", registration.service_name},
                         {"path", path},
                         {"port", registration.service_port}};
  }
  return client;
}

// Everything in which the two webhooks do not differ.
json::object webhook(const WantedWebhooks& wanted, std::string_view name, std::string_view path,
                     std::int64_t timeout_seconds) {
  json::array names;
  for (const std::string& one : wanted.namespaces) names.emplace_back(one);
  return {{"name", name},
          {"admissionReviewVersions", {"v1"}},
          {"clientConfig", client_config(wanted, path)},
          // Without ebb everything goes on as if it were not installed.
          {"failurePolicy", "Ignore"},
          {"matchPolicy", "Equivalent"},
          {"sideEffects", "NoneOnDryRun"},
          {"timeoutSeconds", timeout_seconds},
          {"objectSelector", json::object()},
          {"namespaceSelector",
           {{"matchExpressions",
             {json::object{
                 {"key", kNamespaceLabel}, {"operator", "In"}, {"values", std::move(names)}}}}}}};
}

json::object rule(std::string_view group, std::string_view operation, json::array resources) {
  return {{"apiGroups", {group}},
          {"apiVersions", {"v1"}},
          {"operations", {operation}},
          {"resources", std::move(resources)},
          {"scope", "Namespaced"}};
}

void add_condition(json::object& webhook, std::string_view name, std::string_view expression) {
  webhook["matchConditions"] = {json::object{{"name", name}, {"expression", expression}}};
}

// Rounded up, within what Kubernetes accepts.
std::int64_t timeout_seconds(Nanoseconds budget_ns) {
  constexpr std::int64_t kLongest = 30;
  const Nanoseconds total = budget_ns + kScaleDownTimeoutMarginNs;
  return std::clamp<std::int64_t>((total + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond, 1,
                                  kLongest);
}

const json::object* object_in(const json::object& parent, std::string_view name) {
  const json::value* const value = parent.if_contains(name);
  return value != nullptr ? value->if_object() : nullptr;
}

bool is_own_expression(const json::value& expression) {
  const json::object* const object = expression.if_object();
  return object != nullptr && schema::text_at(*object, {"key"}) == kNamespaceLabel &&
         schema::text_at(*object, {"operator"}) == "In";
}

// Adds what others have added to the selector of the webhook that is there.
void keep_foreign_parts(const json::object& existing, json::object& wanted) {
  const json::object* const selector = object_in(existing, "namespaceSelector");
  if (selector == nullptr) return;
  json::object& own = wanted["namespaceSelector"].as_object();
  if (const json::object* const labels = object_in(*selector, "matchLabels");
      labels != nullptr && !labels->empty()) {
    own["matchLabels"] = *labels;
  }
  const json::value* const expressions = selector->if_contains("matchExpressions");
  if (expressions == nullptr || !expressions->is_array()) return;
  // In their order, so that an object that is right compares equal.
  json::array merged;
  const json::value mine = own["matchExpressions"].as_array().front();
  bool placed = false;
  for (const json::value& expression : expressions->get_array()) {
    if (!is_own_expression(expression)) {
      merged.push_back(expression);
    } else if (!std::exchange(placed, true)) {
      merged.push_back(mine);
    }
  }
  if (!placed) merged.push_back(mine);
  own["matchExpressions"] = std::move(merged);
}

const json::object* find_webhook(const json::array& webhooks, const json::value& name) {
  for (const json::value& one : webhooks) {
    const json::object* const webhook = one.if_object();
    const json::value* const its_name = webhook ? webhook->if_contains("name") : nullptr;
    if (its_name != nullptr && *its_name == name) return webhook;
  }
  return nullptr;
}

}  // namespace

json::array make_webhooks(const WantedWebhooks& wanted) {
  if (wanted.namespaces.empty()) return {};
  json::object scale_down =
      webhook(wanted, kScaleDownWebhook, "/scale-down", timeout_seconds(wanted.webhook.budget_ns));
  scale_down["rules"] = {rule("apps", "UPDATE", {"replicasets", "replicasets/scale"})};
  json::object fence = webhook(wanted, kFenceWebhook, "/fence", kFenceTimeoutSeconds);
  fence["rules"] = {rule("", "DELETE", {"pods"})};
  if (wanted.match_conditions) {
    add_condition(scale_down, "replicas-decrease", kReplicasDecrease);
    add_condition(fence, "by-a-stock-controller", is_one_of(wanted.webhook.controller_users));
  }
  return {std::move(scale_down), std::move(fence)};
}

json::object make_configuration(const std::string& name, json::array webhooks) {
  return {{"apiVersion", "admissionregistration.k8s.io/v1"},
          {"kind", "ValidatingWebhookConfiguration"},
          {"metadata", {{"name", name}}},
          {"webhooks", std::move(webhooks)}};
}

std::optional<json::object> with_webhooks(json::object existing, json::array webhooks) {
  json::array none;
  json::value* const value = existing.if_contains("webhooks");
  const json::array& present = value != nullptr && value->is_array() ? value->get_array() : none;
  for (json::value& wanted : webhooks) {
    json::object& one = wanted.get_object();
    if (const json::object* const same = find_webhook(present, one.at("name"))) {
      keep_foreign_parts(*same, one);
    }
  }
  if (present == webhooks) return std::nullopt;
  existing["webhooks"] = std::move(webhooks);
  return existing;
}

}  // namespace ebb::control
