// What a Kubernetes API server means, without HTTP, disk, clock or threads.
//
// Writes take effect in two steps. handle() stages them: later writes build on them, readers
// do not see them yet. Once the shell has made the staged changes durable it publishes
// them, and only then sends the answers; if it cannot, it discards them, and everything staged
// since. With nothing to be made durable, publish at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/timestamp.h"
#include "model/api.h"
#include "model/feature_gates.h"
#include "schema/kind.h"

namespace ebb::apiserver {

using model::ApiRequest;
using model::ApiResponse;
using model::Bytes;
using model::Revision;

// One write, for a log from which the server can be restored.
struct Change {
  Revision revision = 0;
  Timestamp time;
  const schema::Kind* kind = nullptr;
  std::string namespace_name;
  std::string name;
  bool deleted = false;
  // The object after the change; for a deletion its last state.
  Bytes::Segment json;
};

// What a log need not keep any longer.
struct Forgotten {
  std::vector<Revision> revisions;  // of changes that no reader can ask for any more
  // Of the changes up to this one only those that made today's objects are left.
  Revision history_start = 0;
};

class WatchCursor;    // watch.h
struct Consultation;  // consultation.h

// The answer to a request.
struct Reply {
  ApiResponse response;
  // Send the response once this revision is published; 0: at once.
  Revision after = 0;
  // Set for watches: send the head of the response, then what follow() gives, until it ends.
  std::shared_ptr<WatchCursor> watch;
  // Set where a state is asked for that has not come yet: call handle() with the same
  // request again once this revision is published, or at `retry_at`, whichever is first.
  Revision retry_after = 0;
  Timestamp retry_at;
  // Set where webhooks have to be asked first: call handle() again, with this and the same request,
  // when its questions are answered. There is no response before.
  std::shared_ptr<Consultation> consultation;
};

// A piece of a watch's stream.
struct Frames {
  Bytes bytes;
  bool more = false;   // there is more to send right now
  bool ended = false;  // nothing will follow: close the stream
  Timestamp wake_at;   // call again then, even if nothing was published
};

struct Settings {
  std::uint64_t seed = 1;  // of uids and generated names
  // How much of the past watches and continued lists can go back to: what is younger than
  // this, unless the versions that only history holds grow past this many bytes.
  Nanoseconds history_age_ns = 300 * kNanosecondsPerSecond;
  std::size_t history_bytes = 64UL << 20;
  // Some say what is validated.
  model::FeatureGates gates{};
};

class ApiServer {
 public:
  explicit ApiServer(const Settings& settings);
  ~ApiServer();
  ApiServer(ApiServer&&) noexcept;
  ApiServer& operator=(ApiServer&&) noexcept;

  // Before the first request: what a log remembers of Forgotten::history_start, then its
  // changes in the order of their revisions.
  void restore_history_start(Revision history_start);
  [[nodiscard]] Result<void> restore(const Change& change);
  // After restore: makes the namespaces that every cluster has, if they are missing (staged).
  void bootstrap(Timestamp now);

  // `consultation` is what the last reply to this very request came with, if it did.
  [[nodiscard]] Reply handle(const ApiRequest& request, Timestamp now,
                             std::shared_ptr<Consultation> consultation = nullptr);

  // Changes that were staged since the last call.
  [[nodiscard]] std::vector<Change> take_staged();
  // Everything up to this revision is durable. Old history is dropped.
  void publish(Revision last, Timestamp now);
  // Nothing staged and unpublished ever happened. Returns the last published revision.
  Revision discard();
  [[nodiscard]] Revision published() const;
  // What the log may forget since the last call; nothing else depends on its doing so.
  [[nodiscard]] Forgotten take_forgotten();

  // The next piece of a watch, at most about `most_bytes` unless one event is larger.
  [[nodiscard]] Frames follow(WatchCursor& cursor, Timestamp now, std::size_t most_bytes);

  struct State;  // call.h

 private:
  std::unique_ptr<State> state_;
};

}  // namespace ebb::apiserver
