#include "control/object_reader.h"

#include <utility>

#include <fmt/format.h>

#include "model/decode_node.h"
#include "model/decode_node_protobuf.h"
#include "model/decode_pod.h"
#include "model/decode_pod_protobuf.h"
#include "model/decode_policy.h"
#include "model/decode_workload.h"
#include "model/json_value.h"
#include "model/raw_json.h"

namespace ebb::control {
namespace {

constexpr std::size_t kLargeBuffer = 1 << 20;

// `Pod shop/web-1`, as far as it is known.
template <class Object>
std::string describe(std::string_view kind, const Object& object) {
  if (object.name.empty()) return fmt::format("a {} without a name", kind);
  if (object.name_space.empty()) return fmt::format("{} {}", kind, object.name.view());
  return fmt::format("{} {}/{}", kind, object.name_space.view(), object.name.view());
}

// Of a member that is a text in which nothing needs to be escaped.
std::string_view text_of(std::string_view object, std::string_view key) {
  const std::string_view text = model::raw_member(object, key);
  return text.size() >= 2 && text.front() == '"' ? text.substr(1, text.size() - 2)
                                                 : std::string_view();
}

template <class Workload>
void keep_text(std::string_view json, std::string_view kind, std::string_view api_version,
               Workload& workload) {
  workload.json = kept_text(json, kind, api_version);
  workload.resource_version = text_of(model::raw_member(json, "metadata"), "resourceVersion");
}

// The text without one of its members, and without the comma that belonged to it.
std::string without(std::string_view text, std::string_view member) {
  auto start = static_cast<std::size_t>(member.data() - text.data());
  std::size_t end = start + member.size();
  const std::size_t after = text.find_first_not_of(" \t\r\n", end);
  if (after != std::string_view::npos && text[after] == ',') {
    end = after + 1;
  } else if (const std::size_t before = text.find_last_not_of(" \t\r\n", start - 1);
             before != std::string_view::npos && text[before] == ',') {
    start = before;
  }
  std::string kept;
  kept.reserve(text.size() - (end - start));
  kept += text.substr(0, start);
  kept += text.substr(end);
  return kept;
}

}  // namespace

std::string kept_text(std::string_view json, std::string_view kind, std::string_view api_version) {
  std::string_view managed;
  model::RawJsonCursor metadata(model::raw_member(json, "metadata"));
  while (const auto member = metadata.next()) {
    if (member->key == "managedFields") managed = member->whole;
  }
  std::string kept = managed.empty() ? std::string(json) : without(json, managed);
  if (model::raw_member(json, "kind").empty()) {
    kept.insert(kept.find('{') + 1,
                fmt::format(R"("kind":"{}","apiVersion":"{}",)", kind, api_version));
    kept.shrink_to_fit();
  }
  return kept;
}

template <class Object, class Decode>
ReadObject<Object> ObjectReader::read_json(std::string_view kind, std::string_view json,
                                           model::Pool& pool, Decode decode) {
  padded_.reserve(json.size() + simdjson::SIMDJSON_PADDING);
  padded_.assign(json);
  ReadObject<Object> read;
  simdjson::dom::element element;
  const auto error = parser_.parse(padded_.data(), padded_.size(), false).get(element);
  if (error != simdjson::SUCCESS) {
    read.complete = fail(ErrorCode::kInvalidInput,
                         fmt::format("a {} is no JSON: {}", kind, simdjson::error_message(error)));
    return read;
  }
  model::DecodeContext context(pool);
  static_cast<decltype(decode(model::JsonValue(context, element)))&>(read.object) =
      decode(model::JsonValue(context, element));
  if (context.problem()) {
    read.complete = fail(ErrorCode::kInvalidInput,
                         fmt::format("{}: {}", describe(kind, read.object), *context.problem()));
  }
  return read;
}

ReadObject<Pod> ObjectReader::read_pod(Store::Format format, std::string_view text,
                                       model::Pool& pool) {
  if (format == Store::Format::kJson) return read_json<Pod>("Pod", text, pool, model::decode_pod);
  ReadObject<Pod> read;
  auto pod = model::decode_pod_protobuf(text, pool);
  if (pod) {
    read.object = *pod;
  } else {
    read.complete = propagate(pod);
  }
  return read;
}

ReadObject<ReplicaSet> ObjectReader::read_replica_set(std::string_view json, model::Pool& pool) {
  auto read = read_json<ReplicaSet>("ReplicaSet", json, pool, model::decode_replica_set);
  if (read.complete) keep_text(json, "ReplicaSet", "apps/v1", read.object);
  return read;
}

ReadObject<Deployment> ObjectReader::read_deployment(std::string_view json, model::Pool& pool) {
  auto read = read_json<Deployment>("Deployment", json, pool, model::decode_deployment);
  if (read.complete) keep_text(json, "Deployment", "apps/v1", read.object);
  return read;
}

ReadObject<Policy> ObjectReader::read_policy(std::string_view json, model::Pool& pool) {
  auto read = read_json<Policy>("DownscalePolicy", json, pool, model::decode_policy);
  if (read.complete) keep_text(json, "DownscalePolicy", "ebb.dev/v1alpha1", read.object);
  return read;
}

ReadObject<Node> ObjectReader::read_node(Store::Format format, std::string_view text,
                                         model::Pool& pool) {
  if (format == Store::Format::kJson) {
    return read_json<Node>("Node", text, pool, model::decode_node);
  }
  ReadObject<Node> read;
  auto node = model::decode_node_protobuf(text, pool);
  if (node) {
    static_cast<model::Node&>(read.object) = *node;
  } else {
    read.complete = propagate(node);
  }
  return read;
}

ReadObject<GroupCost> ObjectReader::read_group_cost(std::string_view json, model::Pool& pool) {
  auto read = read_json<GroupCost>("PodGroupCost", json, pool, model::decode_pod_group_cost);
  const std::string_view metadata = model::raw_member(json, "metadata");
  read.object.uid = text_of(metadata, "uid");
  read.object.resource_version = text_of(metadata, "resourceVersion");
  read.object.managed_by =
      text_of(model::raw_member(metadata, "labels"), "app.kubernetes.io/managed-by");
  return read;
}

void ObjectReader::shrink() {
  if (padded_.capacity() < kLargeBuffer) return;
  padded_ = std::string();
  parser_ = simdjson::dom::parser();
}

}  // namespace ebb::control
