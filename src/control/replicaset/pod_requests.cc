#include "control/replicaset/pod_requests.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "control/core/json_document.h"
#include "control/core/owner_patches.h"
#include "model/api/requests.h"
#include "schema/core/envelope.h"
#include "schema/core/json.h"
#include "schema/protobuf/protobuf.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestName = 253;
// Only the metadata of the answer is read, and a larger answer costs both sides time.
constexpr std::string_view kMetadataOnly =
    "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

Owner owner_of_pods(std::string_view set_name, std::string_view set_uid) {
  return {.kind = &replica_set_kind(), .name = std::string(set_name), .uid = std::string(set_uid)};
}

// The API server completes it to a name.
std::string name_prefix(std::string_view set_name) {
  const bool has_room = set_name.size() < kLongestName;
  return fmt::format("{}{}", set_name, has_room ? "-" : "");
}

std::string pod_path(std::string_view namespace_name, std::string_view pod) {
  return model::object_path(*model::pod_kind(), {.namespace_name = std::string(namespace_name),
                                                 .name = std::string(pod)});
}

// Stays with JSON if the pod has fields that the protobuf table does not know, as with a newer API
// server.
void put_in_protobuf(const json::object& pod, model::ApiRequest& request) {
  const schema::EncodedMessage encoded = schema::encode_message(*model::pod_kind()->schema, pod);
  if (!encoded.lost.empty()) return;
  request.body = schema::in_envelope("v1", "Pod", encoded.bytes);
  request.content_type = schema::kProtobufMediaType;
}

}  // namespace

const schema::Kind& replica_set_kind() {
  static const schema::Kind* const kKind = schema::find_kind("apps/v1", "ReplicaSet");
  EBB_CHECK(kKind != nullptr);
  return *kKind;
}

Result<model::ApiRequest> create_pod_request(const ReplicaSet& set, bool protobuf) {
  auto object = parse_document(set.json);
  if (!object)
    return fail(ErrorCode::kInvalidInput,
                "unable to create pods, the ReplicaSet is not valid JSON");
  json::object& templ = schema::ensure_object(*object, {"spec", "template"});
  json::object& from = schema::ensure_object(templ, {"metadata"});
  if (const auto* labels = schema::object_at(from, {"labels"});
      labels == nullptr || labels->empty()) {
    return fail(ErrorCode::kInvalidInput, "unable to create pods, no labels");
  }
  json::object metadata{{"generateName", name_prefix(set.name.view())}};
  for (const std::string_view copied : {"labels", "annotations", "finalizers"}) {
    if (json::value* value = from.if_contains(copied); value != nullptr && !value->is_null()) {
      metadata[copied] = std::move(*value);
    }
  }
  json::array owners;
  owners.push_back(controller_reference(owner_of_pods(set.name.view(), set.uid.view())));
  metadata["ownerReferences"] = std::move(owners);
  json::object pod{{"apiVersion", "v1"},
                   {"kind", "Pod"},
                   {"metadata", std::move(metadata)},
                   {"spec", std::move(schema::ensure_object(templ, {"spec"}))}};
  model::ApiRequest request = model::create_request(
      model::collection_path(*model::pod_kind(), set.namespace_name.view()), pod);
  if (protobuf) put_in_protobuf(pod, request);
  request.accept = kMetadataOnly;
  // The API server has already validated the template. Checking it for unknown fields again would
  // cost server time, for a warning that is never read.
  request.query = "fieldValidation=Ignore";
  return request;
}

model::ApiRequest adopt_request(const Key& set, std::string_view set_uid, std::string_view pod,
                                std::string_view pod_uid) {
  return model::strategic_patch_request(pod_path(set.namespace_name, pod),
                                        adopt_patch(owner_of_pods(set.name, set_uid), pod_uid));
}

model::ApiRequest release_request(const Key& set, std::string_view set_uid, std::string_view pod,
                                  std::string_view pod_uid) {
  return model::strategic_patch_request(pod_path(set.namespace_name, pod),
                                        release_patch(set_uid, pod_uid));
}

model::ApiRequest delete_pod_request(std::string_view namespace_name, std::string_view pod,
                                     std::string_view uid) {
  model::ApiRequest request = model::delete_request(pod_path(namespace_name, pod), {.uid = uid});
  request.accept = kMetadataOnly;
  return request;
}

}  // namespace ebb::control
