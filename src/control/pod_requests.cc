#include "control/pod_requests.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "control/object_json.h"
#include "model/requests.h"
#include "schema/json.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestName = 253;

json::object controller_reference(std::string_view name, std::string_view uid) {
  return {{"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"},      {"name", name}, {"uid", uid},
          {"controller", true},      {"blockOwnerDeletion", true}};
}

// The API server completes it to a name.
std::string name_prefix(std::string_view set_name) {
  const bool has_room = set_name.size() < kLongestName;
  return fmt::format("{}{}", set_name, has_room ? "-" : "");
}

model::ApiRequest owners_patch(const Key& set, std::string_view pod, std::string_view pod_uid,
                               json::object owner) {
  json::array owners;
  owners.push_back(std::move(owner));
  const json::object patch{
      {"metadata", json::object{{"uid", pod_uid}, {"ownerReferences", std::move(owners)}}}};
  return model::strategic_patch_request(
      model::object_path(*model::pod_kind(),
                         {.namespace_name = set.namespace_name, .name = std::string(pod)}),
      patch);
}

}  // namespace

const schema::Kind& replica_set_kind() {
  static const schema::Kind* const kKind = schema::find_kind("apps/v1", "ReplicaSet");
  EBB_CHECK(kKind != nullptr);
  return *kKind;
}

Result<model::ApiRequest> create_pod_request(const ReplicaSet& set) {
  auto object = parse_object(set.json);
  if (!object) return fail(ErrorCode::kInvalidInput, "unable to create pods, no JSON");
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
  owners.push_back(controller_reference(set.name.view(), set.uid.view()));
  metadata["ownerReferences"] = std::move(owners);
  json::object pod{{"apiVersion", "v1"},
                   {"kind", "Pod"},
                   {"metadata", std::move(metadata)},
                   {"spec", std::move(schema::ensure_object(templ, {"spec"}))}};
  return model::create_request(model::collection_path(*model::pod_kind(), set.name_space.view()),
                               pod);
}

model::ApiRequest adopt_request(const Key& set, std::string_view set_uid, std::string_view pod,
                                std::string_view pod_uid) {
  return owners_patch(set, pod, pod_uid, controller_reference(set.name, set_uid));
}

model::ApiRequest release_request(const Key& set, std::string_view set_uid, std::string_view pod,
                                  std::string_view pod_uid) {
  return owners_patch(set, pod, pod_uid, {{"$patch", "delete"}, {"uid", set_uid}});
}

model::ApiRequest delete_pod_request(std::string_view name_space, std::string_view pod,
                                     std::string_view uid) {
  return model::delete_request(
      model::object_path(*model::pod_kind(),
                         {.namespace_name = std::string(name_space), .name = std::string(pod)}),
      {.uid = uid});
}

}  // namespace ebb::control
