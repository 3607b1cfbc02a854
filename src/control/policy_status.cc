#include "control/policy_status.h"

#include <string_view>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "control/json_document.h"
#include "control/picker_choice.h"
#include "control/ranking_choice.h"
#include "model/requests.h"
#include "schema/json.h"

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

// Keeps the time of the last transition while the status stays.
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

std::string no_target_text(const Policy& policy) {
  return fmt::format("there is no {} {} in this namespace", policy.target_kind.view(),
                     policy.target_name.view());
}

Condition ready(const PolicyFindings& findings) {
  if (findings.problem.empty()) {
    return {.type = "Ready", .status = "True", .reason = "SettingsValid", .message = {}};
  }
  return {
      .type = "Ready", .status = "False", .reason = "SettingsInvalid", .message = findings.problem};
}

Condition conflicting(const PolicyFindings& findings) {
  if (findings.rival.empty()) {
    return {.type = "Conflicting", .status = "False", .reason = "NoOtherPolicy", .message = {}};
  }
  return {.type = "Conflicting",
          .status = "True",
          .reason = "OlderPolicy",
          .message = fmt::format("DownscalePolicy {} has the same target and is older, so that one "
                                 "counts",
                                 findings.rival)};
}

Condition target_found(const Policy& policy, const PolicyFindings& findings) {
  if (findings.has_target) {
    return {.type = "TargetFound", .status = "True", .reason = "TargetExists", .message = {}};
  }
  return {.type = "TargetFound",
          .status = "False",
          .reason = "NoTarget",
          .message = no_target_text(policy)};
}

// Words of the outcome and no others: what is shown here says nothing about a network beyond them.
// What is wrong with settings or a Secret is for whoever wrote them.
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
                         ? "the last question was answered"
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
                 .message = "the picker has not been asked yet"},
                policy.generation, now);
}

Condition ranked(const Policy& policy, const PolicyFindings& findings,
                 const PolicyReports::Ranked* report) {
  const auto is_false = [](std::string reason, std::string message) {
    return Condition{.type = "Ranked",
                     .status = "False",
                     .reason = std::move(reason),
                     .message = std::move(message)};
  };
  if (!findings.ranking_problem.empty()) {
    return is_false("SettingsInvalid", findings.ranking_problem);
  }
  if (!findings.rival.empty()) {
    return is_false("OlderPolicy", fmt::format("DownscalePolicy {} counts", findings.rival));
  }
  std::string count = fmt::format("{} of {} ranked", counted(report->pods, "pod"),
                                  counted(report->replica_sets, "ReplicaSet"));
  if (!report->changed.is_zero()) {
    count += fmt::format(", last written at {}", model::time_text(report->changed));
  }
  if (!report->reason.empty()) {
    return is_false(report->reason, fmt::format("{}; {}", report->problem, count));
  }
  if (report->pods == 0 && !findings.has_target)
    return is_false("NoTarget", no_target_text(policy));
  if (report->pods == 0 && !findings.closer.empty()) {
    return is_false("ReplicaSetPolicy", fmt::format("DownscalePolicy {} is for the ReplicaSet "
                                                    "itself, so that one counts",
                                                    findings.closer));
  }
  if (report->pods == 0) return is_false("NoPods", "there are no pods to rank");
  return {.type = "Ranked", .status = "True", .reason = "RanksPublished", .message = count};
}

void update_ranked(const Policy& policy, const PolicyFindings& findings,
                   const PolicyReports::Report* report, json::array& conditions, Timestamp now) {
  if (!policy.has_ranking) return remove_condition(conditions, "Ranked");
  const PolicyReports::Ranked* const told =
      report != nullptr && report->ranked ? &*report->ranked : nullptr;
  if (told == nullptr && findings.ranking_problem.empty() && findings.rival.empty()) return;
  set_condition(conditions, ranked(policy, findings, told), policy.generation, now);
}

json::object decided_json(const PolicyReports::Decided& decided) {
  return {{"time", model::time_text(decided.time)},
          {"replicaSet", decided.replica_set},
          {"victims", decided.victims},
          {"outcome", to_string(decided.outcome)},
          {"id", decided.id}};
}

// Deployments are known only to a process that controls them; the ReplicaSets of one tell of it
// too.
void look_for_target(const Policy& policy, const Store& store, PolicyFindings& findings) {
  const std::string_view name_space = policy.name_space.view();
  if (policy.target_kind.view() == "Deployment") {
    findings.has_target = store.deployment(name_space, policy.target_name.view()) != nullptr;
  }
  for (const ReplicaSet* set : store.replica_sets_in(name_space)) {
    if (!concerns(policy, *set)) continue;
    findings.has_target = true;
    const Policy* const counts = policy_for(*set, store);
    if (counts == &policy || counts->name.view() == findings.rival) continue;
    findings.closer = counts->name.view();
  }
}

}  // namespace

PolicyFindings look_at_policy(const Policy& policy, const Store& store) {
  PolicyFindings findings;
  if (policy.has_picker) findings.problem = picker_problem(policy);
  if (policy.has_ranking) findings.ranking_problem = ranking_problem(policy);
  if (findings.problem.empty()) findings.problem = findings.ranking_problem;
  const Policy* oldest = &policy;
  for (const Policy* other : store.policies_for(policy.name_space.view(), policy.target_kind.view(),
                                                policy.target_name.view())) {
    if (comes_before(*other, *oldest)) oldest = other;
  }
  if (oldest != &policy) findings.rival = oldest->name.view();
  look_for_target(policy, store, findings);
  return findings;
}

std::optional<json::object> with_new_status(const Policy& policy, const PolicyFindings& findings,
                                            const PolicyReports::Report* report,
                                            PolicyVoices voices, Timestamp now) {
  auto object = parse_document(policy.json);
  if (!object) return std::nullopt;
  json::object& status = schema::ensure_object(*object, {"status"});
  const json::object before = status;
  status["observedGeneration"] = policy.generation;
  json::value& conditions = status["conditions"];
  if (!conditions.is_array()) conditions.emplace_array();
  json::array& list = conditions.get_array();
  if (voices.decides) {
    set_condition(list, ready(findings), policy.generation, now);
    set_condition(list, conflicting(findings), policy.generation, now);
    set_condition(list, target_found(policy, findings), policy.generation, now);
    update_reachable(policy, report, list, now);
  }
  if (voices.ranks) update_ranked(policy, findings, report, list, now);
  // Last: a new member may move the others, and the list of conditions with them.
  if (voices.decides && report != nullptr && report->last) {
    status["lastDecision"] = decided_json(*report->last);
  }
  if (status == before) return std::nullopt;
  return object;
}

}  // namespace ebb::control
