#include "control/live_pods.h"

#include <boost/json/object.hpp>
#include <fmt/format.h>
#include <simdjson.h>

#include "control/json_document.h"
#include "control/object_json.h"
#include "model/requests.h"
#include "schema/json.h"
#include "schema/selector_text.h"

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

bool is_controlled_by(simdjson::dom::element metadata, std::string_view uid) {
  simdjson::dom::array owners;
  if (metadata["ownerReferences"].get(owners) != simdjson::SUCCESS) return false;
  for (const simdjson::dom::element owner : owners) {
    bool controls = false;
    if (owner["controller"].get(controls) == simdjson::SUCCESS && controls) {
      return text_of(owner["uid"]) == uid;
    }
  }
  return false;
}

}  // namespace

model::ApiRequest live_pods_request(const ReplicaSet& set) {
  model::ApiRequest request =
      model::get_request(model::collection_path(*model::pod_kind(), set.name_space.view()));
  request.accept = kMetadataOnly;
  const auto object = parse_document(set.json);
  if (!object) return request;
  const auto selector = schema::selector_text(schema::object_at(*object, {"spec", "selector"}));
  if (selector && !selector->empty()) {
    request.query = "labelSelector=" + percent_encoded(*selector);
  }
  return request;
}

Result<LivePods> read_live_pods(std::string_view body, std::string_view set_uid) {
  simdjson::dom::parser parser;
  simdjson::dom::element list;
  simdjson::dom::array items;
  if (parser.parse(body.data(), body.size()).get(list) != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidInput, "the list of pods is no JSON");
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
    if (!is_controlled_by(metadata, set_uid)) continue;
    live.pods.push_back({.name = std::string(text_of(metadata["name"])),
                         .uid = std::string(text_of(metadata["uid"])),
                         .revision = revision_number(text_of(metadata["resourceVersion"])),
                         .deleting = !text_of(metadata["deletionTimestamp"]).empty()});
  }
  return live;
}

}  // namespace ebb::control
