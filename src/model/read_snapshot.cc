#include "model/read_snapshot.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>
#include <simdjson.h>

#include "model/decode_node_protobuf.h"
#include "model/decode_pod_protobuf.h"
#include "model/list_decoder.h"
#include "model/printable.h"
#include "model/text_position.h"
#include "model/wire_frames.h"
#include "model/yaml_to_json.h"

namespace ebb::model {
namespace {

constexpr std::string_view kEmpty = "is empty; expected what kubectl get -o json prints";

struct NamespacedName {
  Interned name_space;
  Interned name;

  friend bool operator==(const NamespacedName&, const NamespacedName&) = default;
  friend std::size_t hash_value(const NamespacedName& id) {
    std::size_t seed = hash_value(id.name);
    boost::hash_combine(seed, id.name_space);
    return seed;
  }
};

// Records are matched by name, so each may stand for one object only.
template <class Record>
Result<void> check_names(std::string_view kind, const std::vector<Record>& records) {
  boost::unordered_flat_set<NamespacedName> names;
  names.reserve(records.size());
  for (const Record& record : records) {
    if (names.insert({record.name_space, record.name}).second) continue;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} {}/{} is given twice; give each once", kind,
                            record.name_space.view(), record.name.view()));
  }
  return {};
}

// Owner references go by uid.
template <class Record>
Result<void> check_uids(std::string_view kind, const std::vector<Record>& records) {
  boost::unordered_flat_map<Interned, const Record*> uids;
  uids.reserve(records.size());
  for (const Record& record : records) {
    const auto [first, is_new] = uids.emplace(record.uid, &record);
    if (is_new) continue;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} {}/{}: metadata.uid: {} is the uid of {}/{} as well", kind,
                            record.name_space.view(), record.name.view(), record.uid.view(),
                            first->second->name_space.view(), first->second->name.view()));
  }
  return {};
}

Result<void> check_nodes(const std::vector<Node>& nodes) {
  boost::unordered_flat_set<Interned> names;
  for (const Node& node : nodes) {
    if (names.insert(node.name).second) continue;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("Node {} is given twice; give each once", node.name.view()));
  }
  return {};
}

bool starts_like_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

}  // namespace

Result<void> SnapshotReader::add(std::string_view source, std::string_view text,
                                 const std::function<void(std::size_t)>& progress) {
  auto added = add_text(text, progress);
  if (added) return {};
  return fail(added.error().code,
              fmt::format("{}: {}", source, printable_and_short(added.error().message)));
}

Result<void> SnapshotReader::add_text(std::string_view text,
                                      const std::function<void(std::size_t)>& progress) {
  if (starts_like_utf16(text)) {
    return fail(ErrorCode::kInvalidInput, "is UTF-16; save it as UTF-8");
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return fail(ErrorCode::kInvalidInput, std::string(kEmpty));
  }
  if (text[first] == '{' || text[first] == '[') {
    if (text.size() >= kLargeText && decode_list(text, snapshot_)) return {};
    return decoder_.decode(text, snapshot_);
  }
  return add_yaml(text, progress);
}

Result<void> SnapshotReader::add_yaml(std::string_view text,
                                      const std::function<void(std::size_t)>& progress) {
  auto documents = yaml_to_json(text, progress);
  if (!documents) return propagate(documents);
  if (documents->empty()) return fail(ErrorCode::kInvalidInput, std::string(kEmpty));
  for (YamlDocument& document : *documents) {
    document.json.reserve(document.json.size() + simdjson::SIMDJSON_PADDING);
    auto done = decoder_.decode(document.json, snapshot_);
    if (done) continue;
    if (documents->size() == 1) return done;
    return fail(done.error().code,
                fmt::format("document at {}: {}", describe_position(text, document.offset),
                            done.error().message));
  }
  return {};
}

Result<std::string> SnapshotReader::add_protobuf_list(std::string_view source,
                                                      std::string_view bytes) {
  auto token = add_protobuf(bytes);
  if (token) return token;
  return fail(token.error().code,
              fmt::format("{}: {}", source, printable_and_short(token.error().message)));
}

Result<std::string> SnapshotReader::add_protobuf(std::string_view bytes) {
  auto envelope = open_envelope(bytes);
  if (!envelope) return propagate(envelope);
  auto list = read_list(envelope->message);
  if (!list) return propagate(list);
  for (const std::string_view item : list->items) {
    if (envelope->kind == "PodList") {
      auto pod = decode_pod_protobuf(item, snapshot_.pool);
      if (!pod) return propagate(pod);
      snapshot_.pods.push_back(*pod);
    } else if (envelope->kind == "NodeList") {
      auto node = decode_node_protobuf(item, snapshot_.pool);
      if (!node) return propagate(node);
      snapshot_.nodes.push_back(*node);
    } else {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("is a {} in protobuf, of which only pods and nodes are read",
                              envelope->kind));
    }
  }
  return std::string(list->continue_token);
}

SnapshotReader::Mark SnapshotReader::mark() const {
  const Snapshot& all = snapshot_;
  return {.count = count(),
          .pods = all.pods.size(),
          .replica_sets = all.replica_sets.size(),
          .deployments = all.deployments.size(),
          .nodes = all.nodes.size(),
          .policies = all.policies.size(),
          .pod_group_costs = all.pod_group_costs.size(),
          .skipped = all.skipped};
}

void SnapshotReader::take_back(const Mark& mark) {
  snapshot_.pods.resize(mark.pods);
  snapshot_.replica_sets.resize(mark.replica_sets);
  snapshot_.deployments.resize(mark.deployments);
  snapshot_.nodes.resize(mark.nodes);
  snapshot_.policies.resize(mark.policies);
  snapshot_.pod_group_costs.resize(mark.pod_group_costs);
  snapshot_.skipped = mark.skipped;
}

std::size_t SnapshotReader::count() const {
  const Snapshot& all = snapshot_;
  return all.pods.size() + all.replica_sets.size() + all.deployments.size() + all.nodes.size() +
         all.policies.size() + all.pod_group_costs.size();
}

Result<Snapshot> SnapshotReader::finish() && {
  const Snapshot& all = snapshot_;
  for (const auto& checked :
       {check_names("Pod", all.pods), check_uids("Pod", all.pods),
        check_names("ReplicaSet", all.replica_sets), check_uids("ReplicaSet", all.replica_sets),
        check_names("Deployment", all.deployments), check_uids("Deployment", all.deployments),
        check_names("DownscalePolicy", all.policies),
        check_names("PodGroupCost", all.pod_group_costs), check_nodes(all.nodes)}) {
    if (!checked) return fail(checked.error().code, printable_and_short(checked.error().message));
  }
  return std::move(snapshot_);
}

}  // namespace ebb::model
