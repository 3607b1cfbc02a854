#include "sim/rules/picker_rules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sim/core/objects.h"
#include "sim/core/rank_reading.h"

namespace ebb::sim {
namespace {

bool needs_secrets(const picker::Settings& settings) {
  return !settings.client_certificate.empty() ||
         std::any_of(settings.headers.begin(), settings.headers.end(),
                     [](const picker::Header& header) { return header.from.has_value(); });
}

}  // namespace

PickerRules::Session& PickerRules::begin(const View& view, const picker::Call& call) {
  Session& one = sessions_[call.idempotency_key];
  one.process = view.process;
  one.body = *call.body;
  one.began = time_.now();
  one.budget_ns = call.settings->timeout_ns;
  std::optional<ReceivedRequest> request = read_request(call);
  if (!request) {
    invariants_.violate("picker", "sends an invalid picker request");
    return one;
  }
  one.request = std::move(*request);
  // Two ReplicaSets may select the same orphan. The request is about the one with most of the
  // candidates.
  std::size_t most = 0;
  for (const control::ReplicaSet* set : view.store.replica_sets_in(kNamespace)) {
    std::size_t found = 0;
    for (const control::Pod* pod : invariants_.pods_seen(view.process, *set, view.store)) {
      const std::string name(pod->name.view());
      if (std::find(one.request.candidates.begin(), one.request.candidates.end(), name) ==
          one.request.candidates.end()) {
        continue;
      }
      one.uids.emplace(name, pod->uid.view());
      ++found;
    }
    if (found > std::exchange(most, std::max(most, found))) one.set_uid = set->uid.view();
  }
  // Otherwise the state may have changed since the session began.
  const bool at_once = !needs_secrets(*call.settings) &&
                       view.settings.pickers.max_per_endpoint > one.request.candidates.size();
  check_candidates(view, one, at_once);
  return one;
}

// I3: the candidates of a picker request are pods that could stay or go, and it asks for fewer than
// there are.
void PickerRules::check_candidates(const View& view, const Session& one, bool at_once) {
  const ReceivedRequest& request = one.request;
  const auto& names = request.candidates;
  if (request.requested == 0 || request.requested >= names.size()) {
    invariants_.violate("picker",
                        fmt::format("asks for {} of {} pods", request.requested, names.size()));
  }
  if (!std::is_sorted(names.begin(), names.end()) ||
      std::adjacent_find(names.begin(), names.end()) != names.end()) {
    invariants_.violate("picker", "the candidates are not sorted by name, or not unique");
  }
  if (!at_once) return;
  for (const control::ReplicaSet* set : view.store.replica_sets_in(kNamespace)) {
    if (set->uid.view() != one.set_uid) continue;
    std::set<std::string> serving;
    const auto pods = invariants_.pods_seen(view.process, *set, view.store);
    for (const control::Pod* pod : pods) {
      if (pod->serving()) serving.emplace(pod->name.view());
    }
    if (serving != std::set<std::string>(names.begin(), names.end())) {
      invariants_.violate("I3", fmt::format("{} candidates of {}, of which {} serve", names.size(),
                                            set->name.view(), serving.size()));
    }
    const auto stay = static_cast<std::size_t>(std::max(set->replicas, 0));
    // With ranks that are recomputed after each removal, pods go one at a time.
    const bool one_of_several = request.requested == 1 && serving.size() > stay &&
                                read_ranks(*set, pods, view.store, view.settings.gates).recompute;
    if (serving.size() != request.requested + stay && !one_of_several) {
      invariants_.violate("I3", fmt::format("asks for {} of {} pods, of which {} should stay",
                                            request.requested, serving.size(), stay));
    }
    return;
  }
  invariants_.violate("I3", "the candidates belong to no ReplicaSet");
}

void PickerRules::asked(const View& view, const picker::Call& call) {
  invariants_.check_secrets(*call.body, "the body of a picker request");
  invariants_.check_secrets(call.idempotency_key, "an idempotency key");
  invariants_.check_secrets(call.settings->endpoint(), "an endpoint");
  if (!view.settings.gates.on(model::Gate::kDownscalePodPicker)) {
    invariants_.violate("picker", "calls a picker although the feature gate is off");
  }
  const auto found = sessions_.find(call.idempotency_key);
  Session& one = found == sessions_.end() ? begin(view, call) : found->second;
  if (one.process != view.process) {
    invariants_.violate("picker", "two processes use one idempotency key");
  }
  check_attempt(one, call);
  ++one.attempts;
  one.open = call.id;
  calls_.emplace(std::pair(view.process, call.id), call.idempotency_key);
  if (!one.set_uid.empty()) {
    std::string& latest = latest_[{view.process, one.set_uid}];
    const auto other = sessions_.find(latest);
    if (latest != call.idempotency_key && other != sessions_.end() && other->second.open) {
      invariants_.violate("picker", "has two sessions for one ReplicaSet at a time");
    }
    latest = call.idempotency_key;
  }
  time_.after(call.deadline_ns + kAtOnce, [this, process = view.process, id = call.id] {
    const auto key = calls_.find({process, id});
    if (key == calls_.end() || sessions_.at(key->second).held_up) return;
    invariants_.violate("I5", fmt::format("picker call {} is open after its time budget", id));
  });
}

void PickerRules::check_attempt(const Session& one, const picker::Call& call) {
  if (one.open) invariants_.violate("picker", "retries before the reply");
  if (one.over) invariants_.violate("picker", "retries after it has decided");
  if (one.body != *call.body) {
    invariants_.violate("picker", "sends a different request with the same idempotency key");
  }
  if (one.attempts > call.settings->max_retries) {
    invariants_.violate("picker", fmt::format("makes attempt {}, but {} retries are allowed",
                                              one.attempts + 1, call.settings->max_retries));
  }
  if (one.last && !one.last->repeatable) {
    invariants_.violate("picker", "retries although the failure is permanent");
  }
  if (time_.now() < one.not_before) {
    invariants_.violate("picker", "retries before the picker's Retry-After");
  }
  const Timestamp budget_end = later_by(one.began, one.budget_ns);
  if (call.deadline_ns <= 0 || later_by(time_.now(), call.deadline_ns) > budget_end) {
    invariants_.violate("I5", "sends a request after its time budget");
  }
}

void PickerRules::close(ProcessId process, picker::CallId id) {
  const auto key = calls_.find({process, id});
  if (key == calls_.end()) return;
  sessions_.at(key->second).open.reset();
  calls_.erase(key);
}

void PickerRules::replied(ProcessId process, picker::CallId id, const picker::Reply& reply) {
  const auto key = calls_.find({process, id});
  if (key == calls_.end()) return;
  Session& one = sessions_.at(key->second);
  one.last = reply;
  one.not_before = later_by(time_.now(), reply.retry_after_ns);
  close(process, id);
}

void PickerRules::withdrawn(ProcessId process, picker::CallId id) { close(process, id); }

void PickerRules::held_up(ProcessId process) {
  for (auto& entry : sessions_) {
    if (entry.second.process == process) entry.second.held_up = true;
  }
}

void PickerRules::ended(ProcessId process) {
  std::erase_if(calls_, [process](const auto& entry) { return entry.first.first == process; });
  for (auto& entry : sessions_) {
    if (entry.second.process == process) entry.second.open.reset();
  }
}

Nanoseconds PickerRules::budget_since(ProcessId process, const std::string& set_uid,
                                      Timestamp since) const {
  const auto latest = latest_.find({process, set_uid});
  if (latest == latest_.end()) return 0;
  const Session& one = sessions_.at(latest->second);
  return one.began < since ? 0 : one.budget_ns;
}

}  // namespace ebb::sim
