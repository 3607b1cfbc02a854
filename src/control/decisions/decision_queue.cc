#include "control/decisions/decision_queue.h"

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "control/decisions/decision_object.h"

namespace ebb::control {
namespace {

// Approximately what the record takes in memory.
std::size_t bytes_of(const Decision& decision) {
  std::size_t bytes = sizeof(Decision) + decision.id.size() + decision.replica_set.size() +
                      decision.owner.size() + decision.first_kept.size();
  for (const std::string& sentence : decision.consulted)
    bytes += sizeof(std::string) + sentence.size();
  if (decision.ranking) {
    for (const std::string& problem : decision.ranking->problems) {
      bytes += sizeof(std::string) + problem.size();
    }
  }
  if (decision.picker) {
    bytes += decision.picker->problem.size() + decision.picker->detail.size() +
             decision.picker->endpoint.size();
  }
  for (const Decision::Victim& victim : decision.victims) {
    bytes += sizeof victim + victim.name.size() + victim.uid.size() + victim.node.size() +
             victim.rule.size() + victim.because.size() + victim.outcome.size();
  }
  return bytes;
}

}  // namespace

void DecisionQueue::add(Decision decision) {
  shorten(decision);
  join({.decision = std::move(decision)}, Place::kLast);
}

void DecisionQueue::put_back(WaitingDecision waiting) { join(std::move(waiting), Place::kFirst); }

void DecisionQueue::join(WaitingDecision waiting, Place place) {
  const Id id = next_id_++;
  const std::string namespace_name = waiting.decision.namespace_name;
  const std::size_t bytes = bytes_of(waiting.decision);
  Namespace& space = namespaces_[namespace_name];
  if (place == Place::kFirst) {
    space.records.push_front(id);
    turns_.join_first(namespace_name, id);
  } else {
    space.records.push_back(id);
    turns_.join(namespace_name, id);
  }
  space.bytes += bytes;
  bytes_ += bytes;
  const auto added =
      records_.emplace(id, Record{.waiting = std::move(waiting), .bytes = bytes}).first;
  keep_limits(added->second.waiting.decision);
}

void DecisionQueue::keep_limits(const Decision& added) {
  const std::string workload = workload_of(added).text();
  std::vector<Id> same;
  for (const Id id : namespaces_.at(added.namespace_name).records) {
    if (workload_of(records_.at(id).waiting.decision).text() == workload) same.push_back(id);
  }
  if (same.size() > limits_.per_workload) drop(same.front());
  while (records_.size() > limits_.records || bytes_ > limits_.bytes) {
    const auto most = std::max_element(
        namespaces_.begin(), namespaces_.end(),
        [](const auto& a, const auto& b) { return a.second.bytes < b.second.bytes; });
    drop(most->second.records.front());
  }
}

void DecisionQueue::drop(Id id) {
  turns_.leave(records_.at(id).waiting.decision.namespace_name, id);
  static_cast<void>(take(id));
  ++dropped_;
}

WaitingDecision DecisionQueue::take(Id id) {
  auto node = records_.extract(id);
  EBB_CHECK(!node.empty());
  Record& record = node.mapped();
  const auto space = namespaces_.find(record.waiting.decision.namespace_name);
  EBB_CHECK(space != namespaces_.end());
  auto& records = space->second.records;
  records.erase(std::find(records.begin(), records.end(), id));
  space->second.bytes -= record.bytes;
  bytes_ -= record.bytes;
  if (records.empty()) namespaces_.erase(space);
  return std::move(record.waiting);
}

void DecisionQueue::clear() {
  while (!records_.empty()) drop(records_.begin()->first);
}

}  // namespace ebb::control
