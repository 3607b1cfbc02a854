// The part of ScaleDownReviews that writes the costs of a decision.
#include <algorithm>

#include "control/webhook/scale_down_reviews.h"
#include "control/webhook/webhook_cost.h"

namespace ebb::control {
namespace {

bool was_changed_meanwhile(const Answer& answer) {
  return answer.outcome == Answer::Outcome::kAnswered &&
         (answer.response.code == 409 || answer.response.code == 422);
}

}  // namespace

void ScaleDownReviews::send_writes(Number number, Now now) {
  InProgress& one = decisions_.at(number);
  while (one.phase == Phase::kWriting && one.in_flight < kBurst &&
         one.next < one.down.victims.size()) {
    write(number, one.next++, 1);
  }
  if (one.in_flight == 0) end_writing(number, now);
}

void ScaleDownReviews::write(Number number, std::size_t victim, int tries) {
  InProgress& one = decisions_.at(number);
  const PodName& name = one.down.victims[victim];
  const Pod* const pod = context_.store.pod(one.key.namespace_name, name.name);
  // A pod that is gone needs no cost.
  if (pod == nullptr || pod->uid.view() != name.uid || !pod->active()) {
    ++one.written;
    return;
  }
  const bool is_first = has_no_cost(*pod);
  // A second try means that the cache is behind.
  const bool has_annotations = pod->has_annotations != (tries == 2);
  const CallId id = context_.sink.send(
      Call::Kind::kWrite,
      lower_cost_request(*pod,
                         {.decision = one.down.decision.id, .size = one.size, .cost = one.cost},
                         has_annotations));
  ++one.in_flight;
  writes_.emplace(id, Write{.decision = number,
                            .victim = victim,
                            .tries = tries,
                            .replaced = pod->present_cost,
                            .is_first = is_first});
}

bool ScaleDownReviews::answered(CallId id, const Answer& answer, Now now) {
  const auto found = writes_.find(id);
  if (found == writes_.end()) {
    const bool is_own = sessions_.wants(id);
    sessions_.answered(id, answer, now);
    advance_picked(now);
    return is_own;
  }
  const Write write = found->second;
  writes_.erase(found);
  const auto decision = decisions_.find(write.decision);
  if (decision == decisions_.end()) return true;
  InProgress& one = decision->second;
  --one.in_flight;
  const PodName& victim = one.down.victims[write.victim];
  const Pod* const pod = context_.store.pod(one.key.namespace_name, victim.name);
  const bool is_gone = answer.outcome == Answer::Outcome::kAnswered && answer.response.code == 404;
  if (answer.succeeded() || is_gone) {
    ++one.written;
  } else if (one.phase == Phase::kWriting && was_changed_meanwhile(answer) &&
             write.tries < kMaxTries && pod != nullptr &&
             (write.is_first || pod->present_cost != write.replaced)) {
    this->write(write.decision, write.victim, write.tries + 1);
  }
  if (one.phase == Phase::kWriting) send_writes(write.decision, now);
  return true;
}

// Once the reviews have been answered, the rest is left to the order that is there.
bool ScaleDownReviews::still_wants(CallId id) const {
  const auto found = writes_.find(id);
  if (found == writes_.end()) return sessions_.wants(id);
  const auto decision = decisions_.find(found->second.decision);
  return decision != decisions_.end() && decision->second.phase == Phase::kWriting;
}

void ScaleDownReviews::end_writing(Number number, Now now) {
  InProgress& one = decisions_.at(number);
  const std::size_t victims = one.down.victims.size();
  const std::size_t unwritten = victims - one.written;
  one.phase = Phase::kWritten;
  parts_.followed.written(one.down.decision.id, unwritten);
  const std::string_view outcome = one.timed_out          ? "timeout"
                                   : unwritten == 0       ? "written"
                                   : unwritten == victims ? "not written"
                                                          : "partly written";
  context_.telemetry.count(Count::kWebhookDecisions, outcome);
  one.down.decision = {};
  let_all_go(one, "decided", now);
}

void ScaleDownReviews::check_writing(Number number, Now now) {
  InProgress& one = decisions_.at(number);
  const auto is_late = [now](const Waiting& waiting) { return now.mono >= waiting.deadline; };
  if (std::all_of(one.waiting.begin(), one.waiting.end(), is_late)) {
    return end_writing(number, now);
  }
  for (Waiting& waiting : one.waiting) {
    if (is_late(waiting)) end_waiting(waiting, "decided", now);
  }
  remove_answered(one);
}

}  // namespace ebb::control
