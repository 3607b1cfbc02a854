// The pure API server with a clock, threads, and a log.
//
// Requests are handled under one mutex, from any thread. A write is staged, and one thread appends
// the staged writes to the log; while the disk is busy the next batch grows, so that many writers
// share one sync (group commit). Only then are the writes published and answered. If the log fails,
// the batch and everything staged on top of it is undone, and every waiting write gets an error.
// Without a log everything is published at once.
//
// A request that concerns admission webhooks is handled several times: while they are called
// (webhook_caller.h) no lock is held, and other requests proceed.
//
// Another thread wakes watches when something is published or their time has come. A watch with a
// slow client, which has not asked for more, costs nothing.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "apiserver/api_server.h"
#include "base/mutex.h"
#include "base/result.h"
#include "cluster/server/change_log.h"
#include "cluster/server/webhook_caller.h"
#include "cluster/server/webhook_status_log.h"

namespace ebb::cluster {

using apiserver::ApiServer;
using apiserver::WebhookSession;
using model::ApiRequest;
using model::ApiResponse;

class LiveServer;

// An active watch. It must be destroyed before its server.
class LiveWatch : public std::enable_shared_from_this<LiveWatch> {
 public:
  // The next bytes (never empty, unless the watch ended), and whether they are the last.
  using Deliver = std::function<void(Bytes bytes, bool ended)>;

  LiveWatch(LiveServer& server, std::shared_ptr<apiserver::WatchCursor> cursor)
      : server_(server), cursor_(std::move(cursor)) {}

  // Calls `deliver` once, from any thread, possibly before this returns; then it may be called
  // again. Nothing is read from the history before this call.
  void next(Deliver deliver);
  // From now on nothing is delivered, and `deliver` is destroyed.
  void cancel();

 private:
  friend class LiveServer;

  [[nodiscard]] Deliver take_deliver();
  [[nodiscard]] bool is_waiting();

  LiveServer& server_;
  const std::shared_ptr<apiserver::WatchCursor> cursor_;  // guarded by the server's mutex

  Mutex mutex_;
  Deliver deliver_ EBB_GUARDED_BY(mutex_);
  bool cancelled_ EBB_GUARDED_BY(mutex_) = false;
};

// How admission webhooks are called, and where their failures are logged. Without a caller,
// requests that concern webhooks are rejected.
struct WebhookSettings {
  std::unique_ptr<WebhookCaller> caller{};
  std::function<void(const std::string& line)> log_line{};  // from any thread
};

class LiveServer {
 public:
  // `watch` is set for watches: the response is their head.
  using Answer = std::function<void(ApiResponse response, std::shared_ptr<LiveWatch> watch)>;

  // Restores the log's content, and creates the objects that every cluster has.
  [[nodiscard]] static Result<std::unique_ptr<LiveServer>> start(
      const apiserver::Settings& settings, std::optional<ChangeLog> log,
      WebhookSettings webhooks = {});
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;

  // Calls `answer` once, from any thread, possibly before this returns. It should be quick.
  void submit(ApiRequest request, Answer answer);
  // Waits for the response. Not for watches, and not from within an answer.
  [[nodiscard]] ApiResponse ask(ApiRequest request);

  // Fails requests that wait for webhooks, or would have to later; others are still served. Stop
  // the HTTP server only after this, or these responses are lost.
  void stop_webhooks();
  // Returns when all staged writes are durable. Later requests are rejected.
  void stop();

 private:
  friend class LiveWatch;

  // A response that waits for a revision to be published.
  struct Waiting {
    ApiResponse response;
    Answer answer;
  };
  // A request that waits for a revision or a time to be retried.
  struct Retry {
    Revision after = 0;
    Timestamp at;
    ApiRequest request;
    Answer answer;
  };
  // A request that waits for webhooks.
  struct PendingRequest {
    ApiRequest request;
    Answer answer;
    std::shared_ptr<WebhookSession> session;
    std::size_t left = 0;  // unanswered questions
  };
  // The next piece of a watch.
  struct Piece {
    std::shared_ptr<LiveWatch> watch;
    apiserver::Frames frames;
  };

  LiveServer(ApiServer server, std::optional<ChangeLog> log, WebhookSettings webhooks);

  // Runs a request; without a session it is the first run.
  void run(ApiRequest request, Answer answer, const std::shared_ptr<WebhookSession>& session);
  void ask_webhooks(PendingRequest pending);
  void answered(std::uint64_t pending, std::size_t question, WebhookAnswer answer);
  void log_webhook_status(const WebhookSession& session);

  [[nodiscard]] Result<void> commit_first();
  void commit_forever();
  void published(Revision revision);

  void follow(const std::shared_ptr<LiveWatch>& watch);
  void wake_forever();
  // Delivers to watches that wait and have news; the others keep waiting.
  void wake_watches(std::vector<std::shared_ptr<LiveWatch>> watches);
  void deliver(Piece piece);
  void retry_due(Timestamp now);

  Mutex mutex_;  // for the server and the write path
  ApiServer server_ EBB_GUARDED_BY(mutex_);
  std::vector<Change> staged_ EBB_GUARDED_BY(mutex_);
  std::multimap<Revision, Waiting> waiting_ EBB_GUARDED_BY(mutex_);
  bool stopping_ EBB_GUARDED_BY(mutex_) = false;
  ConditionVariable staged_something_;

  std::optional<ChangeLog> log_;  // used by the committing thread only
  std::atomic<Revision> published_ = 0;

  Mutex waking_mutex_;  // never held together with mutex_
  ConditionVariable wake_;
  std::vector<std::shared_ptr<LiveWatch>> parked_ EBB_GUARDED_BY(waking_mutex_);
  std::vector<Retry> retries_ EBB_GUARDED_BY(waking_mutex_);
  Timestamp next_wake_ EBB_GUARDED_BY(waking_mutex_);
  bool something_new_ EBB_GUARDED_BY(waking_mutex_) = false;
  bool stop_waking_ EBB_GUARDED_BY(waking_mutex_) = false;

  Mutex webhook_mutex_;  // never held together with another
  // Null once the server is stopping.
  std::unique_ptr<WebhookCaller> caller_ EBB_GUARDED_BY(webhook_mutex_);
  std::map<std::uint64_t, PendingRequest> pending_requests_ EBB_GUARDED_BY(webhook_mutex_);
  std::uint64_t last_pending_id_ EBB_GUARDED_BY(webhook_mutex_) = 0;
  WebhookStatusLog webhook_status_ EBB_GUARDED_BY(webhook_mutex_);
  const std::function<void(const std::string& line)> log_line_;

  std::thread committer_;
  std::thread waker_;
};

}  // namespace ebb::cluster
