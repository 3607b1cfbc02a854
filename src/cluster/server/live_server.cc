#include "cluster/server/live_server.h"

#include <algorithm>
#include <future>
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "cluster/server/clock.h"
#include "cluster/server/status_response.h"
#include "model/api/status.h"

namespace ebb::cluster {
namespace {

using apiserver::Frames;
using apiserver::Reply;

// The largest piece that a watch sends.
constexpr std::size_t kWatchBytes = 256UL << 10;
// The number of watches processed before the lock is released.
constexpr std::size_t kWatchesAtATime = 64;
// How often old history is dropped while nothing is written.
constexpr Nanoseconds kHousekeeping = 30 * kNanosecondsPerSecond;

Timestamp earlier(Timestamp a, Timestamp b) {
  if (a.is_zero()) return b;
  return b.is_zero() ? a : std::min(a, b);
}

Result<void> restore(ApiServer& server, ChangeLog& log) {
  EBB_ASSIGN_OR_RETURN(auto start, log.history_start());
  server.restore_history_start(start);
  auto loaded = log.load([&](const Change& change) { return server.restore(change); });
  if (loaded && start > server.published()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("the database refers to revision {}, but ends at {}", start,
                            server.published()));
  }
  return loaded;
}

}  // namespace

void LiveWatch::next(Deliver deliver) {
  {
    const MutexLock lock(mutex_);
    if (cancelled_) return;
    deliver_ = std::move(deliver);
  }
  server_.follow(shared_from_this());
}

void LiveWatch::cancel() {
  Deliver dropped;  // destroyed outside of the lock: it may hold the owner of this watch
  const MutexLock lock(mutex_);
  cancelled_ = true;
  dropped.swap(deliver_);
}

LiveWatch::Deliver LiveWatch::take_deliver() {
  const MutexLock lock(mutex_);
  return std::exchange(deliver_, nullptr);
}

bool LiveWatch::is_waiting() {
  const MutexLock lock(mutex_);
  return deliver_ != nullptr;
}

LiveServer::LiveServer(ApiServer server, std::optional<ChangeLog> log, WebhookSettings webhooks)
    : server_(std::move(server)),
      log_(std::move(log)),
      caller_(std::move(webhooks.caller)),
      log_line_(std::move(webhooks.log_line)) {}

Result<std::unique_ptr<LiveServer>> LiveServer::start(const apiserver::Settings& settings,
                                                      std::optional<ChangeLog> log,
                                                      WebhookSettings webhooks) {
  ApiServer server(settings);
  if (log) {
    EBB_RETURN_IF_ERROR(restore(server, *log));
  }
  server.bootstrap(wall_now());
  std::unique_ptr<LiveServer> live(
      new LiveServer(std::move(server), std::move(log), std::move(webhooks)));
  EBB_RETURN_IF_ERROR(live->commit_first());
  if (live->log_) live->committer_ = std::thread([raw = live.get()] { raw->commit_forever(); });
  live->waker_ = std::thread([raw = live.get()] { raw->wake_forever(); });
  return live;
}

LiveServer::~LiveServer() { stop(); }

void LiveServer::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    staged_something_.notify_all();
  }
  stop_webhooks();
  if (committer_.joinable()) committer_.join();
  {
    const MutexLock lock(waking_mutex_);
    stop_waking_ = true;
    wake_.notify_all();
  }
  if (waker_.joinable()) waker_.join();
}

Result<void> LiveServer::commit_first() {
  const MutexLock lock(mutex_);
  const std::vector<Change> changes = server_.take_staged();
  if (log_ && !changes.empty()) {
    EBB_RETURN_IF_ERROR(log_->append(changes, server_.take_compacted()));
  }
  if (!changes.empty()) server_.publish(changes.back().revision, wall_now());
  published_ = server_.published();
  return {};
}

void LiveServer::submit(ApiRequest request, Answer answer) {
  run(std::move(request), std::move(answer), nullptr);
}

void LiveServer::run(ApiRequest request, Answer answer,
                     const std::shared_ptr<WebhookSession>& session) {
  MutexLock lock(mutex_);
  if (stopping_) {
    lock.unlock();
    return answer(stopping_response(), nullptr);
  }
  Reply reply = server_.handle(request, wall_now(), session);
  if (reply.session) {
    lock.unlock();
    return ask_webhooks({std::move(request), std::move(answer), std::move(reply.session)});
  }
  std::vector<Change> staged = server_.take_staged();
  Revision newest = 0;
  if (!staged.empty() && !log_) {
    newest = staged.back().revision;
    server_.publish(newest, wall_now());
    static_cast<void>(server_.take_compacted());
  } else if (!staged.empty()) {
    std::move(staged.begin(), staged.end(), std::back_inserter(staged_));
    staged_something_.notify_one();
  }
  if (reply.after > server_.published()) {
    waiting_.emplace(reply.after, Waiting{std::move(reply.response), std::move(answer)});
    lock.unlock();
    if (session) log_webhook_status(*session);
    return;
  }
  lock.unlock();

  if (session) log_webhook_status(*session);
  if (newest != 0) published(newest);
  if (reply.retry_after != 0 || !reply.retry_at.is_zero()) {
    const MutexLock waking(waking_mutex_);
    retries_.push_back({reply.retry_after, reply.retry_at, std::move(request), std::move(answer)});
    next_wake_ = earlier(next_wake_, reply.retry_at);
    // It may have been published in the meantime.
    something_new_ = something_new_ || published_ >= reply.retry_after;
    return wake_.notify_one();
  }
  std::shared_ptr<LiveWatch> watch;
  if (reply.watch) watch = std::make_shared<LiveWatch>(*this, std::move(reply.watch));
  answer(std::move(reply.response), std::move(watch));
}

