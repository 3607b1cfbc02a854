#include "model/api/requests.h"

#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "schema/core/json.h"
#include "schema/core/time.h"

namespace ebb::model {
namespace {

ApiRequest with_body(Method method, std::string path, std::string_view content_type,
                     const boost::json::object& body) {
  return {.method = method,
          .path = std::move(path),
          .content_type = std::string(content_type),
          .accept = "application/json",
          .body = boost::json::serialize(body)};
}

const schema::Kind* core_kind(std::string_view name) {
  const schema::Kind* kind = schema::find_kind("v1", name);
  EBB_CHECK(kind != nullptr);
  return kind;
}

}  // namespace

ObjectName name_of(const boost::json::object& object) {
  return {.namespace_name = std::string(schema::text_at(object, {"metadata", "namespace"})),
          .name = std::string(schema::text_at(object, {"metadata", "name"}))};
}

std::string collection_path(const schema::Kind& kind, std::string_view namespace_name) {
  std::string path = kind.group.empty() ? fmt::format("/api/{}", kind.version)
                                        : fmt::format("/apis/{}/{}", kind.group, kind.version);
  if (kind.namespaced && !namespace_name.empty()) {
    path += fmt::format("/namespaces/{}", namespace_name);
  }
  return fmt::format("{}/{}", path, kind.plural);
}

std::string object_path(const schema::Kind& kind, const ObjectName& name,
                        std::string_view subresource) {
  std::string path = fmt::format("{}/{}", collection_path(kind, name.namespace_name), name.name);
  if (!subresource.empty()) path += fmt::format("/{}", subresource);
  return path;
}

ApiRequest get_request(std::string path) {
  return {.method = Method::kGet, .path = std::move(path), .accept = "application/json"};
}

ApiRequest create_request(std::string path, const boost::json::object& body) {
  return with_body(Method::kPost, std::move(path), "application/json", body);
}

ApiRequest replace_request(std::string path, const boost::json::object& body) {
  return with_body(Method::kPut, std::move(path), "application/json", body);
}

ApiRequest strategic_patch_request(std::string path, const boost::json::object& body) {
  return with_body(Method::kPatch, std::move(path), "application/strategic-merge-patch+json", body);
}

ApiRequest merge_patch_request(std::string path, const boost::json::object& body) {
  return with_body(Method::kPatch, std::move(path), "application/merge-patch+json", body);
}

ApiRequest delete_request(std::string path, const DeleteOptions& options) {
  boost::json::object body{{"apiVersion", "v1"}, {"kind", "DeleteOptions"}};
  if (options.grace_seconds >= 0) body["gracePeriodSeconds"] = options.grace_seconds;
  boost::json::object preconditions;
  if (!options.uid.empty()) preconditions["uid"] = options.uid;
  if (!options.resource_version.empty()) {
    preconditions["resourceVersion"] = options.resource_version;
  }
  if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
  if (!options.propagation.empty()) body["propagationPolicy"] = options.propagation;
  return with_body(Method::kDelete, std::move(path), "application/json", body);
}

std::string time_text(Timestamp time) {
  std::string text = schema::format_time(time);
  const std::size_t fraction = text.find('.');
  return fraction == std::string::npos ? text : text.substr(0, fraction) + "Z";
}

std::string micro_time_text(Timestamp time) {
  const Nanoseconds part = time.is_zero() ? 0 : time.since_epoch_ns() % kNanosecondsPerSecond;
  std::string text = time_text(time);
  text.pop_back();  // Z
  return fmt::format("{}.{:06}Z", text,
                     (part < 0 ? part + kNanosecondsPerSecond : part) / kMicrosecond);
}

Timestamp time_at(const boost::json::object& object, std::initializer_list<std::string_view> path) {
  const std::string_view text = schema::text_at(object, path);
  if (text.empty()) return {};
  return schema::parse_time(text).value_or(Timestamp{});
}

const schema::Kind* pod_kind() {
  static const schema::Kind* const kKind = core_kind("Pod");
  return kKind;
}
const schema::Kind* node_kind() {
  static const schema::Kind* const kKind = core_kind("Node");
  return kKind;
}
const schema::Kind* event_kind() {
  static const schema::Kind* const kKind = core_kind("Event");
  return kKind;
}
const schema::Kind* namespace_kind() {
  static const schema::Kind* const kKind = core_kind("Namespace");
  return kKind;
}
const schema::Kind* lease_kind() {
  static const schema::Kind* const kKind = schema::find_kind("coordination.k8s.io/v1", "Lease");
  return kKind;
}

}  // namespace ebb::model
