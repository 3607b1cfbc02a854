#include "control/core/decision.h"

#include <algorithm>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "control/core/rule_text.h"
#include "schema/core/time.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

json::object gates_json(const model::FeatureGates& gates) {
  json::object object;
  for (std::size_t i = 0; i < model::kGateNames.size(); ++i) {
    object[model::kGateNames.at(i)] = gates.on(static_cast<model::Gate>(i));
  }
  return object;
}

json::object victim_json(const Decision::Victim& victim, std::size_t position,
                         const json::storage_ptr& memory) {
  return json::object({{"position", position},
                       {"name", victim.name},
                       {"uid", victim.uid},
                       {"node", victim.node},
                       {"decidedBy", victim.rule},
                       {"because", victim.because},
                       {"outcome", victim.outcome}},
                      memory);
}

// Rounded to milliseconds.
double in_seconds(Nanoseconds ns) {
  const Nanoseconds milliseconds = ns / kMillisecond;
  return static_cast<double>(milliseconds) / 1000;
}

json::object picker_json(const Decision::Picker& picker) {
  json::object object{{"carrier", picker.carrier}, {"outcome", to_string(picker.outcome)}};
  if (!picker.endpoint.empty()) object["endpoint"] = picker.endpoint;
  if (picker.outcome == picker::Outcome::kStatusCode) object["code"] = picker.code;
  if (!picker.problem.empty()) object["problem"] = picker.problem;
  if (picker.outcome == picker::Outcome::kNotNeeded ||
      picker.outcome == picker::Outcome::kBadSettings) {
    return object;
  }
  object["requested"] = picker.requested;
  object["attempts"] = picker.attempts;
  object["durationSeconds"] = in_seconds(picker.duration_ns);
  if (!picker.idempotency_key.empty()) object["idempotencyKey"] = picker.idempotency_key;
  if (picker.outcome == picker::Outcome::kAnswered || picker.outcome == picker::Outcome::kEmpty) {
    object["chosen"] = picker.chosen;
    object["tied"] = picker.tied;
    object["namesIgnored"] = picker.ignored;
  }
  return object;
}

json::object ranking_json(const Decision::Ranking& ranking) {
  json::object object{{"outcome", to_string(ranking.outcome)}};
  if (!ranking.policy.empty()) {
    object["policy"] = fmt::format("DownscalePolicy/{}", ranking.policy);
  }
  if (!ranking.carrier.empty()) object["carrier"] = ranking.carrier;
  object["recompute"] = ranking.recompute;
  object["waitedSeconds"] = in_seconds(ranking.waited_ns);
  if (!ranking.problems.empty()) {
    json::array& problems = object["problems"].emplace_array();
    for (const std::string& sentence : ranking.problems) problems.emplace_back(sentence);
  }
  return object;
}

json::object actual_json(const Decision::Actual& actual, const json::storage_ptr& memory) {
  json::array removed(memory);
  removed.reserve(actual.removed.size());
  for (const Decision::Actual::Removed& pod : actual.removed) {
    json::object one({{"name", pod.name}, {"uid", pod.uid}, {"node", pod.node}}, memory);
    one["agreed"] = pod.agreed;
    if (!pod.agreed) {
      one["keptBy"] = pod.rule;
      one["because"] = pod.because;
    }
    removed.push_back(std::move(one));
  }
  return json::object({{"end", to_string(actual.end)},
                       {"agreed", actual.agreed()},
                       {"removed", std::move(removed)}},
                      memory);
}

}  // namespace

std::string_view to_string(Decision::Actual::End end) {
  switch (end) {
    case Decision::Actual::End::kComplete:
      return "complete";
    case Decision::Actual::End::kResized:
      return "resized";
    case Decision::Actual::End::kTimeout:
      break;
  }
  return "timeout";
}

std::size_t Decision::Actual::agreed() const {
  return static_cast<std::size_t>(
      std::count_if(removed.begin(), removed.end(), [](const Removed& pod) { return pod.agreed; }));
}

json::object Decision::to_json(const json::storage_ptr& memory) const {
  json::array asked(memory);
  for (const std::string& sentence : consulted) asked.emplace_back(sentence);
  json::array gone(memory);
  gone.reserve(victims.size());
  for (const Victim& victim : victims) gone.push_back(victim_json(victim, gone.size() + 1, memory));
  json::object set{{"namespace", namespace_name}, {"name", replica_set}, {"uid", uid}};
  if (!owner.empty()) set["owner"] = owner;
  json::object object({{"id", id},
                       {"time", schema::format_time(time)},
                       {"replicaSet", std::move(set)},
                       {"replicas", json::object{{"from", from}, {"to", to}}},
                       {"candidates", candidates}},
                      memory);
  if (picker) object["picker"] = picker_json(*picker);
  if (ranking) object["ranking"] = ranking_json(*ranking);
  object["consulted"] = std::move(asked);
  object["victims"] = std::move(gone);
  if (actual) {
    object["shadow"] = true;
    object["actual"] = actual_json(*actual, memory);
  }
  if (!first_kept.empty()) object["firstKept"] = first_kept;
  object["gates"] = gates_json(gates);
  return object;
}

