// The pure API server made live: with a clock, threads, and a log behind it.
//
// Requests are handled under one mutex, from any thread. A write is staged, and one
// thread appends what has been staged to the log; while the disk is busy the next batch grows,
// so that many writers share one sync (group commit). Only then it is published, and its
// answer given. If the log fails, nothing of the batch, nor of what was staged on top of
// it, ever happened, and every write that waited is told so. Without a log everything is
// published at once.
//
// A request that admission webhooks have a say in is handled several times: while they are asked
// (webhook_caller.h) nothing is held, and everybody else goes on.
//
// Another thread wakes watches when something was published, or when their time has come. A
// watch that is not being waited for (its client is slow) costs nothing.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "apiserver/api_server.h"
#include "base/result.h"
#include "cluster/change_log.h"
#include "cluster/webhook_caller.h"
#include "cluster/webhook_news.h"

namespace ebb::cluster {

using apiserver::ApiServer;
using apiserver::Consultation;
using model::ApiRequest;
using model::ApiResponse;

class LiveServer;

// A watch under way. It has to be let go of before its server is.
class LiveWatch : public std::enable_shared_from_this<LiveWatch> {
 public:
  // What comes next (never nothing, unless the watch ended), and whether it is the last.
  using Deliver = std::function<void(Bytes bytes, bool ended)>;

  LiveWatch(LiveServer& server, std::shared_ptr<apiserver::WatchCursor> cursor)
      : server_(server), cursor_(std::move(cursor)) {}

  // Calls `deliver` once, from any thread, maybe before this returns; then it may be
  // called again. Nothing is taken from history before this is called.
  void next(Deliver deliver);
  // From now on nothing is delivered; what `deliver` holds is let go.
  void cancel();

 private:
  friend class LiveServer;

  [[nodiscard]] Deliver take_deliver();
  [[nodiscard]] bool is_waiting();

  LiveServer& server_;
  const std::shared_ptr<apiserver::WatchCursor> cursor_;  // guarded by the server's mutex

  std::mutex mutex_;  // of what follows
  Deliver deliver_;
  bool cancelled_ = false;
};

// How admission webhooks are asked, and who hears of those that fail. Without a caller, requests in
// which they have a say are refused.
struct WebhookSettings {
  std::unique_ptr<WebhookCaller> caller{};
  std::function<void(const std::string& line)> tell{};  // from any thread
};

class LiveServer {
 public:
  // `watch` is set for watches: the response is their head.
  using Answer = std::function<void(ApiResponse response, std::shared_ptr<LiveWatch> watch)>;

  // Restores what the log has, and makes what every cluster has.
  [[nodiscard]] static Result<std::unique_ptr<LiveServer>> start(
      const apiserver::Settings& settings, std::optional<ChangeLog> log,
      WebhookSettings webhooks = {});
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  // Calls `answer` once, from any thread, maybe before this returns. It should be quick.
  void submit(ApiRequest request, Answer answer);
  // Waits for the answer. Not for watches, and not from an answer.
  [[nodiscard]] ApiResponse ask(ApiRequest request);

  // Whoever waits for webhooks is told that the server stops, as is whoever would have to wait for
  // one later; nothing else is refused yet. Whoever sends answers stops after this, or they are
  // lost.
  void stop_consulting();
  // Ends when everything that was staged is durable. Later requests are refused.
  void stop();

 private:
  friend class LiveWatch;

  // An answer that waits for a revision to be published.
  struct Waiting {
    ApiResponse response;
    Answer answer;
  };
  // A request that waits for a revision, or a time, to be tried again.
  struct Retry {
    Revision after = 0;
    Timestamp at;
    ApiRequest request;
    Answer answer;
  };
  // A request that waits for webhooks.
  struct Errand {
    ApiRequest request;
    Answer answer;
    std::shared_ptr<Consultation> consultation;
    std::size_t left = 0;  // questions without an answer
  };
  // What a watch has to say.
  struct Piece {
    std::shared_ptr<LiveWatch> watch;
    apiserver::Frames frames;
  };

  LiveServer(ApiServer server, std::optional<ChangeLog> log, WebhookSettings webhooks);

  // One run of a request, which is its first without a consultation.
  void run(ApiRequest request, Answer answer, const std::shared_ptr<Consultation>& consultation);
  void consult(Errand errand);
  void answered(std::uint64_t errand, std::size_t question, WebhookAnswer answer);
  void tell_news(const Consultation& consultation);

  [[nodiscard]] Result<void> commit_first();
  void commit_forever();
  void published(Revision revision);

  void follow(const std::shared_ptr<LiveWatch>& watch);
  void wake_forever();
  // Delivers what there is to those who wait; the others go back to waiting.
  void wake_watches(std::vector<std::shared_ptr<LiveWatch>> watches);
  void deliver(Piece piece);
  void retry_due(Timestamp now);

  std::mutex mutex_;  // of the server and what belongs to writing
  ApiServer server_;
  std::vector<Change> staged_;
  std::multimap<Revision, Waiting> waiting_;
  bool stopping_ = false;
  std::condition_variable staged_something_;

  std::optional<ChangeLog> log_;  // used by the committing thread only
  std::atomic<Revision> published_ = 0;

  std::mutex waking_mutex_;  // of what follows; never held together with mutex_
  std::condition_variable wake_;
  std::vector<std::shared_ptr<LiveWatch>> parked_;
  std::vector<Retry> retries_;
  Timestamp next_wake_;
  bool something_new_ = false;
  bool stop_waking_ = false;

  std::mutex consulting_mutex_;            // of what follows; never held together with another
  std::unique_ptr<WebhookCaller> caller_;  // nothing once the server stops
  std::map<std::uint64_t, Errand> errands_;
  std::uint64_t last_errand_ = 0;
  WebhookNews news_;
  const std::function<void(const std::string& line)> tell_;

  std::thread committer_;
  std::thread waker_;
};

}  // namespace ebb::cluster
