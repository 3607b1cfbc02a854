#include "apiserver/handlers/admission_review.h"

#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/handlers/access_reviews.h"
#include "apiserver/objects/kind_specifics.h"
#include "apiserver/objects/name_generator.h"
#include "apiserver/store/object.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

// FNV-1a: the same on every machine, and sufficient to distinguish the questions of one request.
std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {
  constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
  return hash;
}

std::string quoted_text(std::string_view text) { return json::serialize(json::value(text)); }

}  // namespace

Operation operation_of(const Call& call, const Admission& admission) {
  // For namespace selectors, a namespace is in itself.
  const bool is_itself = is_namespace(call.kind());
  return {
      .name = admission.operation,
      .resource = call.kind(),
      .subresource = call.route.subresource,
      .namespace_name = is_itself ? admission.name : std::string_view(call.route.namespace_name)};
}

std::string review_request(const Call& call, const Admission& admission,
                           std::optional<std::string_view> object) {
  const schema::Kind& kind = call.kind();
  const schema::Kind& shown = admission.shown == nullptr ? kind : *admission.shown;
  const Operation operation = operation_of(call, admission);
  const std::string kind_json = json::serialize(
      json::object{{"group", shown.group}, {"version", shown.version}, {"kind", shown.name}});
  const std::string resource_json = json::serialize(
      json::object{{"group", kind.group}, {"version", kind.version}, {"resource", kind.plural}});
  std::string text = fmt::format(R"(,"kind":{},"resource":{})", kind_json, resource_json);
  const auto add = [&](std::string_view field, std::string_view value) {
    if (!value.empty()) text += fmt::format(R"(,"{}":{})", field, quoted_text(value));
  };
  add("subResource", operation.subresource);
  text += fmt::format(R"(,"requestKind":{},"requestResource":{})", kind_json, resource_json);
  add("requestSubResource", operation.subresource);
  add("name", admission.name);
  add("namespace", operation.namespace_name);
  add("operation", operation.name);
  text += fmt::format(R"(,"userInfo":{},"object":{},"oldObject":{},"dryRun":{},"options":{})",
                      json::serialize(user_info(call.request.as)), object.value_or("null"),
                      admission.old == nullptr ? "null" : serialize_draft(*admission.old),
                      admission.dry_run, json::serialize(admission.options));
  return text;
}

Inquiry make_inquiry(const Call& call, const Webhook& webhook, std::string url, std::string address,
                     std::string_view request) {
  Inquiry inquiry;
  std::uint64_t hash = call.session->seed;
  for (const std::string_view part :
       {std::string_view(webhook.configuration), std::string_view(webhook.name), request}) {
    hash = hash_of(part, hash_of("\n", hash));
  }
  std::mt19937_64 random(hash);
  inquiry.uid = generate_uid(random);
  inquiry.question = {
      .webhook = webhook.name,
      .configuration = webhook.configuration,
      .url = std::move(url),
      .address = std::move(address),
      .ca_bundle = webhook.ca_bundle,
      .timeout_seconds = webhook.timeout_seconds,
      .review = fmt::format(
          R"({{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/{}","request":{{"uid":"{}"{}}}}})",
          webhook.review_version, inquiry.uid, request)};
  return inquiry;
}

}  // namespace ebb::apiserver