std::size_t Decision::going() const {
  return static_cast<std::size_t>(
      std::count_if(victims.begin(), victims.end(), [](const Victim& one) { return !one.spared; }));
}

std::string Decision::agreement_text() const {
  constexpr std::size_t kShown = 3;
  const std::size_t went = actual->removed.size();
  std::string text =
      fmt::format("{} of {} {} that went {}", actual->agreed(), went, went == 1 ? "pod" : "pods",
                  actual->agreed() == 1 ? "agrees" : "agree");
  std::size_t shown = 0;
  for (const Actual::Removed& pod : actual->removed) {
    if (pod.agreed || shown == kShown) continue;
    text += fmt::format("{}{} would have stayed ({})", shown == 0 ? "; " : ", ", pod.name,
                        in_words(pod.rule));
    ++shown;
  }
  const std::size_t others = went - actual->agreed();
  if (others > shown) text += fmt::format(" and {} more", others - shown);
  // After an early end, it is unknown which of the other victims would have gone as well.
  if (actual->end != Actual::End::kComplete) return text;
  std::string instead;
  shown = 0;
  for (const Victim& victim : victims) {
    if (!victim.spared || shown == kShown) continue;
    instead += fmt::format("{}{}", shown == 0 ? "" : ", ", victim.name);
    ++shown;
  }
  const std::size_t stayed = victims.size() - going();
  if (stayed == 0) return text;
  if (stayed > shown) instead += fmt::format(" and {} more", stayed - shown);
  return fmt::format("{}; {} would have gone instead", text, instead);
}

std::string Decision::summary() const {
  if (actual) {
    return fmt::format("shadow: {}/{}: {}{}{}", namespace_name, replica_set, agreement_text(),
                       ranking_text(), picker_text());
  }
  constexpr std::size_t kShown = 5;
  std::string text = fmt::format("{} {} of {}/{} {}", going(), going() == 1 ? "pod" : "pods",
                                 namespace_name, replica_set, going() == 1 ? "goes" : "go");
  std::size_t shown = 0;
  for (const Victim& victim : victims) {
    if (victim.spared || shown == kShown) continue;
    text += fmt::format("{}{} ({})", shown == 0 ? ": " : ", ", victim.name, in_words(victim.rule));
    ++shown;
  }
  if (going() > shown) text += fmt::format(" and {} more", going() - shown);
  if (going() < victims.size()) {
    text += fmt::format("; {} could not be deleted", victims.size() - going());
    const auto first =
        std::find_if(victims.begin(), victims.end(), [](const Victim& one) { return one.spared; });
    if (!first->outcome.empty()) text += fmt::format(" ({})", first->outcome);
  }
  return text + ranking_text() + picker_text();
}

std::vector<Field> Decision::log_fields() const {
  std::vector<Field> fields = {{"replicaSet", ObjectName{namespace_name, replica_set}},
                               {"decision", id},
                               {"from", from},
                               {"to", to},
                               {"candidates", candidates},
                               {"going", going()}};
  if (!owner.empty()) fields.emplace_back("owner", owner);
  if (actual) {
    fields.emplace_back("shadow", std::string_view("true"));
    fields.emplace_back("went", actual->removed.size());
    fields.emplace_back("agreed", actual->agreed());
  }
  if (ranking) fields.emplace_back("ranking", to_string(ranking->outcome));
  if (picker) fields.emplace_back("picker", to_string(picker->outcome));
  return fields;
}

std::string Decision::ranking_text() const {
  if (!ranking) return {};
  switch (ranking->outcome) {
    case RankOutcome::kRanked:
    case RankOutcome::kNotNeeded:
      return {};
    case RankOutcome::kRollout:
      return "; ranks are not applied during a rollout";
    case RankOutcome::kUnpublished:
      return "; there are no ranks";
    case RankOutcome::kIncomplete:
      return "; ranks are incomplete";
    case RankOutcome::kStale:
      return "; ranks are out of date";
    case RankOutcome::kBadSettings:
      break;
  }
  return "; the policy's ranking is invalid";
}

std::string Decision::picker_text() const {
  if (!picker) return {};
  switch (picker->outcome) {
    case picker::Outcome::kNotNeeded:
      return {};
    case picker::Outcome::kAnswered:
      return "; the picker answered";
    case picker::Outcome::kEmpty:
      return "; the picker named no candidate";
    default:
      return fmt::format("; the picker failed: {}", to_string(picker->outcome));
  }
}

}  // namespace ebb::control
