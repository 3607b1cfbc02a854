#include "control/policy/policy_status.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "control/core/json_document.h"
#include "control/policy/picker_choice.h"
#include "control/policy/ranking_choice.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using picker::Outcome;

struct Condition {
  std::string_view type{};
  std::string_view status{};
  std::string reason{};
  std::string message{};
};

// `StatusCode` for `status code`.
std::string camel_case(std::string_view words) {
  std::string text;
  bool begins = true;
  for (const char c : words) {
    if (c == ' ') {
      begins = true;
      continue;
    }
    text += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = false;
  }
  return text;
}

json::object* find_condition(json::array& conditions, std::string_view type) {
  for (json::value& item : conditions) {
    json::object* const condition = item.if_object();
    if (condition != nullptr && schema::text_at(*condition, {"type"}) == type) return condition;
  }
  return nullptr;
}

// Keeps the last transition time while the status stays the same.
void set_condition(json::array& conditions, const Condition& fresh, std::int64_t generation,
                   Timestamp now) {
  json::object made{{"type", fresh.type},
                    {"status", fresh.status},
                    {"observedGeneration", generation},
                    {"lastTransitionTime", model::time_text(now)},
                    {"reason", fresh.reason},
                    {"message", fresh.message}};
  json::object* const known = find_condition(conditions, fresh.type);
  if (known == nullptr) {
    conditions.push_back(std::move(made));
    return;
  }
  const json::value* const since = known->if_contains("lastTransitionTime");
  if (schema::text_at(*known, {"status"}) == fresh.status && since != nullptr) {
    made["lastTransitionTime"] = *since;
  }
  *known = std::move(made);
}

void remove_condition(json::array& conditions, std::string_view type) {
  for (auto item = conditions.begin(); item != conditions.end(); ++item) {
    const json::object* const condition = item->if_object();
    if (condition == nullptr || schema::text_at(*condition, {"type"}) != type) continue;
    conditions.erase(item);
    return;
  }
}

