#include "apiserver/handlers/admission.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "apiserver/admission/admission_answer.h"
#include "apiserver/admission/webhook_endpoint.h"
#include "apiserver/decode/decode.h"
#include "apiserver/handlers/admission_review.h"
#include "apiserver/objects/kind_specifics.h"
#include "apiserver/patch/patch.h"
#include "apiserver/store/object.h"
#include "apiserver/validation/checks.h"
#include "base/check.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

// Not an HTTP status: it never reaches clients.
constexpr int kPending = 0;

tl::unexpected<model::Status> pending() {
  model::Status status;
  status.code = kPending;
  return tl::unexpected(std::move(status));
}

const json::object* labels_of(const json::object* object) {
  return object == nullptr ? nullptr : schema::object_at(*object, {"metadata", "labels"});
}

bool is_in_selected_namespace(const Call& call, const Webhook& webhook, const Admission& admission,
                              const json::object* object) {
  const Operation operation = operation_of(call, admission);
  // A namespace selector never excludes cluster-scoped objects.
  if (webhook.namespace_selector.empty() || operation.namespace_name.empty()) return true;
  // For a write to a namespace, its new labels count.
  if (is_namespace(call.kind()) && object != nullptr && operation.subresource.empty()) {
    return selector_matches(webhook.namespace_selector, labels_of(object));
  }
  json::object labels;
  const schema::Kind& namespaces = *schema::find_kind("", "v1", "namespaces");
  if (const ObjectPtr found = call.store().newest(namespaces, "", operation.namespace_name)) {
    for (const LabelView& label : found->labels()) labels[label.first] = label.second;
  }
  return selector_matches(webhook.namespace_selector, &labels);
}

bool is_selected(const Webhook& webhook, const Admission& admission, const json::object* object) {
  const json::object& selector = webhook.object_selector;
  if (selector.empty()) return true;
  return (object != nullptr && selector_matches(selector, labels_of(object))) ||
         (admission.old != nullptr && selector_matches(selector, labels_of(admission.old)));
}

bool has_a_say(const Call& call, const Webhook& webhook, const Admission& admission,
               const json::object* object) {
  return concerns(webhook, operation_of(call, admission)) &&
         is_in_selected_namespace(call, webhook, admission, object) &&
         is_selected(webhook, admission, object);
}

void add_warnings(WebhookSession& session, const std::vector<std::string>& warnings) {
  std::vector<std::string>& all = session.warnings;
  for (const std::string& one : warnings) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  }
}

// Returns the verdict of a webhook on a request (review_request()). If the webhook has not been
// called yet, records the question and returns nothing. A failure that the policy ignores is an
// empty verdict.
StatusOr<std::optional<Verdict>> verdict_of(const Call& call, const Webhook& webhook,
                                            std::string_view request, bool may_patch) {
  WebhookSession& session = *call.session;
  WebhookEndpoint place = endpoint_of(webhook, call.store());
  const Inquiry inquiry =
      make_inquiry(call, webhook, std::move(place.url), std::move(place.address), request);
  WebhookAnswer unreachable{.error = std::move(place.problem)};
  const WebhookAnswer* answer = &unreachable;
  if (unreachable.error.empty()) {
    const auto found = session.answers.find(inquiry.question);
    if (found == session.answers.end()) {
      session.questions.push_back(inquiry.question);
      return std::nullopt;
    }
    answer = &found->second;
    session.used.insert(answer);
  }
  EBB_ASSIGN_OR_RETURN(
      Verdict verdict,
      read_answer(inquiry.question, *answer,
                  {.uid = inquiry.uid, .version = webhook.review_version, .may_patch = may_patch}));
  add_warnings(session, verdict.warnings);
  if (verdict.denial) return tl::unexpected(*std::move(verdict.denial));
  if (verdict.failure.empty()) return std::optional<Verdict>(std::move(verdict));
  session.failures.push_back({.webhook = webhook.name,
                              .configuration = webhook.configuration,
                              .why = verdict.failure,
                              .ignored = webhook.fails_open});
  if (webhook.fails_open) return std::optional<Verdict>(Verdict{});
  return tl::unexpected(model::internal_error(
      fmt::format("failed calling webhook \"{}\": {}", webhook.name, verdict.failure)));
}

json::value parse_again(const std::string& text) {
  json::parse_options options;
  options.max_depth = 1000;  // bounded on its way in
  json::error_code error;
  json::value value = json::parse(text, error, {}, options);
  EBB_CHECK(!error && value.is_object());
  return value;
}

