#include "control/webhook/open_reviews.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "control/webhook/admission_review.h"

namespace ebb::control {

void OpenReviews::open(ReviewId id, std::string uid, Now now) {
  reviews_.emplace(id, Review{.uid = std::move(uid), .since = now.mono});
  update_gauge();
}

void OpenReviews::allow(ReviewId id, std::string_view outcome, Now now) {
  const auto found = reviews_.find(id);
  if (found == reviews_.end()) return;
  const Review review = std::move(found->second);
  reviews_.erase(found);
  answer(id, allowing_answer(review.uid), review, outcome, now);
}

void OpenReviews::refuse(ReviewId id, std::string_view message, std::string_view outcome, Now now) {
  const auto found = reviews_.find(id);
  if (found == reviews_.end()) return;
  const Review review = std::move(found->second);
  reviews_.erase(found);
  answer(id, refusing_answer(review.uid, message), review, outcome, now);
}

void OpenReviews::drop(ReviewId id) {
  if (reviews_.erase(id) == 0) return;
  telemetry_.count(Count::kReviews, "dropped");
  update_gauge();
}

// In the order of their arrival, so that runs are reproducible.
void OpenReviews::allow_all(std::string_view outcome, Now now) {
  std::vector<ReviewId> ids;
  for (const auto& [id, review] : reviews_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  for (const ReviewId id : ids) allow(id, outcome, now);
}

void OpenReviews::answer(ReviewId id, std::string body, const Review& review,
                         std::string_view outcome, Now now) {
  sink_.answer_review({.id = id, .body = std::move(body)});
  telemetry_.count(Count::kReviews, outcome);
  telemetry_.observe(Histogram::kReviewSeconds, {},
                     static_cast<double>(elapsed_ns(review.since, now.mono)) /
                         static_cast<double>(kNanosecondsPerSecond));
  update_gauge();
}

void OpenReviews::update_gauge() {
  telemetry_.set(Gauge::kOpenReviews, {}, static_cast<double>(reviews_.size()));
}

}  // namespace ebb::control