std::string counted(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

// ebb reads no objects of other kinds: they exist, as far as it can tell, if they own ReplicaSets.
std::string no_target_text(const Policy& policy) {
  const model::TargetRef target = model::target_of(policy);
  if (target.is_deployment() || target.is_replica_set()) {
    return fmt::format("there is no {} {} in this namespace", target.kind, target.name);
  }
  const bool other_group =
      target.kind == model::kDeploymentKind || target.kind == model::kReplicaSetKind;
  return fmt::format("no ReplicaSet in this namespace is owned by {}/{} ({}) now{}", target.kind,
                     target.name, target.group_name(),
                     other_group ? "; did you mean apiVersion apps/v1?" : "");
}

Condition ready(const PolicyInspection& inspection) {
  if (inspection.problem.empty()) {
    return {.type = "Ready", .status = "True", .reason = "SettingsValid", .message = {}};
  }
  return {.type = "Ready",
          .status = "False",
          .reason = "SettingsInvalid",
          .message = inspection.problem};
}

Condition conflicting(const PolicyInspection& inspection) {
  if (inspection.rival.empty()) {
    return {.type = "Conflicting", .status = "False", .reason = "NoOtherPolicy", .message = {}};
  }
  return {.type = "Conflicting",
          .status = "True",
          .reason = "OlderPolicy",
          .message = fmt::format(
              "DownscalePolicy {} has the same target and is older, so it takes precedence",
              inspection.rival)};
}

Condition target_found(const Policy& policy, const PolicyInspection& inspection) {
  if (inspection.has_target) {
    return {.type = "TargetFound", .status = "True", .reason = "TargetExists", .message = {}};
  }
  return {.type = "TargetFound",
          .status = "False",
          .reason = "NoTarget",
          .message = no_target_text(policy)};
}

// Contains only fixed words for the outcome, so that a status reveals nothing else about the
// network. Errors in settings or a Secret are shown to their author.
Condition reachable(const PolicyReports::Report& report) {
  const Outcome outcome = *report.asked;
  const bool answered = outcome == Outcome::kAnswered || outcome == Outcome::kEmpty;
  const Outcome shown = report.breaker_open ? Outcome::kBreakerOpen : outcome;
  const std::string_view why =
      shown == outcome && !report.problem.empty() ? report.problem : explain(shown);
  return {.type = "PickerReachable",
          .status = answered ? "True" : "False",
          .reason = camel_case(to_string(shown)),
          .message = answered && !report.breaker_open
                         ? "the last call was answered"
                         : fmt::format("{}: {}", to_string(shown), why)};
}

void update_reachable(const Policy& policy, const PolicyReports::Report* report,
                      json::array& conditions, Timestamp now) {
  constexpr std::string_view kType = "PickerReachable";
  if (!policy.has_picker) return remove_condition(conditions, kType);
  if (report != nullptr && report->asked) {
    return set_condition(conditions, reachable(*report), policy.generation, now);
  }
  const json::object* const known = find_condition(conditions, kType);
  const bool still_counts =
      known != nullptr && schema::integer_at(*known, {"observedGeneration"}) == policy.generation;
  if (still_counts) return;
  set_condition(conditions,
                {.type = kType,
                 .status = "Unknown",
                 .reason = "NotAsked",
                 .message = "the picker has not been called yet"},
                policy.generation, now);
}

Condition ranked(const Policy& policy, const PolicyInspection& inspection,
                 const PolicyReports::Ranked* report) {
  const auto is_false = [](std::string reason, std::string message) {
    return Condition{.type = "Ranked",
                     .status = "False",
                     .reason = std::move(reason),
                     .message = std::move(message)};
  };
  if (!inspection.ranking_problem.empty()) {
    return is_false("SettingsInvalid", inspection.ranking_problem);
  }
  if (!inspection.rival.empty()) {
    return is_false("OlderPolicy",
                    fmt::format("DownscalePolicy {} takes precedence", inspection.rival));
  }
  if (policy.shadow) {
    return is_false("ShadowMode",
                    "the policy is in shadow mode: ranks are computed at each scale-down, and not "
                    "published");
  }
  std::string count = fmt::format("{} of {} ranked", counted(report->pods, "pod"),
                                  counted(report->replica_sets, "ReplicaSet"));
  if (!report->changed.is_zero()) {
    count += fmt::format(", last written at {}", model::time_text(report->changed));
  }
  if (!report->limit.empty()) count += fmt::format("; {}", report->limit);
  if (!report->reason.empty()) {
    return is_false(report->reason, fmt::format("{}; {}", report->problem, count));
  }
  if (report->pods == 0 && !inspection.has_target)
    return is_false("NoTarget", no_target_text(policy));
  if (report->pods == 0 && !inspection.closer.empty()) {
    return is_false(
        "ReplicaSetPolicy",
        fmt::format("DownscalePolicy {} is for the ReplicaSet itself, so it takes precedence",
                    inspection.closer));
  }
  if (report->pods == 0) return is_false("NoPods", "there are no pods to rank");
  return {.type = "Ranked", .status = "True", .reason = "RanksPublished", .message = count};
}

void update_ranked(const Policy& policy, const PolicyInspection& inspection,
                   const PolicyReports::Report* report, json::array& conditions, Timestamp now) {
  if (!policy.has_ranking) return remove_condition(conditions, "Ranked");
  const PolicyReports::Ranked* const ranked_report =
      report != nullptr && report->ranked ? &*report->ranked : nullptr;
  if (ranked_report == nullptr && inspection.ranking_problem.empty() && inspection.rival.empty())
    return;
  set_condition(conditions, ranked(policy, inspection, ranked_report), policy.generation, now);
}

// Absent as long as no other program has changed the published values.
void update_contested(const Policy& policy, const PolicyReports::Report* report,
                      json::array& conditions, Timestamp now) {
  constexpr std::string_view kType = "CostContested";
  if (!policy.has_ranking) return remove_condition(conditions, kType);
  if (report == nullptr || !report->ranked) return;
  const auto& [reason, message] = report->ranked->contest;
  if (!reason.empty()) {
    set_condition(conditions,
                  {.type = kType, .status = "True", .reason = reason, .message = message},
                  policy.generation, now);
  } else if (find_condition(conditions, kType) != nullptr) {
    set_condition(conditions,
                  {.type = kType,
                   .status = "False",
                   .reason = "NotContested",
                   .message = "no other program keeps changing the values that ebb publishes"},
                  policy.generation, now);
  }
}

json::object decided_json(const PolicyReports::Decided& decided) {
  return {{"time", model::time_text(decided.time)},
          {"replicaSet", decided.replica_set},
          {"victims", decided.victims},
          {"outcome", to_string(decided.outcome)},
          {"id", decided.id}};
}

// The order of decisions: by their time in whole seconds, then by the moment that ends their ids.
std::tuple<std::string_view, std::string_view, std::size_t, std::string_view> order_of(
    std::string_view time, std::string_view id) {
  const std::size_t moment = id.rfind('-');
  return {time, moment == std::string_view::npos ? id : id.substr(moment), id.size(), id};
}

// Several replicas of the webhook decide, and each writes its last decision: the latest one stays.
// The order is total, so two replicas do not overwrite each other forever.
bool is_outdated(const PolicyReports::Decided& decided, const json::object& status) {
  const json::object* const there = schema::object_at(status, {"lastDecision"});
  if (there == nullptr) return false;
  return order_of(schema::text_at(*there, {"time"}), schema::text_at(*there, {"id"})) >
         order_of(model::time_text(decided.time), decided.id);
}

// Only a process that runs the Deployment controller caches Deployments; elsewhere, and for other
// kinds, the ReplicaSets of the target show that it exists. A forged owner reference must not show
// that of a ReplicaSet.
void find_target(const Policy& policy, const Store& store, PolicyInspection& inspection) {
  const std::string_view namespace_name = policy.namespace_name.view();
  const model::TargetRef target = model::target_of(policy);
  if (target.is_deployment()) {
    inspection.has_target = store.deployment(namespace_name, target.name) != nullptr;
  }
  if (target.is_replica_set()) {
    inspection.has_target = store.replica_set(namespace_name, target.name) != nullptr;
  }
  for (const ReplicaSet* set : store.replica_sets_in(namespace_name)) {
    if (!model::concerns(target, *set)) continue;
    if (!target.is_replica_set()) inspection.has_target = true;
    const Policy* const counts = policy_for(*set, store);
    if (counts == &policy || counts->name.view() == inspection.rival) continue;
    inspection.closer = counts->name.view();
  }
}

}  // namespace

