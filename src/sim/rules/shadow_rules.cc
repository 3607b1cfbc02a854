#include "sim/rules/shadow_rules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "model/api/method_name.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using model::ObjectEvent;
using schema::text_at;

constexpr std::string_view kRule = "shadow";

}  // namespace

void ShadowRules::apply(const ObjectEvent& event, model::Revision revision) {
  const boost::json::object& object = *event.object;
  const std::string uid(text_at(object, {"metadata", "uid"}));
  if (event.kind == &pods()) {
    const bool leaves = event.type == ObjectEvent::Type::kDeleted ||
                        !text_at(object, {"metadata", "deletionTimestamp"}).empty();
    const PodTruth* const before = truth_.pod(uid);
    if (!leaves || before == nullptr || before->deleting || before->gone) return;
    const SetTruth* const set = truth_.set(before->controller);
    departures_[uid] = {.set = before->controller,
                        .revision = revision,
                        .counted = set != nullptr && truth_.counts(*before, *set)};
  } else if (event.kind == &replica_sets()) {
    const SetTruth* const before = truth_.set(uid);
    const auto replicas = schema::integer_at(object, {"spec", "replicas"}).value_or(1);
    if (before == nullptr || before->replicas == replicas) return;
    resizes_[uid].push_back({.revision = revision, .to = replicas});
  }
}

void ShadowRules::sent(const control::Call& call) {
  if (!control::is_write(call.kind)) return;
  const std::string& path = call.request.path;
  const bool is_record = path.find("/downscaledecisions") != std::string::npos;
  const bool is_status =
      path.find("/downscalepolicies/") != std::string::npos && path.ends_with("/status");
  if (is_record || is_status) return;
  invariants_.violate(std::string(kRule),
                      fmt::format("a process that only watches sends {} {}",
                                  model::method_name(call.request.method), path));
}

void ShadowRules::decided(const control::Decision& decision) {
  model::Revision first = 0;
  model::Revision last = 0;
  for (const auto& pod : decision.actual->removed) {
    const auto found = departures_.find(pod.uid);
    if (found == departures_.end() || found->second.set != decision.uid) {
      return invariants_.violate(
          std::string(kRule),
          fmt::format("{} says that {} went, which is not true", decision.id, pod.name));
    }
    const model::Revision revision = found->second.revision;
    first = first == 0 ? revision : std::min(first, revision);
    last = std::max(last, revision);
  }
  if (demands_everything_) check_everything(decision, first, last);
}

// Between the resize and the last pod that went, no other pod of the ReplicaSet went, and none of
// them is in another record.
void ShadowRules::check_everything(const control::Decision& decision, model::Revision first,
                                   model::Revision last) {
  const Resize* resize = nullptr;
  for (const Resize& each : resizes_[decision.uid]) {
    if (each.revision < last) resize = &each;
  }
  if (resize == nullptr || resize->to != decision.to || first < resize->revision) {
    return invariants_.violate(
        std::string(kRule),
        fmt::format("{} compares a size of {}, which was not the last one before its pods went",
                    decision.id, decision.to));
  }
  std::set<std::string> recorded;
  for (const auto& pod : decision.actual->removed) {
    recorded.insert(pod.uid);
    if (recorded_.insert(pod.uid).second) continue;
    return invariants_.violate(
        std::string(kRule),
        fmt::format("{} says that {} went, which another record says too", decision.id, pod.name));
  }
  for (const auto& [uid, departure] : departures_) {
    if (departure.set != decision.uid || !departure.counted || recorded.contains(uid)) continue;
    if (departure.revision <= resize->revision || departure.revision > last) continue;
    return invariants_.violate(std::string(kRule),
                               fmt::format("{} does not say that {} went", decision.id, uid));
  }
  const bool complete = decision.actual->end == control::Decision::Actual::End::kComplete;
  if (complete && recorded.size() < decision.victims.size()) {
    invariants_.violate(std::string(kRule), fmt::format("{} ended too early", decision.id));
  }
}

}  // namespace ebb::sim
