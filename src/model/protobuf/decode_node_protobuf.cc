#include "model/protobuf/decode_node_protobuf.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/protobuf/wire_fields.h"
#include "model/protobuf/wire_reading.h"
#include "model/records/pod_text.h"

namespace ebb::model {
namespace {

constexpr std::string_view kLabelsPath = "metadata.labels";
constexpr std::string_view kTaintsPath = "spec.taints";

// Go sends maps sorted by key, but the format does not require it.
const LabelSet* make_labels(std::vector<Label> labels, WireReading& reading) {
  if (sort_by_key(labels) != nullptr) reading.report(kLabelsPath, "a key occurs twice");
  return reading.pool().intern(std::move(labels));
}

Node read_metadata(std::string_view message, WireReading& reading) {
  Node node;
  std::string_view name;
  std::string_view uid;
  std::vector<Label> labels;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kName) name = fields.bytes();
    if (fields.field() == wire::kUid) uid = fields.bytes();
    if (fields.field() == wire::kResourceVersion) {
      node.revision_seen = parse_revision(fields.bytes());
    }
    if (fields.field() == wire::kLabels) {
      labels.push_back(reading.label(fields.bytes(), kLabelsPath));
    }
  }
  reading.check(fields, "metadata");
  if (name.empty()) reading.report("metadata.name", "is missing");
  if (std::max(name.size(), uid.size()) > kLongestName) {
    reading.report("metadata", fmt::format("has a name of more than {} bytes", kLongestName));
    return node;
  }
  node.name = reading.intern(name, "metadata.name");
  node.uid = reading.intern(uid, "metadata.uid");
  node.labels = make_labels(std::move(labels), reading);
  return node;
}

Taint read_taint(std::string_view message, WireReading& reading) {
  Taint taint;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kTaintKey) {
      taint.key = reading.intern_if_utf8(fields.bytes(), kTaintsPath);
    }
    if (fields.field() == wire::kTaintValue) {
      taint.value = reading.intern_if_utf8(fields.bytes(), kTaintsPath);
    }
    if (fields.field() == wire::kTaintEffect) taint.effect = parse_taint_effect(fields.bytes());
  }
  reading.check(fields, kTaintsPath);
  return taint;
}

void read_spec(std::string_view message, WireReading& reading, Node& node) {
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kTaints) node.taints.push_back(read_taint(fields.bytes(), reading));
    if (fields.field() == wire::kUnschedulable) node.unschedulable = fields.boolean();
  }
  reading.check(fields, "spec");
}

// As for pods, the first condition of the type counts.
void read_status(std::string_view message, WireReading& reading, Node& node) {
  bool seen = false;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() != wire::kNodeConditions) continue;
    std::string_view type;
    std::string_view status;
    WireReader condition(fields.bytes());
    while (condition.next()) {
      if (condition.field() == wire::kConditionType) type = condition.bytes();
      if (condition.field() == wire::kConditionStatus) status = condition.bytes();
    }
    reading.check(condition, "status.conditions");
    if (type == "Ready" && !std::exchange(seen, true)) node.ready = status == "True";
  }
  reading.check(fields, "status");
}

}  // namespace

Decoded<Node> read_node_protobuf(std::string_view message, Pool& pool) {
  WireReading reading(pool);
  std::string_view metadata;
  std::string_view spec;
  std::string_view status;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kMetadata) metadata = fields.bytes();
    if (fields.field() == wire::kSpec) spec = fields.bytes();
    if (fields.field() == wire::kStatus) status = fields.bytes();
  }
  reading.check(fields, "Node");
  Node node = read_metadata(metadata, reading);
  read_spec(spec, reading, node);
  read_status(status, reading, node);
  if (reading.problem().empty()) return {std::move(node), {}, false};
  const std::string who =
      node.name.empty() ? "a Node without a name" : fmt::format("Node {}", node.name.view());
  return {std::move(node), fmt::format("{}: {}", who, reading.problem()), reading.damaged()};
}

Result<Node> decode_node_protobuf(std::string_view message, Pool& pool) {
  Decoded<Node> read = read_node_protobuf(message, pool);
  if (read.problem.empty()) return std::move(read.record);
  return fail(ErrorCode::kInvalidInput, std::move(read.problem));
}

}  // namespace ebb::model
