// The part of a LiveServer that has webhooks asked.
#include <utility>
#include <vector>

#include "cluster/live_server.h"
#include "cluster/status_response.h"
#include "model/status.h"
#include "net/curl_loop.h"

namespace ebb::cluster {

void LiveServer::consult(Errand errand) {
  std::unique_lock<std::mutex> lock(consulting_mutex_);
  if (!caller_) {
    lock.unlock();
    return errand.answer(stopping_response(), nullptr);
  }
  const std::uint64_t id = ++last_errand_;
  // Nobody else knows of it before this returns, so that the questions stay where they are.
  const std::vector<WebhookQuestion>& questions = errand.consultation->questions;
  errand.left = questions.size();
  const Nanoseconds began_ns = net::steady_now_ns();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Nanoseconds time_ns = errand.consultation->time_for(questions[i]);
    caller_->call(questions[i], time_ns, [this, id, i, began_ns](WebhookAnswer answer) {
      answer.took_ns = net::steady_now_ns() - began_ns;
      answered(id, i, std::move(answer));
    });
  }
  errands_.emplace(id, std::move(errand));
}

void LiveServer::answered(std::uint64_t errand, std::size_t question, WebhookAnswer answer) {
  std::unique_lock<std::mutex> lock(consulting_mutex_);
  const auto found = errands_.find(errand);
  if (found == errands_.end()) return;  // the server stops
  Consultation& consultation = *found->second.consultation;
  const Nanoseconds took_ns = answer.took_ns;
  consultation.answers.insert_or_assign(consultation.questions[question], std::move(answer));
  if (--found->second.left > 0) return;
  consultation.spent_ns += took_ns;  // all were asked at once, and this is the last to answer
  Errand complete = std::move(found->second);
  errands_.erase(found);
  lock.unlock();
  run(std::move(complete.request), std::move(complete.answer), complete.consultation);
}

void LiveServer::stop_consulting() {
  std::unique_lock<std::mutex> lock(consulting_mutex_);
  std::unique_ptr<WebhookCaller> caller = std::move(caller_);
  lock.unlock();
  // Ends its thread, which may be about to answer.
  caller.reset();
  lock.lock();
  const std::map<std::uint64_t, Errand> left = std::exchange(errands_, {});
  lock.unlock();
  for (const auto& [id, errand] : left) errand.answer(stopping_response(), nullptr);
}

void LiveServer::tell_news(const Consultation& consultation) {
  if (!tell_) return;
  std::unique_lock<std::mutex> lock(consulting_mutex_);
  const std::vector<std::string> lines = news_.hear(consultation);
  lock.unlock();
  for (const std::string& line : lines) tell_(line);
}

}  // namespace ebb::cluster
