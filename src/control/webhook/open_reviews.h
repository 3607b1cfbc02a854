// The reviews that have not been answered yet. Each is answered once, or dropped by the API server.
#pragma once  // private to its room

#include <string>
#include <string_view>
#include <unordered_map>

#include "control/controller/controller.h"

namespace ebb::control {

class OpenReviews {
 public:
  // Both must outlive it.
  OpenReviews(CallSink& sink, Telemetry& telemetry) : sink_(sink), telemetry_(telemetry) {}

  // `uid` is the one in the review.
  void open(ReviewId id, std::string uid, Now now);
  // `outcome` is the label in metrics. A review that is not open any more is left alone.
  void allow(ReviewId id, std::string_view outcome, Now now);
  void refuse(ReviewId id, std::string_view message, std::string_view outcome, Now now);
  // The API server does not wait any longer.
  void drop(ReviewId id);
  void allow_all(std::string_view outcome, Now now);

  [[nodiscard]] bool is_open(ReviewId id) const { return reviews_.contains(id); }
  [[nodiscard]] std::size_t size() const { return reviews_.size(); }

 private:
  struct Review {
    std::string uid{};
    Timestamp since{};
  };
  void answer(ReviewId id, std::string body, const Review& review, std::string_view outcome,
              Now now);
  void update_gauge();

  CallSink& sink_;
  Telemetry& telemetry_;
  std::unordered_map<ReviewId, Review> reviews_;
};

}  // namespace ebb::control
