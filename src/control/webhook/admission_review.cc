#include "control/webhook/admission_review.h"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "control/cache/object_reader.h"
#include "control/core/json_document.h"
#include "model/json/raw_json.h"
#include "model/records/ownership.h"
#include "model/records/scale_down_mark.h"
#include "schema/core/json.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using schema::text_at;

constexpr std::string_view kReviewVersion = "admission.k8s.io/v1";
// Of a pod whose spec has none.
constexpr std::int64_t kDefaultGracePeriodSeconds = 30;
constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";

bool is_resource(const json::object& request, std::string_view group, std::string_view resource) {
  return text_at(request, {"resource", "group"}) == group &&
         text_at(request, {"resource", "resource"}) == resource;
}

std::string_view desired_replicas(const json::object& object) {
  const json::object* const annotations = schema::object_at(object, {"metadata", "annotations"});
  return annotations == nullptr ? std::string_view() : text_at(*annotations, {kDesiredReplicas});
}

// A Scale omits a size of zero. The API server has filled in the size of a ReplicaSet.
std::optional<ReviewedResize> read_resize(const json::object& request,
                                          std::string_view subresource) {
  const json::object* const before = schema::object_at(request, {"oldObject"});
  const json::object* const after = schema::object_at(request, {"object"});
  if (before == nullptr || after == nullptr) return std::nullopt;
  return ReviewedResize{.set_uid = std::string(text_at(*before, {"metadata", "uid"})),
                        .from = schema::integer_at(*before, {"spec", "replicas"}).value_or(0),
                        .to = schema::integer_at(*after, {"spec", "replicas"}).value_or(0),
                        .by_scale = subresource == "scale",
                        .desired_changed = desired_replicas(*before) != desired_replicas(*after)};
}

bool is_disrupted(const json::object& pod) {
  const json::array* const conditions = schema::array_at(pod, {"status", "conditions"});
  if (conditions == nullptr) return false;
  return std::any_of(conditions->begin(), conditions->end(), [](const json::value& value) {
    const json::object* const condition = value.if_object();
    return condition != nullptr && text_at(*condition, {"type"}) == "DisruptionTarget" &&
           text_at(*condition, {"status"}) == "True";
  });
}

// kube-apiserver fills in the grace period of the pod before it calls webhooks. So a delete with
// this grace period may have been sent without one, as the ReplicaSet controller does.
bool are_plain_options(const json::object& request, const json::object& pod) {
  const json::object* const options = schema::object_at(request, {"options"});
  if (options == nullptr) return true;
  const auto has = [options](std::string_view field) {
    const json::value* const value = options->if_contains(field);
    return value != nullptr && !value->is_null();
  };
  if (has("preconditions") || has("propagationPolicy")) return false;
  return !has("gracePeriodSeconds") ||
         schema::integer_at(*options, {"gracePeriodSeconds"}) ==
             schema::integer_at(pod, {"spec", "terminationGracePeriodSeconds"})
                 .value_or(kDefaultGracePeriodSeconds);
}

// `text` is the pod. Nothing if it cannot be decoded: such a delete is not the fence's business.
std::optional<ReviewedDelete> read_removal(const json::object& request, std::string_view text) {
  const json::object* const object = schema::object_at(request, {"oldObject"});
  if (object == nullptr || text.empty()) return std::nullopt;
  model::Pool pool;
  ObjectReader reader;
  const ReadObject<Pod> read = reader.read_pod(Store::Format::kJson, text, pool);
  if (read.damaged) return std::nullopt;
  const Pod& pod = read.object;
  ReviewedDelete removal{.pod_uid = std::string(pod.uid.view()),
                         .serving = pod.serving(),
                         .deleting = pod.deleting,
                         .disrupted = is_disrupted(*object),
                         .plain = are_plain_options(request, *object)};
  if (pod.controller != nullptr && pod.controller->kind.view() == model::kReplicaSetKind) {
    removal.set = pod.controller->name.view();
    removal.set_uid = pod.controller->uid.view();
  }
  if (model::has_marked_cost(pod)) removal.mark = pod.scale_down_mark.view();
  return removal;
}

json::object answer_object(std::string_view uid, bool allowed) {
  return {{"apiVersion", kReviewVersion},
          {"kind", "AdmissionReview"},
          {"response", json::object{{"uid", uid}, {"allowed", allowed}}}};
}

}  // namespace

std::optional<AdmissionReview> decode_review(std::string_view body) {
  const auto document = parse_document(body);
  if (!document) return std::nullopt;
  const json::object* const request = schema::object_at(*document, {"request"});
  if (request == nullptr || text_at(*request, {"uid"}).empty()) return std::nullopt;
  AdmissionReview review{.uid = std::string(text_at(*request, {"uid"})),
                         .user = std::string(text_at(*request, {"userInfo", "username"})),
                         .namespace_name = std::string(text_at(*request, {"namespace"})),
                         .name = std::string(text_at(*request, {"name"})),
                         .dry_run = schema::is_true_at(*request, {"dryRun"})};
  const std::string_view operation = text_at(*request, {"operation"});
  const std::string_view subresource = text_at(*request, {"subResource"});
  if (operation == "UPDATE" && is_resource(*request, "apps", "replicasets") &&
      (subresource.empty() || subresource == "scale")) {
    review.resize = read_resize(*request, subresource);
  }
  if (operation == "DELETE" && is_resource(*request, "", "pods") && subresource.empty()) {
    const std::string_view raw = model::raw_member(body, "request");
    review.removal = read_removal(*request, model::raw_member(raw, "oldObject"));
  }
  return review;
}

std::string allowing_answer(std::string_view uid) {
  return json::serialize(answer_object(uid, true));
}

std::string refusing_answer(std::string_view uid, std::string_view message) {
  json::object answer = answer_object(uid, false);
  answer["response"].as_object()["status"] = json::object{
      {"code", kRefusalCode}, {"status", "Failure"}, {"reason", "Conflict"}, {"message", message}};
  return json::serialize(answer);
}

}  // namespace ebb::control
