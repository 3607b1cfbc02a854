#include "sim/rules/guard_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/core/json.h"

namespace ebb::sim {
namespace {

using control::GuardedKind;
using schema::integer_at;
using schema::text_at;

constexpr Nanoseconds kStopsWithin = 5 * kSecond;

std::string name_of(std::string_view namespace_name, std::string_view name) {
  return fmt::format("{}/{}", namespace_name, name);
}

}  // namespace

std::optional<GuardedKind> guarded_kind(const control::Call& call) {
  if (call.kind != control::Call::Kind::kWrite) return std::nullopt;
  const std::string_view path = call.request.path;
  if (path.find("/pods") != std::string_view::npos) return GuardedKind::kReplicaSets;
  if (path.find("/deployments") != std::string_view::npos) return GuardedKind::kDeployments;
  if (path.find("/replicasets") == std::string_view::npos) return std::nullopt;
  return path.ends_with("/status") ? GuardedKind::kReplicaSets : GuardedKind::kDeployments;
}

void GuardRules::apply(const model::ObjectEvent& event) {
  const boost::json::object& object = *event.object;
  if (text_at(object, {"metadata", "namespace"}) != "kube-system") return;
  if (event.kind->plural == "leases" &&
      text_at(object, {"metadata", "name"}) == "kube-controller-manager") {
    const bool gone = event.type == model::ObjectEvent::Type::kDeleted;
    manager_lease_changed_ = gone ? Timestamp() : time_.now();
  }
  const bool set = event.kind->plural == "replicasets";
  if (!set && event.kind->plural != "deployments") return;
  const CanaryKey key(set ? GuardedKind::kReplicaSets : GuardedKind::kDeployments,
                      name_of("kube-system", text_at(object, {"metadata", "name"})));
  change(canaries_[key], event.type == model::ObjectEvent::Type::kDeleted, object);
}

void GuardRules::change(CanaryTruth& canary, bool gone, const boost::json::object& object) {
  const std::string_view uid = text_at(object, {"metadata", "uid"});
  const bool is_new = canary.uid != uid;
  const std::int64_t generation = integer_at(object, {"metadata", "generation"}).value_or(0);
  const std::int64_t observed = integer_at(object, {"status", "observedGeneration"}).value_or(0);
  const bool acknowledged = !is_new && observed > canary.observed;
  if (acknowledged) ++acknowledgements_;
  if (!canary.armed_since.is_zero() && (is_new || gone || acknowledged)) {
    canary.ended.push_back({.since = canary.armed_since, .until = time_.now()});
    canary.armed_since = {};
  }
  canary.uid = gone ? std::string_view() : uid;
  canary.generation = generation;
  canary.observed = observed;
  if (!gone && generation > observed && canary.armed_since.is_zero()) {
    canary.armed_since = time_.now();
  }
}

Timestamp GuardRules::taken_over_not_before(const control::SoleControllerOptions& options) const {
  const auto found = canaries_.find(
      CanaryKey(GuardedKind::kReplicaSets, name_of(options.namespace_name, options.canary_name)));
  if (found == canaries_.end() || found->second.armed_since.is_zero()) return {};
  return later_by(found->second.armed_since, options.take_over_ns);
}

// A process cannot have seen a renewal from before its start. Then it has to expect that the
// lease's holder is restarting. A process that has seen one may notice late that there are no more.
Nanoseconds GuardRules::least_wait(const control::SoleControllerOptions& options,
                                   Timestamp started) const {
  const bool looks_stopped = !manager_lease_changed_.is_zero() && manager_lease_changed_ < started;
  return looks_stopped ? std::max(options.take_over_ns, options.restart_wait_ns)
                       : options.take_over_ns;
}

void GuardRules::sent(const control::SoleControllerOptions& options, Timestamp started,
                      const control::Call& call) {
  const auto kind = guarded_kind(call);
  if (!kind) return;
  const CanaryTruth& canary =
      canaries_[CanaryKey(*kind, name_of(options.namespace_name, options.canary_name))];
  const Timestamp now = time_.now();
  const auto long_enough = [least = least_wait(options, started)](Timestamp since,
                                                                  Timestamp until) {
    return !since.is_zero() && elapsed_ns(since, until) >= least;
  };
  if (long_enough(canary.armed_since, now)) return;
  const auto last =
      std::find_if(canary.ended.rbegin(), canary.ended.rend(),
                   [&](const auto& ended) { return long_enough(ended.since, ended.until); });
  const bool had_taken_over = last != canary.ended.rend();
  if (had_taken_over && elapsed_ns(last->until, now) <= kStopsWithin) return;
  invariants_.violate(
      "I10",
      fmt::format("sends {} although {}", call.request.path,
                  had_taken_over ? fmt::format("another controller was detected {} ms ago",
                                               elapsed_ns(last->until, now) / kMillisecond)
                                 : "it has not verified yet that there is no other controller"));
}

}  // namespace ebb::sim
