#include "sim/rules/decision_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/records/policy.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using control::Call;
using model::Method;
using schema::text_at;

constexpr std::string_view kRecordRule = "decisions";

bool concerns_records(const Call& call) {
  return call.request.path.find("/downscaledecisions") != std::string::npos;
}

std::string workload_of(const boost::json::object& object) {
  return fmt::format("{}/{}",
                     text_at(object, {"metadata", "labels", model::kDecisionWorkloadKindLabel}),
                     text_at(object, {"metadata", "labels", model::kDecisionWorkloadLabel}));
}

}  // namespace

void DecisionRules::apply(const model::ObjectEvent& event) {
  if (event.kind != &decision_objects()) return;
  const boost::json::object& object = *event.object;
  const Name name(text_at(object, {"metadata", "namespace"}),
                  text_at(object, {"metadata", "name"}));
  if (event.type == model::ObjectEvent::Type::kDeleted) {
    records_.erase(name);
    return;
  }
  records_[name] = {.uid = std::string(text_at(object, {"metadata", "uid"})),
                    .workload = workload_of(object)};
}

void DecisionRules::sent(Invariants::Tag tag, const Call& call) {
  if (!concerns_records(call) || call.request.method == Method::kGet) return;
  if (call.kind != Call::Kind::kPatientWrite) {
    invariants_.violate(std::string(kRecordRule),
                        fmt::format("{} is not patient", call.request.path));
  }
  if (call.request.method == Method::kPost) return check_create(call);
  check_delete(tag, call);
}

void DecisionRules::check_create(const Call& call) {
  invariants_.check_secrets(call.request.body, "a DownscaleDecision");
  const boost::json::object object = read_object(call.request.body);
  const std::string id(text_at(object, {"spec", "id"}));
  if (!decided_.contains(id)) {
    invariants_.violate(std::string(kRecordRule),
                        fmt::format("a record of {}, which was not decided", id));
  }
  if (schema::array_at(object, {"metadata", "ownerReferences"}) != nullptr) {
    invariants_.violate(std::string(kRecordRule), fmt::format("the record of {} has an owner", id));
  }
}

void DecisionRules::check_delete(Invariants::Tag tag, const Call& call) {
  const boost::json::object options = read_object(call.request.body);
  const std::string uid(text_at(options, {"preconditions", "uid"}));
  if (call.request.method != Method::kDelete || uid.empty()) {
    return invariants_.violate(std::string(kRecordRule),
                               fmt::format("a write to {} without the uid", call.request.path));
  }
  for (const auto& [name, record] : records_) {
    if (record.uid == uid) deletes_[tag] = {.name = name, .uid = uid};
  }
}

std::size_t DecisionRules::records_of(const Name& name) const {
  const std::string& workload = records_.at(name).workload;
  return static_cast<std::size_t>(
      std::count_if(records_.begin(), records_.end(), [&](const auto& each) {
        return each.first.first == name.first && each.second.workload == workload;
      }));
}

std::size_t DecisionRules::perhaps_seen() const {
  constexpr Nanoseconds kUnseenFor = 300 * kSecond;
  const auto recent = std::count_if(
      deleted_at_.begin(), deleted_at_.end(),
      [this](Timestamp deleted) { return elapsed_ns(deleted, time_.now()) < kUnseenFor; });
  return records_.size() + static_cast<std::size_t>(recent);
}

void DecisionRules::executed(Invariants::Tag tag, const model::ApiResponse& response) {
  if (deletes_.contains(tag) && response.code == 200) deleted_at_.push_back(time_.now());
}

// Only ebb deletes records, and a workload always loses its oldest.
void DecisionRules::executing(Invariants::Tag tag) {
  const auto found = deletes_.find(tag);
  if (found == deletes_.end()) return;
  const auto record = records_.find(found->second.name);
  if (record == records_.end() || record->second.uid != found->second.uid) return;
  if (records_of(record->first) > limits_.per_workload) return;
  if (perhaps_seen() > limits_.per_cluster) return;
  invariants_.violate(std::string(kRecordRule),
                      fmt::format("deletes {}/{}, although there are not too many records",
                                  record->first.first, record->first.second));
}

std::string DecisionRules::unsettled() const {
  if (records_.size() > limits_.per_cluster) {
    return fmt::format("there are {} DownscaleDecisions, but the limit is {}", records_.size(),
                       limits_.per_cluster);
  }
  for (const auto& [name, record] : records_) {
    if (records_of(name) <= limits_.per_workload) continue;
    return fmt::format("{} in {} has {} DownscaleDecisions, but the limit is {}", record.workload,
                       name.first, records_of(name), limits_.per_workload);
  }
  return {};
}

}  // namespace ebb::sim
