// Reads a snapshot from a file in any format that kubectl writes.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/json/decode_json.h"
#include "model/json/list_decoder.h"
#include "model/records/decoded.h"
#include "model/records/snapshot.h"

namespace ebb::model {

// Lists of at least this size are decoded item by item.
inline constexpr std::size_t kLargeText = std::size_t{1} << 20;

// Collects objects from any number of sources into one snapshot.
class SnapshotReader {
 public:
  // Objects from a cluster are isolated from each other (OnInvalid::kKeepOthers): an invalid object
  // of one tenant must not hide those of others. In a file the user can correct invalid values.
  explicit SnapshotReader(OnInvalid on_invalid = OnInvalid::kFail)
      : on_invalid_(on_invalid), decoder_(on_invalid) {}

  // `text` is JSON if it begins with `{` or `[`, as for kubectl, and YAML otherwise. It must be
  // followed by simdjson::SIMDJSON_PADDING readable bytes. Errors name `source`. `progress` reports
  // how many bytes of a slow source (YAML) were read.
  [[nodiscard]] Result<void> add(std::string_view source, std::string_view text,
                                 const std::function<void(std::size_t)>& progress = {});

  // A list of pods or nodes in Kubernetes protobuf, in its envelope. Returns the token for the next
  // page; empty if there is none.
  [[nodiscard]] Result<std::string> add_protobuf_list(std::string_view source,
                                                      std::string_view bytes);

  // A position to roll back to.
  struct Mark {
    std::size_t count = 0;
    std::size_t pods = 0;
    std::size_t replica_sets = 0;
    std::size_t deployments = 0;
    std::size_t nodes = 0;
    std::size_t policies = 0;
    std::size_t pod_group_costs = 0;
    std::map<std::string, std::size_t> skipped{};
    std::size_t undecoded = 0;
    std::size_t remarks = 0;
  };
  [[nodiscard]] Mark mark() const;
  void take_back(const Mark& mark);
  // The objects read so far; duplicates have not been checked yet.
  [[nodiscard]] const Snapshot& so_far() const { return snapshot_; }
  // Objects so far, without skipped ones.
  [[nodiscard]] std::size_t count() const;

  // For a source that looks like a large list and can be read again if it is not one.
  [[nodiscard]] ListDecoder list_decoder() { return ListDecoder(snapshot_); }

  // The snapshot; an error if an object was given twice.
  [[nodiscard]] Result<Snapshot> finish() &&;

 private:
  [[nodiscard]] Result<void> add_text(std::string_view text,
                                      const std::function<void(std::size_t)>& progress);

  [[nodiscard]] Result<void> add_yaml(std::string_view text,
                                      const std::function<void(std::size_t)>& progress);

  [[nodiscard]] Result<std::string> add_protobuf(std::string_view bytes);

  template <class Record>
  [[nodiscard]] Result<void> take_protobuf(std::string_view kind, std::string_view item,
                                           Decoded<Record> decoded, std::vector<Record>& records);

  OnInvalid on_invalid_;
  JsonDecoder decoder_;
  Snapshot snapshot_;
};

}  // namespace ebb::model
