// The part of a LiveServer that calls admission webhooks.
#include <utility>
#include <vector>

#include "cluster/server/live_server.h"
#include "cluster/server/status_response.h"
#include "model/api/status.h"
#include "net/client/curl_loop.h"

namespace ebb::cluster {

void LiveServer::ask_webhooks(PendingRequest pending) {
  MutexLock lock(webhook_mutex_);
  if (!caller_) {
    lock.unlock();
    return pending.answer(stopping_response(), nullptr);
  }
  const std::uint64_t id = ++last_pending_id_;
  // No other thread sees it before this returns, so the questions stay in place.
  const std::vector<WebhookQuestion>& questions = pending.session->questions;
  pending.left = questions.size();
  const Nanoseconds began_ns = net::steady_now_ns();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Nanoseconds time_ns = pending.session->time_for(questions[i]);
    caller_->call(questions[i], time_ns, [this, id, i, began_ns](WebhookAnswer answer) {
      answer.took_ns = net::steady_now_ns() - began_ns;
      answered(id, i, std::move(answer));
    });
  }
  pending_requests_.emplace(id, std::move(pending));
}

void LiveServer::answered(std::uint64_t pending, std::size_t question, WebhookAnswer answer) {
  MutexLock lock(webhook_mutex_);
  const auto found = pending_requests_.find(pending);
  if (found == pending_requests_.end()) return;  // the server is stopping
  WebhookSession& session = *found->second.session;
  const Nanoseconds took_ns = answer.took_ns;
  session.answers.insert_or_assign(session.questions[question], std::move(answer));
  if (--found->second.left > 0) return;
  session.spent_ns += took_ns;  // all were called at once, and this is the last to respond
  PendingRequest complete = std::move(found->second);
  pending_requests_.erase(found);
  lock.unlock();
  run(std::move(complete.request), std::move(complete.answer), complete.session);
}

void LiveServer::stop_webhooks() {
  MutexLock lock(webhook_mutex_);
  std::unique_ptr<WebhookCaller> caller = std::move(caller_);
  lock.unlock();
  // Ends its thread, which may be about to respond.
  caller.reset();
  lock.lock();
  const std::map<std::uint64_t, PendingRequest> left = std::exchange(pending_requests_, {});
  lock.unlock();
  for (const auto& [id, pending] : left) pending.answer(stopping_response(), nullptr);
}

void LiveServer::log_webhook_status(const WebhookSession& session) {
  if (!log_line_) return;
  MutexLock lock(webhook_mutex_);
  const std::vector<std::string> lines = webhook_status_.observe(session);
  lock.unlock();
  for (const std::string& line : lines) log_line_(line);
}

}  // namespace ebb::cluster
