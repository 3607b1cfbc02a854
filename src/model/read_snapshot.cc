#include "model/read_snapshot.h"

#include <boost/unordered/unordered_flat_set.hpp>
#include <fmt/format.h>
#include <simdjson.h>

#include "model/yaml_to_json.h"

namespace ebb::model {
namespace {

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

// Records are matched by name and uid, so each may stand for one object only.
template <class Record>
Result<void> check_unique(std::string_view kind, const std::vector<Record>& records) {
  boost::unordered_flat_set<NamespacedName> names;
  boost::unordered_flat_set<Interned> uids;
  names.reserve(records.size());
  uids.reserve(records.size());
  for (const Record& record : records) {
    if (!names.insert({record.name_space, record.name}).second) {
      return fail(ErrorCode::kInvalidInput,
                  fmt::format("{} {}/{} is given twice; give each object once", kind,
                              record.name_space.view(), record.name.view()));
    }
    if (!uids.insert(record.uid).second) {
      return fail(
          ErrorCode::kInvalidInput,
          fmt::format("{} {}/{}: metadata.uid: {} belongs to another {} as well", kind,
                      record.name_space.view(), record.name.view(), record.uid.view(), kind));
    }
  }
  return {};
}

bool starts_like_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

// The 1-based number of the first line that is not valid UTF-8.
std::size_t find_invalid_line(std::string_view text) {
  std::size_t line = 1;
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    if (!simdjson::validate_utf8(text.data(), end)) break;
    text.remove_prefix(end + 1);
    ++line;
  }
  return line;
}

}  // namespace

Result<void> SnapshotReader::add(std::string_view source, std::string_view text,
                                 const std::function<void(std::size_t)>& progress) {
  auto added = add_text(text, progress);
  if (added) return {};
  return fail(added.error().code, fmt::format("{}: {}", source, added.error().message));
}

Result<void> SnapshotReader::add_text(std::string_view text,
                                      const std::function<void(std::size_t)>& progress) {
  if (starts_like_utf16(text)) {
    return fail(ErrorCode::kInvalidInput, "is UTF-16; save it as UTF-8");
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) {
    return fail(ErrorCode::kInvalidInput, "is empty; expected what kubectl get -o json prints");
  }
  if (text[first] == '{' || text[first] == '[') return decoder_.decode(text, snapshot_);

  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("line {}: is not valid UTF-8", find_invalid_line(text)));
  }
  auto json = yaml_to_json(text, progress);
  if (!json) return propagate(json);
  const simdjson::padded_string padded(*json);
  std::string_view rest = padded;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    if (auto done = decoder_.decode(rest.substr(0, end), snapshot_); !done) return propagate(done);
    rest.remove_prefix(end + 1);
  }
  return {};
}

Result<Snapshot> SnapshotReader::finish() && {
  for (const auto& checked :
       {check_unique("Pod", snapshot_.pods), check_unique("ReplicaSet", snapshot_.replica_sets),
        check_unique("Deployment", snapshot_.deployments)}) {
    if (!checked) return tl::unexpected(checked.error());
  }
  return std::move(snapshot_);
}

}  // namespace ebb::model
