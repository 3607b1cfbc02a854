#include "sim/link/admission.h"

#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "schema/core/json.h"
#include "sim/core/objects.h"
#include "sim/link/wording.h"

namespace ebb::sim {
namespace {

using apiserver::WebhookAnswer;
using apiserver::WebhookQuestion;
using control::ReviewId;

std::string shown_to_webhooks(const std::string& review) {
  boost::json::object body = read_object(review);
  if (schema::text_at(body, {"request", "userInfo", "username"}) != kStockReplicaSets) {
    return review;
  }
  boost::json::object options{{"apiVersion", "meta.k8s.io/v1"}, {"kind", "DeleteOptions"}};
  // kube-apiserver fills in that of the pod.
  if (const auto grace = schema::integer_at(
          body, {"request", "oldObject", "spec", "terminationGracePeriodSeconds"})) {
    options["gracePeriodSeconds"] = *grace;
  }
  schema::ensure_object(body, {"request"})["options"] = std::move(options);
  return boost::json::serialize(body);
}

}  // namespace

Admission::Admission(Timeline& time, Api& api, Trace& trace, std::uint64_t seed)
    : time_(time), api_(api), trace_(trace), random_(seed) {
  api_.answer_at_once = [this](const std::shared_ptr<apiserver::WebhookSession>& session) {
    answer_at_once(session);
  };
}

Nanoseconds Admission::latency() {
  return static_cast<Nanoseconds>(random_.below(static_cast<std::uint64_t>(5 * kMillisecond)));
}

Reviewer* Admission::next_replica() {
  for (std::size_t i = 0; i < replicas_.size(); ++i) {
    Reviewer* const replica = replicas_[turn_++ % replicas_.size()];
    if (replica->accepts()) return replica;
  }
  return nullptr;
}

void Admission::execute(const model::ApiRequest& request, Execution execution) {
  run(std::make_shared<Pending>(Pending{.request = request, .execution = std::move(execution)}));
}

void Admission::run(const PendingPtr& pending) {
  if (pending->execution.begin && !pending->execution.begin()) return;
  user_ = pending->request.as.user;
  const apiserver::Reply reply = api_.handle(pending->request, pending->session);
  user_.clear();
  if (reply.session) {
    pending->session = reply.session;
    return ask(pending);
  }
  if (pending->execution.then) pending->execution.then(reply.response);
}

void Admission::ask(const PendingPtr& pending) {
  pending->left = pending->session->questions.size();
  for (std::size_t i = 0; i < pending->session->questions.size(); ++i) {
    const ReviewId id = ++last_id_;
    const WebhookQuestion& question = pending->session->questions[i];
    const Timestamp begun = time_.now();
    open_.emplace(id, Open{.pending = pending, .question = i, .begun = begun});
    time_.after(pending->session->time_for(question), [this, id] { fail(id, "timed out"); });
    time_.after(latency(), [this, id] {
      const auto found = open_.find(id);
      if (found == open_.end()) return;
      Open& open = found->second;
      open.replica = next_replica();
      if (open.replica == nullptr) return fail(id, "no replica");
      const auto& asked = open.pending->session->questions[open.question];
      trace_.line("apiserver", fmt::format("review {}", id));
      open.begun = time_.now();
      open.replica->review(id, shown_to_webhooks(asked.review));
    });
  }
}

// Nodes and other clients whose requests are not held: if the replica does not answer at once, the
// request goes on without it.
void Admission::answer_at_once(const std::shared_ptr<apiserver::WebhookSession>& session) {
  const auto pending = std::make_shared<Pending>(Pending{.session = session, .at_once = true});
  for (std::size_t i = 0; i < session->questions.size(); ++i) {
    const ReviewId id = ++last_id_;
    Reviewer* const replica = next_replica();
    open_.emplace(
        id, Open{.pending = pending, .question = i, .replica = replica, .begun = time_.now()});
    if (replica != nullptr) replica->review(id, shown_to_webhooks(session->questions[i].review));
    fail(id, "not answered at once");
  }
}

void Admission::answered(ReviewId id, const std::string& body) {
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  const Open open = found->second;
  open_.erase(found);
  const WebhookQuestion& question = open.pending->session->questions[open.question];
  const boost::json::object answer = read_object(body);
  const boost::json::object review = read_object(shown_to_webhooks(question.review));
  const auto* const request = schema::object_at(review, {"request"});
  const auto* const response = schema::object_at(answer, {"response"});
  if (request != nullptr && response != nullptr) {
    if (!schema::is_true_at(answer, {"response", "allowed"})) {
      trace_.line("apiserver",
                  fmt::format("review {} is refused: {}", id,
                              schema::text_at(answer, {"response", "status", "message"})));
    }
    if (on_verdict) on_verdict({*open.replica, *request, *response, open.begun});
  }
  take_answer(open, {.code = 200, .content_type = "application/json", .body = body});
}

void Admission::fail(ReviewId id, std::string_view why) {
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  const Open open = found->second;
  open_.erase(found);
  trace_.line("apiserver", fmt::format("review {} failed: {}", id, why));
  if (open.replica != nullptr) open.replica->drop_review(id);
  take_answer(open, {.error = std::string(why)});
}

void Admission::died(const Reviewer& replica) {
  std::vector<ReviewId> lost;
  for (auto& [id, open] : open_) {
    if (open.replica != &replica) continue;
    open.replica = nullptr;  // there is nothing left to tell it
    lost.push_back(id);
  }
  for (const ReviewId id : lost) fail(id, "the connection was lost");
}

void Admission::take_answer(const Open& open, WebhookAnswer answer) {
  Pending& pending = *open.pending;
  apiserver::WebhookSession& session = *pending.session;
  session.answers.insert_or_assign(session.questions[open.question], std::move(answer));
  if (pending.at_once || --pending.left > 0) return;
  session.spent_ns += elapsed_ns(open.begun, time_.now());
  time_.after(latency(), [this, again = open.pending] { run(again); });
}

}  // namespace ebb::sim