PolicyReports::Shadow shadow_counts(const Policy& policy) {
  const auto object = parse_document(policy.json);
  if (!object) return {};
  // Users may write the status too.
  const auto number = [&](std::string_view field) {
    return std::max<std::int64_t>(
        schema::integer_at(*object, {"status", "shadow", field}).value_or(0), 0);
  };
  return {
      .decisions = number("decisions"), .victims = number("victims"), .agreed = number("agreed")};
}

PolicyInspection inspect_policy(const Policy& policy, const Store& store) {
  PolicyInspection inspection;
  if (policy.has_picker) inspection.problem = picker_problem(policy);
  if (policy.has_ranking) inspection.ranking_problem = ranking_problem(policy);
  if (inspection.problem.empty()) inspection.problem = inspection.ranking_problem;
  const auto same_target =
      store.policies_for(policy.namespace_name.view(), model::target_of(policy));
  if (!same_target.empty() && same_target.front() != &policy) {
    inspection.rival = same_target.front()->name.view();
  }
  find_target(policy, store, inspection);
  return inspection;
}

std::optional<json::object> with_new_status(const Policy& policy,
                                            const PolicyInspection& inspection,
                                            const PolicyReports::Report* report, PolicyRoles roles,
                                            Timestamp now) {
  auto object = parse_document(policy.json);
  if (!object) return std::nullopt;
  json::object& status = schema::ensure_object(*object, {"status"});
  const json::object before = status;
  const bool outdated = report != nullptr && report->last && is_outdated(*report->last, status);
  status["observedGeneration"] = policy.generation;
  json::value& conditions = status["conditions"];
  if (!conditions.is_array()) conditions.emplace_array();
  json::array& list = conditions.get_array();
  if (roles.decides) {
    set_condition(list, ready(inspection), policy.generation, now);
    set_condition(list, conflicting(inspection), policy.generation, now);
    set_condition(list, target_found(policy, inspection), policy.generation, now);
    update_reachable(policy, outdated ? nullptr : report, list, now);
  }
  if (roles.ranks) {
    update_ranked(policy, inspection, report, list, now);
    update_contested(policy, report, list, now);
  }
  // Must come last: adding a member may move the others, including the list of conditions.
  if (roles.decides && report != nullptr && report->last && !outdated) {
    status["lastDecision"] = decided_json(*report->last);
  }
  if (roles.decides && report != nullptr && report->shadow) {
    status["shadow"] = {{"decisions", report->shadow->decisions},
                        {"victims", report->shadow->victims},
                        {"agreed", report->shadow->agreed}};
  }
  if (status == before) return std::nullopt;
  return object;
}

}  // namespace ebb::control
