// The Kubernetes API server without HTTP, disk, clock or threads.
//
// Writes take effect in two steps. handle() stages a write: later writes build on it, readers do
// not see it yet. The shell makes the staged changes durable, publishes them, and only then sends
// the answers. If it cannot make them durable, it discards them and everything staged since. A
// shell without persistence publishes at once.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "apiserver/response/reply.h"
#include "apiserver/store/change.h"
#include "base/result.h"
#include "base/timestamp.h"

namespace ebb::apiserver {

struct ServerState;  // request/call.h

class ApiServer {
 public:
  explicit ApiServer(const Settings& settings);
  ~ApiServer();
  ApiServer(ApiServer&&) noexcept;
  ApiServer& operator=(ApiServer&&) noexcept;

  // Restores from a log, before the first request: first CompactedHistory::history_start, then the
  // changes in the order of their revisions.
  void restore_history_start(Revision history_start);
  [[nodiscard]] Result<void> restore(const Change& change);
  // Call after the restore. Stages the namespaces that every cluster has, if they are missing.
  void bootstrap(Timestamp now);

  // `session` is the session of the last reply to this request, if it had one.
  [[nodiscard]] Reply handle(const ApiRequest& request, Timestamp now,
                             std::shared_ptr<WebhookSession> session = nullptr);

  // Returns the changes that were staged since the last call.
  [[nodiscard]] std::vector<Change> take_staged();
  // Publishes everything up to this revision, which is durable, and drops old history.
  void publish(Revision last, Timestamp now);
  // Drops everything that is staged and not published. Returns the last published revision.
  Revision discard();
  [[nodiscard]] Revision published() const;
  // Returns the changes that the log may drop since the last call. Dropping them is optional.
  [[nodiscard]] CompactedHistory take_compacted();

  // Returns the next piece of a watch: about `max_bytes` at most, unless one event is larger.
  [[nodiscard]] Frames follow(WatchCursor& cursor, Timestamp now, std::size_t max_bytes);

 private:
  std::unique_ptr<ServerState> state_;
};

}  // namespace ebb::apiserver
