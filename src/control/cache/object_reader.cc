#include "control/cache/object_reader.h"

#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/json/decode_node.h"
#include "model/json/decode_pod.h"
#include "model/json/decode_policy.h"
#include "model/json/decode_workload.h"
#include "model/json/identity.h"
#include "model/json/json_value.h"
#include "model/json/raw_json.h"
#include "model/protobuf/decode_node_protobuf.h"
#include "model/protobuf/decode_pod_protobuf.h"

namespace ebb::control {
namespace {

constexpr std::size_t kLargeBuffer = 1 << 20;

// `Pod shop/web-1`, with the parts that are known.
template <class Object>
std::string describe(std::string_view kind, const Object& object) {
  if (object.name.empty()) return fmt::format("a {} without a name", kind);
  if (object.namespace_name.empty()) return fmt::format("{} {}", kind, object.name.view());
  return fmt::format("{} {}/{}", kind, object.namespace_name.view(), object.name.view());
}

template <class Object>
void set_revision(Object& object, model::Revision revision) {
  if constexpr (requires { object.revision_seen; }) {
    object.revision_seen = revision;
  } else {
    object.revision = revision;
  }
}

template <class Object>
ReadObject<Object> damaged(const model::Identity& identity, model::Pool& pool) {
  ReadObject<Object> read{.damaged = true};
  Object& object = read.object;
  object.name = pool.intern(identity.name);
  if constexpr (std::is_same_v<Object, GroupCost>) {
    object.uid = identity.uid;
  } else {
    object.uid = pool.intern(identity.uid);
  }
  if constexpr (!std::is_same_v<Object, Node>) {
    object.namespace_name =
        pool.intern(identity.namespace_name.empty() ? "default" : identity.namespace_name);
  }
  set_revision(object, identity.revision);
  read.owner_known = identity.owner != model::Identity::Owner::kUnclear;
  if constexpr (std::is_same_v<Object, Pod>) {
    object.labels = pool.intern(std::vector<model::Label>());
    if (identity.owner == model::Identity::Owner::kKnown) {
      object.controller = model::known_owner(identity, pool);
    }
  }
  return read;
}

// The value of a string member without escapes.
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

// The text without one of its members and its comma.
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
  simdjson::dom::element element;
  const auto error = parser_.parse(padded_.data(), padded_.size(), false).get(element);
  if (error != simdjson::SUCCESS) {
    auto read = damaged<Object>(model::identity_in_json(json), pool);
    const std::string who =
        read.object.name.empty() ? fmt::format("a {}", kind) : describe(kind, read.object);
    read.problem = fmt::format("{} is not valid JSON: {}", who, simdjson::error_message(error));
    return read;
  }
  ReadObject<Object> read;
  model::DecodeContext context(pool);
  static_cast<decltype(decode(model::JsonValue(context, element)))&>(read.object) =
      decode(model::JsonValue(context, element));
  if (!context.problem()) return read;
  std::string problem = fmt::format("{}: {}", describe(kind, read.object), *context.problem());
  if (context.damaged()) read = damaged<Object>(model::identity_in_json(json), pool);
  read.problem = std::move(problem);
  return read;
}

template <class Object, class Record>
ReadObject<Object> ObjectReader::take_protobuf(model::Decoded<Record> decoded,
                                               std::string_view message, model::Pool& pool) {
  if (decoded.damaged) {
    auto read = damaged<Object>(model::identity_in_protobuf(message), pool);
    read.problem = std::move(decoded.problem);
    return read;
  }
  ReadObject<Object> read{.problem = std::move(decoded.problem)};
  static_cast<Record&>(read.object) = std::move(decoded.record);
  return read;
}

ReadObject<Pod> ObjectReader::read_pod(Store::Format format, std::string_view text,
                                       model::Pool& pool) {
  if (format == Store::Format::kJson) return read_json<Pod>("Pod", text, pool, model::decode_pod);
  return take_protobuf<Pod>(model::read_pod_protobuf(text, pool), text, pool);
}

ReadObject<ReplicaSet> ObjectReader::read_replica_set(std::string_view json, model::Pool& pool) {
  auto read = read_json<ReplicaSet>("ReplicaSet", json, pool, model::decode_replica_set);
  if (!read.damaged) keep_text(json, "ReplicaSet", "apps/v1", read.object);
  return read;
}

ReadObject<Deployment> ObjectReader::read_deployment(std::string_view json, model::Pool& pool) {
  auto read = read_json<Deployment>("Deployment", json, pool, model::decode_deployment);
  if (!read.damaged) keep_text(json, "Deployment", "apps/v1", read.object);
  return read;
}

ReadObject<Policy> ObjectReader::read_policy(std::string_view json, model::Pool& pool) {
  auto read = read_json<Policy>("DownscalePolicy", json, pool, model::decode_policy);
  if (!read.damaged) keep_text(json, "DownscalePolicy", "ebb.dev/v1alpha1", read.object);
  return read;
}

ReadObject<Node> ObjectReader::read_node(Store::Format format, std::string_view text,
                                         model::Pool& pool) {
  if (format == Store::Format::kJson) {
    return read_json<Node>("Node", text, pool, model::decode_node);
  }
  return take_protobuf<Node>(model::read_node_protobuf(text, pool), text, pool);
}

ReadObject<GroupCost> ObjectReader::read_group_cost(std::string_view json, model::Pool& pool) {
  auto read = read_json<GroupCost>("PodGroupCost", json, pool, model::decode_pod_group_cost);
  if (read.damaged) return read;
  const std::string_view metadata = model::raw_member(json, "metadata");
  read.object.uid = text_of(metadata, "uid");
  read.object.resource_version = text_of(metadata, "resourceVersion");
  read.object.managed_by =
      text_of(model::raw_member(metadata, "labels"), "app.kubernetes.io/managed-by");
  return read;
}

ReadObject<DecisionObject> ObjectReader::read_decision_object(std::string_view json,
                                                              model::Pool& pool) {
  return read_json<DecisionObject>("DownscaleDecision", json, pool,
                                   model::decode_downscale_decision);
}

void ObjectReader::shrink() {
  if (padded_.capacity() < kLargeBuffer) return;
  padded_ = std::string();
  parser_ = simdjson::dom::parser();
}

}  // namespace ebb::control
