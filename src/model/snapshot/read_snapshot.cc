#include "model/snapshot/read_snapshot.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>
#include <simdjson.h>

#include "model/json/identity.h"
#include "model/json/list_decoder.h"
#include "model/json/printable.h"
#include "model/json/text_position.h"
#include "model/protobuf/decode_node_protobuf.h"
#include "model/protobuf/decode_pod_protobuf.h"
#include "model/protobuf/wire_frames.h"
#include "model/yaml/yaml_to_json.h"

namespace ebb::model {
namespace {

constexpr std::string_view kEmpty = "is empty; expected the output of kubectl get -o json";

struct NamespacedName {
  Interned namespace_name;
  Interned name;

  friend bool operator==(const NamespacedName&, const NamespacedName&) = default;
  friend std::size_t hash_value(const NamespacedName& id) {
    std::size_t seed = hash_value(id.name);
    boost::hash_combine(seed, id.namespace_name);
    return seed;
  }
};

// Records are matched by name, so names must be unique.
template <class Record>
Result<void> check_names(std::string_view kind, const std::vector<Record>& records) {
  boost::unordered_flat_set<NamespacedName> names;
  names.reserve(records.size());
  for (const Record& record : records) {
    if (names.insert({record.namespace_name, record.name}).second) continue;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} {}/{} is given twice; give each once", kind,
                            record.namespace_name.view(), record.name.view()));
  }
  return {};
}

// Owner references are matched by uid.
template <class Record>
Result<void> check_uids(std::string_view kind, const std::vector<Record>& records) {
  boost::unordered_flat_map<Interned, const Record*> uids;
  uids.reserve(records.size());
  for (const Record& record : records) {
    const auto [first, is_new] = uids.emplace(record.uid, &record);
    if (is_new) continue;
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{} {}/{}: metadata.uid: {} is the uid of {}/{} as well", kind,
                            record.namespace_name.view(), record.name.view(), record.uid.view(),
                            first->second->namespace_name.view(), first->second->name.view()));
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
  EBB_ASSIGN_OR_RETURN(auto documents, yaml_to_json(text, progress));
  if (documents.empty()) return fail(ErrorCode::kInvalidInput, std::string(kEmpty));
  for (YamlDocument& document : documents) {
    document.json.reserve(document.json.size() + simdjson::SIMDJSON_PADDING);
    auto done = decoder_.decode(document.json, snapshot_);
    if (done) continue;
    if (documents.size() == 1) return done;
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
  EBB_ASSIGN_OR_RETURN(auto envelope, open_envelope(bytes));
  EBB_ASSIGN_OR_RETURN(auto list, read_list(envelope.message));
  for (const std::string_view item : list.items) {
    Result<void> taken;
    if (envelope.kind == "PodList") {
      taken = take_protobuf("Pod", item, read_pod_protobuf(item, snapshot_.pool), snapshot_.pods);
    } else if (envelope.kind == "NodeList") {
      taken =
          take_protobuf("Node", item, read_node_protobuf(item, snapshot_.pool), snapshot_.nodes);
    } else {
      taken = fail(
          ErrorCode::kInvalidInput,
          fmt::format("is a {} in protobuf; only pods and nodes are supported", envelope.kind));
    }
    if (!taken) return propagate(taken);
  }
  return std::string(list.continue_token);
}

template <class Record>
Result<void> SnapshotReader::take_protobuf(std::string_view kind, std::string_view item,
                                           Decoded<Record> decoded, std::vector<Record>& records) {
  if (!decoded.problem.empty() && on_invalid_ == OnInvalid::kFail) {
    return fail(ErrorCode::kInvalidInput, std::move(decoded.problem));
  }
  if (!decoded.problem.empty()) decoded.problem = printable_and_short(decoded.problem);
  if (decoded.damaged) {
    snapshot_.undecoded.push_back(undecoded_object(kind, identity_in_protobuf(item),
                                                   std::move(decoded.problem), snapshot_.pool));
    return {};
  }
  if (!decoded.problem.empty()) snapshot_.remarks.push_back(std::move(decoded.problem));
  records.push_back(std::move(decoded.record));
  return {};
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
          .skipped = all.skipped,
          .undecoded = all.undecoded.size(),
          .remarks = all.remarks.size()};
}

void SnapshotReader::take_back(const Mark& mark) {
  snapshot_.pods.resize(mark.pods);
  snapshot_.replica_sets.resize(mark.replica_sets);
  snapshot_.deployments.resize(mark.deployments);
  snapshot_.nodes.resize(mark.nodes);
  snapshot_.policies.resize(mark.policies);
  snapshot_.pod_group_costs.resize(mark.pod_group_costs);
  snapshot_.skipped = mark.skipped;
  snapshot_.undecoded.resize(mark.undecoded);
  snapshot_.remarks.resize(mark.remarks);
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
