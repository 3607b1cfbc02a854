// Reads all objects of a kind from a live cluster into a snapshot, page by page. Each list shows a
// single moment: if the server drops that moment between two pages, the list is restarted.
#pragma once  // private to its room

#include <string_view>

#include "base/result.h"
#include "cli/plan/live_requests.h"
#include "model/snapshot/read_snapshot.h"

namespace ebb::cli {

struct LiveKind {
  std::string_view group;  // the path before the namespace
  std::string_view plural;
  bool namespaced = true;
  bool optional = false;  // skipped if the cluster lacks it or forbids reading it
  bool protobuf = false;  // requested as protobuf; servers without it answer in JSON
};

// "/apis/apps/v1/namespaces/shop/deployments"; the path for all namespaces if the namespace is
// empty.
[[nodiscard]] std::string path_of(const LiveKind& kind, std::string_view namespace_name);

[[nodiscard]] Result<void> read_kind(LiveRequests& requests, const LiveKind& kind,
                                     std::string_view namespace_name,
                                     model::SnapshotReader& reader);

}  // namespace ebb::cli