// Applies a webhook's patch to the object. Changes to metadata.managedFields are ignored: the
// server computes the owners of fields.
StatusOr<json::object> patched(const schema::Kind& kind, const json::object& object,
                               const std::string& text, const json::value& patch) {
  StatusOr<json::value> edited = json_patch(parse_again(text), patch);
  if (!edited) return tl::unexpected(model::internal_error(edited.error().message));
  StatusOr<Decoded> decoded =
      conform(kind, {.value = *std::move(edited), .duplicates = {}}, FieldValidation::kIgnore);
  if (!decoded) return tl::unexpected(model::internal_error(decoded.error().message));
  json::object result = std::move(decoded->object);
  apply_defaults(*kind.schema, result);
  json::object& metadata = schema::ensure_object(result, {"metadata"});
  metadata.stable_erase("managedFields");
  if (const json::value* entries = schema::lookup(object, {"metadata", "managedFields"})) {
    metadata["managedFields"] = *entries;
  }
  return result;
}

// Calls the mutating webhooks in order, then again those with reinvocationPolicy IfNeeded whose
// object a later webhook changed.
class Mutation {
 public:
  Mutation(const Call& call, const Admission& admission, json::object object)
      : call_(call), admission_(admission), object_(std::move(object)) {}

  StatusOr<json::object> run() {
    const std::vector<Webhook>& webhooks = call_.state.webhooks.mutating();
    for (const bool is_second : {false, true}) {
      for (std::size_t i = 0; i < webhooks.size(); ++i) {
        if (is_second && !again_.contains(i)) continue;
        if (!has_a_say(call_, webhooks[i], admission_, &object_)) continue;
        EBB_ASSIGN_OR_RETURN(const bool changed, ask(webhooks[i]));
        if (changed) again_.merge(std::exchange(seen_, {}));
        if (webhooks[i].asked_again) seen_.insert(i);
      }
    }
    return std::move(object_);
  }

 private:
  // Returns true if the webhook changed the object.
  StatusOr<bool> ask(const Webhook& webhook) {
    const std::string text = serialize_draft(object_);
    EBB_ASSIGN_OR_RETURN(const std::optional<Verdict> verdict,
                         verdict_of(call_, webhook, review_request(call_, admission_, text), true));
    if (!verdict) return pending();
    if (!verdict->patch) return false;
    const schema::Kind& kind = admission_.shown == nullptr ? call_.kind() : *admission_.shown;
    EBB_ASSIGN_OR_RETURN(json::object next, patched(kind, object_, text, *verdict->patch));
    const bool changed = next != object_;
    object_ = std::move(next);
    return changed;
  }

  const Call& call_;
  const Admission& admission_;
  json::object object_;
  std::set<std::size_t> seen_;   // called since the last change, and reinvoked after the next
  std::set<std::size_t> again_;  // called in the second round
};

// Calls all webhooks at once; the first refusal in their order is returned.
StatusOr<void> ask_all(const Call& call, const Admission& admission, const json::object* object) {
  std::optional<std::string> request;
  std::optional<model::Status> refusal;
  bool is_open = false;
  for (const Webhook& webhook : call.state.webhooks.validating()) {
    if (!has_a_say(call, webhook, admission, object)) continue;
    if (!request) {
      const std::string text = object == nullptr ? "null" : serialize_draft(*object);
      request = review_request(call, admission, text);
    }
    const StatusOr<std::optional<Verdict>> verdict = verdict_of(call, webhook, *request, false);
    if (!verdict && !refusal) refusal = verdict.error();
    is_open = is_open || (verdict && !*verdict);
  }
  if (is_open) return pending();
  if (refusal) return tl::unexpected(*std::move(refusal));
  return {};
}

}  // namespace

bool is_pending(const model::Status& status) { return status.code == kPending; }

StatusOr<json::object> mutate(const Call& call, const Admission& admission, json::object object) {
  return Mutation(call, admission, std::move(object)).run();
}

StatusOr<void> review(const Call& call, const Admission& admission, const json::object& object) {
  return ask_all(call, admission, &object);
}

StatusOr<void> review_deletion(const Call& call, const Target& target,
                               const DeleteOptions& options) {
  const Admission admission = admission_of_delete(call, target, options);
  std::optional<std::string> request;
  for (const Webhook& webhook : call.state.webhooks.mutating()) {
    if (!has_a_say(call, webhook, admission, nullptr)) continue;
    if (!request) request = review_request(call, admission, std::nullopt);
    EBB_ASSIGN_OR_RETURN(const std::optional<Verdict> verdict,
                         verdict_of(call, webhook, *request, true));
    if (!verdict) return pending();
    if (verdict->patch) {
      return tl::unexpected(model::internal_error(
          fmt::format("admission webhook \"{}\" attempted to modify the object, which is not "
                      "supported for this operation",
                      webhook.name)));
    }
  }
  return ask_all(call, admission, nullptr);
}

StatusOr<json::object> admit_document(const Call& call, const schema::Kind& shown,
                                      const WriteOptions& options, json::object document) {
  Admission admission = admission_of_create(call, options);
  admission.shown = &shown;
  EBB_ASSIGN_OR_RETURN(json::object mutated, mutate(call, admission, std::move(document)));
  EBB_RETURN_IF_ERROR(review(call, admission, mutated));
  return mutated;
}

}  // namespace ebb::apiserver
