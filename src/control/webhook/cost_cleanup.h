// Puts back the deletion costs that the webhook lowered and that are not needed any more.
//
// Pods that go take their costs with them. What is left belongs to pods that were spared: another
// pod went instead, the size was raised again, or the update was never made. The marks on the pods
// say all that is needed, so any replica can clean up after any other; the holder of a lease does.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "control/controller/controller.h"
#include "control/controller/process_settings.h"
#include "control/controller/webhook_settings.h"
#include "control/core/work_queue.h"
#include "control/lease/elector.h"
#include "model/records/scale_down_mark.h"

namespace ebb::control {

struct CleanupQuestion {
  std::int32_t size = 0;      // in the mark
  Nanoseconds age_ns = 0;     // of the mark
  bool has_set = false;       // the ReplicaSet that controls the pod exists
  std::int32_t replicas = 0;  // its spec.replicas
  std::size_t active = 0;     // its active pods
};
// Whether the value before the mark is to be put back now.
[[nodiscard]] bool is_cost_over(const CleanupQuestion& question);

class CostCleanup {
 public:
  // A mark without a surplus is removed after the first, and every other one after the second.
  static constexpr Nanoseconds kUnusedNs = 30 * kNanosecondsPerSecond;
  static constexpr Nanoseconds kLongestNs = 600 * kNanosecondsPerSecond;
  static constexpr Nanoseconds kCheckEveryNs = kNanosecondsPerSecond;
  static constexpr Nanoseconds kRetryNs = 5 * kNanosecondsPerSecond;

  // `settings` must outlive it.
  CostCleanup(const ControllerContext& context, const WebhookSettings& settings,
              const Safeguards& safeguards)
      : context_(context), settings_(settings), safeguards_(safeguards) {}

  void pod_changed(const Change<Pod>& change);
  // Whether the call is its own.
  bool answered(CallId id, const Answer& answer, Now now);
  void run(Now now);
  void stop() { stopping_ = true; }
  [[nodiscard]] Timestamp wake_at() const;
  [[nodiscard]] bool owns(CallId id) const { return writes_.contains(id); }
  [[nodiscard]] bool idle() const;

 private:
  struct Marked {
    std::string uid{};
    Timestamp first_seen{};  // zero: not by run() yet
    Timestamp not_before{};  // after a failure
    bool in_flight = false;
  };

  // Keeps the lease; returns whether it is held.
  [[nodiscard]] bool elect(Now now);
  void check(const Key& pod, Marked& marked, Now now);
  [[nodiscard]] CleanupQuestion question_about(const Pod& pod, const model::ScaleDownMark& mark,
                                               const Marked& marked, Now now) const;

  ControllerContext context_;
  const WebhookSettings& settings_;
  Safeguards safeguards_;
  std::map<Key, Marked> marked_;
  std::unordered_map<CallId, Key> writes_;
  std::optional<Elector> elector_;
  std::optional<CallId> lease_call_;
  int elections_ = 0;
  Timestamp check_at_ = kRightAway;
  bool stopping_ = false;
  bool releasing_ = false;
};

}  // namespace ebb::control
