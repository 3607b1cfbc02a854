#include "control/replicaset/late_outcomes.h"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>

#include "schema/core/time.h"

namespace ebb::control {

namespace json = boost::json;

json::object LateOutcomes::to_json() const {
  json::array settled;
  for (const Pod& pod : pods) {
    settled.push_back(json::object{{"name", pod.name}, {"uid", pod.uid}, {"outcome", pod.outcome}});
  }
  return {{"settles", decision},
          {"time", schema::format_time(time)},
          {"replicaSet",
           json::object{{"namespace", namespace_name}, {"name", replica_set}, {"uid", uid}}},
          {"victims", std::move(settled)}};
}

void UnknownDeletes::begin(const Decision& decision) {
  LateOutcomes later{.decision = decision.id,
                     .namespace_name = decision.namespace_name,
                     .replica_set = decision.replica_set,
                     .uid = decision.uid,
                     .pods = {}};
  for (const Decision::Victim& victim : decision.victims) {
    if (victim.outcome == kUnknownOutcome) later.pods.push_back({victim.name, victim.uid, ""});
  }
  if (!later.pods.empty()) late_outcomes_ = std::move(later);
}

std::vector<std::string> UnknownDeletes::open() const {
  std::vector<std::string> uids;
  if (!late_outcomes_) return uids;
  for (const LateOutcomes::Pod& pod : late_outcomes_->pods) {
    if (pod.outcome.empty()) uids.push_back(pod.uid);
  }
  return uids;
}

void UnknownDeletes::settle(std::string_view uid, std::string_view outcome) {
  if (!late_outcomes_) return;
  for (LateOutcomes::Pod& pod : late_outcomes_->pods) {
    if (pod.uid == uid && pod.outcome.empty()) pod.outcome = outcome;
  }
}

void UnknownDeletes::listed(const LivePods& pods, const Expectations& expectations) {
  for (const std::string& uid : open()) {
    if (expectations.expects_deletion_of(uid)) continue;
    const bool there = std::any_of(pods.pods.begin(), pods.pods.end(), [&](const LivePod& pod) {
      return pod.uid == uid && !pod.deleting;
    });
    settle(uid, there ? "not deleted" : "gone already");
  }
}

std::optional<LateOutcomes> UnknownDeletes::take_if_settled(Timestamp now) {
  return open().empty() ? take(now) : std::nullopt;
}

std::optional<LateOutcomes> UnknownDeletes::take(Timestamp now) {
  std::optional<LateOutcomes> taken = std::exchange(late_outcomes_, std::nullopt);
  if (!taken) return taken;
  taken->time = now;
  for (LateOutcomes::Pod& pod : taken->pods) {
    if (pod.outcome.empty()) pod.outcome = "unknown";
  }
  return taken;
}

}  // namespace ebb::control
