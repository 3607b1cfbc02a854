// The part of a process that passes admission reviews to its controller and takes the answers.
#include <algorithm>
#include <utility>

#include "control/process/process_impl.h"

namespace ebb::control {

std::optional<std::size_t> Process::Impl::reviewer() const {
  for (std::size_t index = 0; index < controllers_.size(); ++index) {
    if (controllers_[index]->reviews()) return index;
  }
  return std::nullopt;
}

void Process::Impl::review(ReviewId id, std::string_view body, Now now) {
  now_ = now;
  const auto index = reviewer();
  if (!index) {
    review_answers.push_back({.id = id});
    return;
  }
  const bool ready = synced && phase == Phase::kWorking && !store.mixed();
  running_ = index;
  controllers_[*index]->review(id, body, ready, now);
  running_.reset();
  step(now);
}

void Process::Impl::drop_review(ReviewId id, Now now) {
  now_ = now;
  std::erase_if(review_answers, [id](const ReviewAnswer& answer) { return answer.id == id; });
  const auto index = reviewer();
  if (!index) return;
  running_ = index;
  controllers_[*index]->drop_review(id, now);
  running_.reset();
  step(now);
}

void Process::Impl::answer_review(ReviewAnswer answer) {
  review_answers.push_back(std::move(answer));
}

void Process::Impl::set_ca_bundle(const std::string& pem, Now now) {
  now_ = now;
  for (std::size_t index = 0; index < controllers_.size(); ++index) {
    running_ = index;
    controllers_[index]->set_ca_bundle(pem, now);
    running_.reset();
  }
  step(now);
}

Timestamp Process::Impl::watches_down_since(Now now) const {
  Timestamp since;
  for (const FollowedResource& each : reflectors_) {
    if (each.awaited) since = sooner(since, each.reflector.down_since(now));
  }
  return since;
}

}  // namespace ebb::control
