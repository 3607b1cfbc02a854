// Reads all objects of a kind from a live cluster into a snapshot, page by page. Each list is of
// one moment: if a server forgets that moment between two pages, the list begins anew.
#pragma once

#include <string_view>

#include "base/result.h"
#include "cli/live_requests.h"
#include "model/read_snapshot.h"

namespace ebb::cli {

struct LiveKind {
  std::string_view group;  // the path that stands before the namespace
  std::string_view plural;
  bool namespaced = true;
  bool optional = false;  // where the cluster has it, and shows it
  bool protobuf = false;  // asked for in it; servers that have none answer in JSON
};

// "/apis/apps/v1/namespaces/shop/deployments"; those of all namespaces if it is empty.
[[nodiscard]] std::string path_of(const LiveKind& kind, std::string_view name_space);

[[nodiscard]] Result<void> read_kind(LiveRequests& requests, const LiveKind& kind,
                                     std::string_view name_space, model::SnapshotReader& reader);

}  // namespace ebb::cli
