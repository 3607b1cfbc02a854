#include "model/decode_node_protobuf.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "model/pod_text.h"
#include "model/wire_fields.h"
#include "model/wire_reader.h"

namespace ebb::model {
namespace {

struct Reading {
  Pool& pool;
  std::string problem{};

  void report(std::string_view where, std::string_view what) {
    if (problem.empty()) problem = fmt::format("{}: {}", where, what);
  }
  void check(const WireReader& fields, std::string_view where) {
    if (!fields.ok()) report(where, "is cut off or no protobuf");
  }
  Interned intern(std::string_view text, std::string_view where) {
    if (simdjson::validate_utf8(text.data(), text.size())) return pool.intern(text);
    report(where, "is no UTF-8");
    return {};
  }
};

Label read_label(std::string_view entry, Reading& reading) {
  std::string_view key;
  std::string_view value;
  WireReader fields(entry);
  while (fields.next()) {
    if (fields.field() == wire::kKey) key = fields.bytes();
    if (fields.field() == wire::kValue) value = fields.bytes();
  }
  reading.check(fields, "metadata.labels");
  return {reading.intern(key, "metadata.labels"), reading.intern(value, "metadata.labels")};
}

// Go sends maps sorted by their keys, but nothing says that it must.
const LabelSet* make_labels(std::vector<Label> labels, Reading& reading) {
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Label& a, const Label& b) { return a.key.view() < b.key.view(); });
  const auto twice = std::adjacent_find(
      labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.key == b.key; });
  if (twice != labels.end()) reading.report("metadata.labels", "a key stands twice");
  return reading.pool.intern(std::move(labels));
}

Node read_metadata(std::string_view message, Reading& reading) {
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
    if (fields.field() == wire::kLabels) labels.push_back(read_label(fields.bytes(), reading));
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

}  // namespace

Result<Node> decode_node_protobuf(std::string_view message, Pool& pool) {
  Reading reading{.pool = pool};
  std::string_view metadata;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kMetadata) metadata = fields.bytes();
  }
  reading.check(fields, "Node");
  const Node node = read_metadata(metadata, reading);
  if (reading.problem.empty()) return node;
  const std::string who =
      node.name.empty() ? "a Node without a name" : fmt::format("Node {}", node.name.view());
  return fail(ErrorCode::kInvalidInput, fmt::format("{}: {}", who, reading.problem));
}

}  // namespace ebb::model
