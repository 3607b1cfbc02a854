#include "control/guard/manager_lease.h"

#include "base/deadline_queue.h"
#include "model/api/requests.h"

namespace ebb::control {
namespace {

constexpr Nanoseconds kPeriodNs = 5 * kNanosecondsPerSecond;
// A manager renews its lease every two seconds, and the lease expires after fifteen.
constexpr Nanoseconds kRenewedWithinNs = 30 * kNanosecondsPerSecond;

}  // namespace

std::optional<model::ApiRequest> ManagerLease::take_wanted(Now now) {
  if (in_flight_ || now.mono < next_read_) return std::nullopt;
  in_flight_ = true;
  next_read_ = later_by(now.mono, kPeriodNs);
  return model::get_request(model::object_path(
      *model::lease_kind(), {.namespace_name = "kube-system", .name = "kube-controller-manager"}));
}

bool ManagerLease::answered(const Answer& answer, Now now) {
  in_flight_ = false;
  const auto lease = answer.succeeded() ? parse_lease(answer.response.body) : std::nullopt;
  if (!lease) {
    // Only a missing lease counts as absent. Otherwise there may be one, so ebb waits as long as
    // for one that has stopped.
    const int code = answer.outcome == Answer::Outcome::kAnswered ? answer.response.code : 0;
    if (code != 404) return false;
    record_.reset();
    known_ = true;
    return false;
  }
  const bool first = !record_;
  const bool renewed = !first && *record_ != lease->record;
  const bool is_back =
      (first && known_) || (renewed && elapsed_ns(since_, now.mono) > kRenewedWithinNs);
  if (first || renewed) {
    since_ = now.mono;
    renewed_ = renewed;
  }
  known_ = true;
  record_ = lease->record;
  return is_back;
}

bool ManagerLease::looks_stopped(Timestamp mono) const {
  if (!record_) return !known_;
  return !renewed_ || elapsed_ns(since_, mono) > kRenewedWithinNs;
}

}  // namespace ebb::control
