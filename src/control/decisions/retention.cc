#include "control/decisions/retention.h"

#include "base/check.h"

namespace ebb::control {

Retention::Age Retention::age_of(const StoredDecision& decision) {
  const std::string& name = decision.key.name;
  // ebb's names end with the time of the decision (decision_object.h).
  const std::size_t dash = name.rfind('-');
  return {decision.created, dash == std::string::npos ? std::string() : name.substr(dash + 1),
          name};
}

Retention::Weight Retention::weight_of(const std::string& name, const Namespace& space) {
  return {space.records.size(), -std::get<0>(*space.records.begin()).since_epoch_ns(), name};
}

void Retention::put(const StoredDecision& decision) {
  const auto [found, is_new] = records_.try_emplace(decision.key);
  Record& record = found->second;
  const bool same = !is_new && record.decision.uid == decision.uid;
  if (same && record.going) return;
  if (!is_new && !record.going) leave(record.decision);
  record = {.decision = decision};
  stay(decision);
}

void Retention::remove(const Key& key) {
  const auto found = records_.find(key);
  if (found == records_.end()) return;
  if (!found->second.going) leave(found->second.decision);
  records_.erase(found);
}

void Retention::keep(const Key& key) {
  const auto found = records_.find(key);
  if (found == records_.end() || !found->second.going) return;
  found->second.going = false;
  stay(found->second.decision);
}

const Retention::Age* Retention::oldest_of(const Workload& workload) const {
  const auto space = namespaces_.find(workload.first);
  EBB_CHECK(space != namespaces_.end());
  const auto records = space->second.workloads.find(workload.second);
  EBB_CHECK(records != space->second.workloads.end());
  return &*records->second.begin();
}

Retention::Excess Retention::choose(const std::string& namespace_name, const std::string& name,
                                    std::string_view limit) {
  const Key key{.namespace_name = namespace_name, .name = name};
  const auto found = records_.find(key);
  EBB_CHECK(found != records_.end() && !found->second.going);
  leave(found->second.decision);
  found->second.going = true;
  return {.key = key, .uid = found->second.decision.uid, .limit = limit};
}

void Retention::stay(const StoredDecision& decision) {
  const std::string& name = decision.key.namespace_name;
  Namespace& space = namespaces_[name];
  if (!space.records.empty()) weights_.erase(weight_of(name, space));
  const Age age = age_of(decision);
  space.records.insert(age);
  weights_.insert(weight_of(name, space));
  auto& workload = space.workloads[decision.workload];
  workload.insert(age);
  ++staying_;
  check_workload({name, decision.workload}, workload.size());
}

void Retention::leave(const StoredDecision& decision) {
  const std::string name = decision.key.namespace_name;
  const auto found = namespaces_.find(name);
  EBB_CHECK(found != namespaces_.end());
  Namespace& space = found->second;
  weights_.erase(weight_of(name, space));
  const Age age = age_of(decision);
  space.records.erase(age);
  const auto workload = space.workloads.find(decision.workload);
  EBB_CHECK(workload != space.workloads.end());
  workload->second.erase(age);
  --staying_;
  check_workload({name, decision.workload}, workload->second.size());
  if (workload->second.empty()) space.workloads.erase(workload);
  if (space.records.empty()) {
    namespaces_.erase(found);
  } else {
    weights_.insert(weight_of(name, space));
  }
}

void Retention::check_workload(const Workload& workload, std::size_t records) {
  const bool is_crowded = records > limits_.per_workload;
  if (is_crowded == crowded_.contains(workload)) return;
  if (is_crowded) {
    crowded_.join(workload.first, workload);
  } else {
    crowded_.leave(workload.first, workload);
  }
}

}  // namespace ebb::control
