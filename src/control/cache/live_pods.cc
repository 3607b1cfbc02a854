#include "control/cache/live_pods.h"

#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <simdjson.h>

#include "control/core/json_document.h"
#include "control/core/object_json.h"
#include "model/api/requests.h"
#include "model/records/deletion_cost.h"
#include "model/records/ownership.h"
#include "model/records/scale_down_mark.h"
#include "schema/core/json.h"
#include "schema/core/selector_text.h"

namespace ebb::control {
namespace {

constexpr std::string_view kMetadataOnly =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      encoded += c;
    } else {
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return encoded;
}

std::string_view text_of(simdjson::simdjson_result<simdjson::dom::element> value) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? text : std::string_view();
}

bool is_controlled_by(simdjson::dom::element metadata, const LiveOwner& set) {
  simdjson::dom::array owners;
  if (metadata["ownerReferences"].get(owners) != simdjson::SUCCESS) return false;
  for (const simdjson::dom::element owner : owners) {
    bool controls = false;
    if (owner["controller"].get(controls) == simdjson::SUCCESS && controls) {
      return text_of(owner["uid"]) == set.uid && text_of(owner["name"]) == set.name &&
             text_of(owner["kind"]) == model::kReplicaSetKind;
    }
  }
  return false;
}

std::string mark_in(simdjson::dom::element metadata) {
  simdjson::dom::element annotations;
  if (metadata["annotations"].get(annotations) != simdjson::SUCCESS) return {};
  const std::string_view text = text_of(annotations[model::kScaleDownAnnotation]);
  const auto mark = model::parse_mark(text);
  const auto cost =
      model::parse_deletion_cost(text_of(annotations[model::kDeletionCostAnnotation]));
  return mark && cost == mark->cost ? std::string(text) : std::string();
}

}  // namespace

model::ApiRequest live_pods_request(const ReplicaSet& set) {
  model::ApiRequest request =
      model::get_request(model::collection_path(*model::pod_kind(), set.namespace_name.view()));
  request.accept = kMetadataOnly;
  const auto object = parse_document(set.json);
  if (!object) return request;
  const auto selector = schema::selector_text(schema::object_at(*object, {"spec", "selector"}));
  if (selector && !selector->empty()) {
    request.query = "labelSelector=" + percent_encoded(*selector);
  }
  return request;
}

Result<LivePods> read_live_pods(std::string_view body, const LiveOwner& set) {
  simdjson::dom::parser parser;
  simdjson::dom::element list;
  simdjson::dom::array items;
  if (parser.parse(body.data(), body.size()).get(list) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidInput, "the list of pods is not valid JSON");
  }
  if (const auto found = list["items"];
      found.error() == simdjson::NO_SUCH_FIELD || found.get(items) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidInput, "the list of pods has no items");
  }
  LivePods live;
  live.revision = revision_number(text_of(list["metadata"]["resourceVersion"]));
  for (const simdjson::dom::element item : items) {
    simdjson::dom::element metadata;
    if (item["metadata"].get(metadata) != simdjson::SUCCESS) {
      return fail(ErrorCode::kInvalidInput, "a pod in the list has no metadata");
    }
    if (!is_controlled_by(metadata, set)) continue;
    if (text_of(metadata["name"]).empty() || text_of(metadata["uid"]).empty()) {
      return fail(ErrorCode::kInvalidInput, "a pod in the list has no name or no uid");
    }
    live.pods.push_back({.name = std::string(text_of(metadata["name"])),
                         .uid = std::string(text_of(metadata["uid"])),
                         .revision = revision_number(text_of(metadata["resourceVersion"])),
                         .deleting = !text_of(metadata["deletionTimestamp"]).empty(),
                         .mark = mark_in(metadata)});
  }
  return live;
}

}  // namespace ebb::control