ApiResponse LiveServer::ask(ApiRequest request) {
  std::promise<ApiResponse> answered;
  auto future = answered.get_future();
  submit(std::move(request), [&](ApiResponse response, const std::shared_ptr<LiveWatch>&) {
    answered.set_value(std::move(response));
  });
  return future.get();
}

void LiveServer::commit_forever() {
  CompactedHistory forgotten;
  MutexLock lock(mutex_);
  for (;;) {
    while (!stopping_ && staged_.empty()) staged_something_.wait(mutex_);
    if (staged_.empty()) return;  // stopping, and nothing is left
    const std::vector<Change> batch = std::exchange(staged_, {});
    CompactedHistory more = server_.take_compacted();
    lock.unlock();

    // Revisions that could not be dropped the last time are dropped now.
    forgotten.revisions.insert(forgotten.revisions.end(), more.revisions.begin(),
                               more.revisions.end());
    forgotten.history_start = more.history_start;
    auto written = log_->append(batch, forgotten);
    if (written) forgotten = {};

    lock.lock();
    if (written) {
      server_.publish(batch.back().revision, wall_now());
    } else {
      staged_.clear();
      server_.discard();
    }
    const auto end = written ? waiting_.upper_bound(batch.back().revision) : waiting_.end();
    std::vector<Waiting> answers;
    for (auto one = waiting_.begin(); one != end; ++one) answers.push_back(std::move(one->second));
    waiting_.erase(waiting_.begin(), end);
    lock.unlock();

    if (written) published(batch.back().revision);
    for (Waiting& one : answers) {
      if (!written) {
        one.response = status_response(model::internal_error(
            fmt::format("the change could not be written to disk: {}", written.error().message)));
      }
      one.answer(std::move(one.response), nullptr);
    }
    lock.lock();
  }
}

void LiveServer::published(Revision revision) {
  const MutexLock lock(waking_mutex_);
  published_ = std::max(published_.load(), revision);
  something_new_ = true;
  wake_.notify_one();
}

void LiveServer::follow(const std::shared_ptr<LiveWatch>& watch) { wake_watches({watch}); }

void LiveServer::wake_watches(std::vector<std::shared_ptr<LiveWatch>> watches) {
  std::vector<std::shared_ptr<LiveWatch>> nothing_yet;
  Timestamp next;
  std::optional<Revision> seen;
  for (std::size_t begin = 0; begin < watches.size(); begin += kWatchesAtATime) {
    const std::size_t end = std::min(watches.size(), begin + kWatchesAtATime);
    std::vector<Piece> pieces;
    {
      const MutexLock lock(mutex_);
      const Timestamp now = wall_now();
      if (!seen) seen = server_.published();
      for (std::size_t i = begin; i < end; ++i) {
        if (!watches[i]->is_waiting()) continue;
        Frames frames = server_.follow(*watches[i]->cursor_, now, kWatchBytes);
        if (frames.bytes.empty() && !frames.ended && !frames.more) {
          next = earlier(next, frames.wake_at);
          nothing_yet.push_back(std::move(watches[i]));
        } else {
          pieces.push_back({std::move(watches[i]), std::move(frames)});
        }
      }
    }
    for (Piece& piece : pieces) deliver(std::move(piece));
  }
  if (nothing_yet.empty()) return;
  const MutexLock lock(waking_mutex_);
  std::move(nothing_yet.begin(), nothing_yet.end(), std::back_inserter(parked_));
  const Timestamp before = next_wake_;
  next_wake_ = earlier(next_wake_, next);
  // Publications in the meantime have not woken these watches.
  if (published_ > *seen) something_new_ = true;
  if (something_new_ || next_wake_ != before) wake_.notify_one();
}

void LiveServer::deliver(Piece piece) {
  if (auto deliver = piece.watch->take_deliver()) {
    deliver(std::move(piece.frames.bytes), piece.frames.ended);
  }
}

void LiveServer::retry_due(Timestamp now) {
  std::vector<Retry> due;
  {
    const MutexLock lock(waking_mutex_);
    const auto is_due = [&](const Retry& retry) {
      return (retry.after != 0 && retry.after <= published_) ||
             (!retry.at.is_zero() && retry.at <= now);
    };
    const auto first_due = std::stable_partition(
        retries_.begin(), retries_.end(), [&](const Retry& retry) { return !is_due(retry); });
    due.assign(std::make_move_iterator(first_due), std::make_move_iterator(retries_.end()));
    retries_.erase(first_due, retries_.end());
    for (const Retry& retry : retries_) next_wake_ = earlier(next_wake_, retry.at);
  }
  for (Retry& retry : due) submit(std::move(retry.request), std::move(retry.answer));
}

void LiveServer::wake_forever() {
  Timestamp housekeeping = wall_now();
  for (;;) {
    std::vector<std::shared_ptr<LiveWatch>> watches;
    {
      const MutexLock lock(waking_mutex_);
      for (;;) {
        if (stop_waking_) return;
        const Timestamp now = wall_now();
        if (something_new_ || (!next_wake_.is_zero() && next_wake_ <= now)) break;
        if (elapsed_ns(housekeeping, now) >= kHousekeeping) break;
        wake_.wait_for(waking_mutex_, sleep_until(next_wake_, now));
      }
      something_new_ = false;
      next_wake_ = {};
      watches = std::exchange(parked_, {});
    }
    const Timestamp now = wall_now();
    if (elapsed_ns(housekeeping, now) >= kHousekeeping) {
      housekeeping = now;
      const MutexLock lock(mutex_);
      server_.publish(server_.published(), now);
    }
    retry_due(now);
    wake_watches(std::move(watches));
  }
}

}  // namespace ebb::cluster
