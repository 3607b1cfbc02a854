#include "model/decode_node_protobuf.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <simdjson.h>

#include "model/pod_text.h"
#include "model/wire_fields.h"
#include "model/wire_reader.h"

namespace ebb::model {
namespace {

struct LabelText {
  std::string_view key;
  std::string_view value;
};

tl::unexpected<Error> no_node(std::string_view name, std::string_view problem) {
  return fail(ErrorCode::kInvalidInput,
              fmt::format("Node {}: {}", name.empty() ? "without a name" : name, problem));
}

bool is_text(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

// False: cut off, or no protobuf.
bool read_label(std::string_view entry, LabelText& label) {
  WireReader fields(entry);
  while (fields.next()) {
    if (fields.field() == wire::kKey) label.key = fields.bytes();
    if (fields.field() == wire::kValue) label.value = fields.bytes();
  }
  return fields.ok();
}

Result<Node> read_metadata(std::string_view message, Pool& pool) {
  std::string_view name;
  std::vector<LabelText> texts;
  bool whole = true;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kName) name = fields.bytes();
    if (fields.field() == wire::kLabels) {
      whole = read_label(fields.bytes(), texts.emplace_back()) && whole;
    }
  }
  if (!is_text(name) || name.size() > kLongestName) return no_node({}, "its name is none");
  if (!whole || !fields.ok()) return no_node(name, "metadata: is cut off or no protobuf");
  if (name.empty()) return no_node(name, "metadata.name: is missing");
  std::stable_sort(texts.begin(), texts.end(),
                   [](const LabelText& a, const LabelText& b) { return a.key < b.key; });
  std::vector<Label> labels;
  for (const LabelText& text : texts) {
    if (!is_text(text.key) || !is_text(text.value)) {
      return no_node(name, "metadata.labels: is no UTF-8");
    }
    if (!labels.empty() && labels.back().key.view() == text.key) {
      return no_node(name, "metadata.labels: a key stands twice");
    }
    labels.push_back({pool.intern(text.key), pool.intern(text.value)});
  }
  return Node{.name = pool.intern(name), .labels = pool.intern(std::move(labels))};
}

}  // namespace

Result<Node> decode_node_protobuf(std::string_view message, Pool& pool) {
  std::string_view metadata;
  WireReader fields(message);
  while (fields.next()) {
    if (fields.field() == wire::kMetadata) metadata = fields.bytes();
  }
  if (!fields.ok()) return no_node({}, "is cut off or no protobuf");
  return read_metadata(metadata, pool);
}

}  // namespace ebb::model
