#include "apiserver/admission/webhooks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using schema::text_at;

namespace {

constexpr std::string_view kGroup = "admissionregistration.k8s.io";

const schema::Kind& configuration_kind(std::string_view plural) {
  return *schema::find_kind(kGroup, "v1", plural);
}

std::vector<std::string> texts_at(const json::object& object, std::string_view field) {
  std::vector<std::string> texts;
  if (const json::array* list = schema::array_at(object, {field})) {
    for (const json::value& one : *list) {
      if (one.is_string()) texts.emplace_back(one.get_string());
    }
  }
  return texts;
}

// Copies to the heap: the source shares one block of memory with many other values.
json::object object_or_empty(const json::object& object, schema::Path path) {
  const json::object* found = schema::object_at(object, path);
  return found == nullptr ? json::object() : json::object(*found, json::storage_ptr());
}

Webhook::Rule read_rule(const json::object& rule) {
  return {.operations = texts_at(rule, "operations"),
          .groups = texts_at(rule, "apiGroups"),
          .versions = texts_at(rule, "apiVersions"),
          .resources = texts_at(rule, "resources"),
          .scope = std::string(text_at(rule, {"scope"}))};
}

Webhook read_webhook(const json::object& object, std::string configuration) {
  Webhook webhook;
  webhook.name = text_at(object, {"name"});
  webhook.configuration = std::move(configuration);
  webhook.url = text_at(object, {"clientConfig", "url"});
  webhook.service = object_or_empty(object, {"clientConfig", "service"});
  webhook.ca_bundle = decode_base64(text_at(object, {"clientConfig", "caBundle"})).value_or("");
  if (const json::array* rules = schema::array_at(object, {"rules"})) {
    for (const json::value& rule : *rules) webhook.rules.push_back(read_rule(rule.get_object()));
  }
  webhook.namespace_selector = object_or_empty(object, {"namespaceSelector"});
  webhook.object_selector = object_or_empty(object, {"objectSelector"});
  for (std::string& version : texts_at(object, "admissionReviewVersions")) {
    if (version != "v1" && version != "v1beta1") continue;
    webhook.review_version = std::move(version);
    break;
  }
  webhook.timeout_seconds =
      static_cast<int>(schema::integer_at(object, {"timeoutSeconds"}).value_or(10));
  webhook.fails_open = text_at(object, {"failurePolicy"}) == "Ignore";
  webhook.asked_again = text_at(object, {"reinvocationPolicy"}) == "IfNeeded";
  return webhook;
}

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& one) { return one == "*" || one == word; });
}

// `pods` does not match `pods/status`, and `*` does not match subresources; `*/*` matches
// everything.
bool names(std::string_view entry, const Operation& operation) {
  const std::size_t slash = entry.find('/');
  const std::string_view resource = entry.substr(0, slash);
  const std::string_view subresource =
      slash == std::string_view::npos ? std::string_view() : entry.substr(slash + 1);
  return (resource == "*" || resource == operation.resource.plural) &&
         (subresource == "*" || subresource == operation.subresource);
}

bool is_in_scope(std::string_view scope, const Operation& operation) {
  if (scope != "Namespaced" && scope != "Cluster") return true;
  return operation.resource.namespaced == (scope == "Namespaced");
}

}  // namespace

bool is_exempt(const schema::Kind& kind) { return kind.group == kGroup; }

bool concerns(const Webhook& webhook, const Operation& operation) {
  return std::any_of(webhook.rules.begin(), webhook.rules.end(), [&](const Webhook::Rule& rule) {
    return has(rule.operations, operation.name) && has(rule.groups, operation.resource.group) &&
           has(rule.versions, operation.resource.version) && is_in_scope(rule.scope, operation) &&
           std::any_of(rule.resources.begin(), rule.resources.end(),
                       [&](const std::string& entry) { return names(entry, operation); });
  });
}

void Webhooks::Side::refresh(const Store& store, const schema::Kind& kind) {
  const ObjectSet& objects = store.objects(kind);
  if (std::equal(objects.begin(), objects.end(), configurations.begin(), configurations.end())) {
    return;
  }
  configurations.assign(objects.begin(), objects.end());
  hooks.clear();
  for (const ObjectPtr& object : configurations) {
    const json::object content = object->draft();
    const json::array* webhooks = schema::array_at(content, {"webhooks"});
    if (webhooks == nullptr) continue;
    for (const json::value& webhook : *webhooks) {
      hooks.push_back(
          read_webhook(webhook.get_object(), fmt::format("{}/{}", kind.plural, object->name())));
    }
  }
}

void Webhooks::refresh(const Store& store) {
  static const schema::Kind& mutating = configuration_kind("mutatingwebhookconfigurations");
  static const schema::Kind& validating = configuration_kind("validatingwebhookconfigurations");
  mutating_.refresh(store, mutating);
  validating_.refresh(store, validating);
}

}  // namespace ebb::apiserver
