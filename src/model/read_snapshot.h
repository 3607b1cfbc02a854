// From the bytes of a file to a snapshot, whatever form kubectl gave them.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/decode_json.h"
#include "model/list_decoder.h"
#include "model/snapshot.h"

namespace ebb::model {

// From this size on, a list is worth being decoded item by item.
inline constexpr std::size_t kLargeText = std::size_t{1} << 20;

// Collects objects from any number of sources into one snapshot.
class SnapshotReader {
 public:
  // `text` is JSON if it begins with `{` or `[`, as for kubectl, and YAML otherwise.
  // It must be followed by simdjson::SIMDJSON_PADDING readable bytes. Errors name `source`.
  // `progress` is told how many bytes of a slow source (YAML) were taken in.
  [[nodiscard]] Result<void> add(std::string_view source, std::string_view text,
                                 const std::function<void(std::size_t)>& progress = {});

  // A list of pods or nodes in Kubernetes protobuf, in its envelope. Gives the token that asks for
  // the next page; empty: there is none.
  [[nodiscard]] Result<std::string> add_protobuf_list(std::string_view source,
                                                      std::string_view bytes);

  // How far it has got, so that what was added later can be taken back.
  struct Mark {
    std::size_t count = 0;
    std::size_t pods = 0;
    std::size_t replica_sets = 0;
    std::size_t deployments = 0;
    std::size_t nodes = 0;
    std::size_t policies = 0;
    std::size_t pod_group_costs = 0;
    std::map<std::string, std::size_t> skipped{};
  };
  [[nodiscard]] Mark mark() const;
  void take_back(const Mark& mark);
  // What has been read so far; an object may still be there twice.
  [[nodiscard]] const Snapshot& so_far() const { return snapshot_; }
  // Objects so far, without those that were skipped.
  [[nodiscard]] std::size_t count() const;

  // For a source that is a large list and can be read again if it is not after all.
  [[nodiscard]] ListDecoder list_decoder() { return ListDecoder(snapshot_); }

  // The snapshot, unless an object was given twice.
  [[nodiscard]] Result<Snapshot> finish() &&;

 private:
  [[nodiscard]] Result<void> add_text(std::string_view text,
                                      const std::function<void(std::size_t)>& progress);

  [[nodiscard]] Result<void> add_yaml(std::string_view text,
                                      const std::function<void(std::size_t)>& progress);

  [[nodiscard]] Result<std::string> add_protobuf(std::string_view bytes);

  JsonDecoder decoder_;
  Snapshot snapshot_;
};

}  // namespace ebb::model
