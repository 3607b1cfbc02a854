#include "control/settlement.h"

#include <algorithm>
#include <utility>

#include <boost/json/array.hpp>

#include "schema/time.h"

namespace ebb::control {

namespace json = boost::json;

json::object Settlement::to_json() const {
  json::array settled;
  for (const Pod& pod : pods) {
    settled.push_back(json::object{{"name", pod.name}, {"uid", pod.uid}, {"outcome", pod.outcome}});
  }
  return {
      {"settles", decision},
      {"time", schema::format_time(time)},
      {"replicaSet", json::object{{"namespace", name_space}, {"name", replica_set}, {"uid", uid}}},
      {"victims", std::move(settled)}};
}

void UnsettledDeletes::begin(const Decision& decision) {
  Settlement later{.decision = decision.id,
                   .name_space = decision.name_space,
                   .replica_set = decision.replica_set,
                   .uid = decision.uid,
                   .pods = {}};
  for (const Decision::Victim& victim : decision.victims) {
    if (victim.outcome == kUnknownOutcome) later.pods.push_back({victim.name, victim.uid, ""});
  }
  if (!later.pods.empty()) settlement_ = std::move(later);
}

std::vector<std::string> UnsettledDeletes::open() const {
  std::vector<std::string> uids;
  if (!settlement_) return uids;
  for (const Settlement::Pod& pod : settlement_->pods) {
    if (pod.outcome.empty()) uids.push_back(pod.uid);
  }
  return uids;
}

void UnsettledDeletes::settle(std::string_view uid, std::string_view outcome) {
  if (!settlement_) return;
  for (Settlement::Pod& pod : settlement_->pods) {
    if (pod.uid == uid && pod.outcome.empty()) pod.outcome = outcome;
  }
}

void UnsettledDeletes::listed(const LivePods& pods, const Expectations& expectations) {
  for (const std::string& uid : open()) {
    if (expectations.expects_deletion_of(uid)) continue;
    const bool there = std::any_of(pods.pods.begin(), pods.pods.end(), [&](const LivePod& pod) {
      return pod.uid == uid && !pod.deleting;
    });
    settle(uid, there ? "not deleted" : "gone already");
  }
}

std::optional<Settlement> UnsettledDeletes::take_if_settled(Timestamp now) {
  return open().empty() ? take(now) : std::nullopt;
}

std::optional<Settlement> UnsettledDeletes::take(Timestamp now) {
  std::optional<Settlement> taken = std::exchange(settlement_, std::nullopt);
  if (!taken) return taken;
  taken->time = now;
  for (Settlement::Pod& pod : taken->pods) {
    if (pod.outcome.empty()) pod.outcome = "unknown";
  }
  return taken;
}

}  // namespace ebb::control
