#include "control/decision.h"

#include <algorithm>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "control/rule_words.h"
#include "schema/time.h"

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

// To the millisecond.
double in_seconds(Nanoseconds ns) {
  constexpr Nanoseconds kMillisecond = 1'000'000;
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

}  // namespace

json::object Decision::to_json(const json::storage_ptr& memory) const {
  json::array asked(memory);
  for (const std::string& sentence : consulted) asked.emplace_back(sentence);
  json::array gone(memory);
  gone.reserve(victims.size());
  for (const Victim& victim : victims) gone.push_back(victim_json(victim, gone.size() + 1, memory));
  json::object set{{"namespace", name_space}, {"name", replica_set}, {"uid", uid}};
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
  if (!first_kept.empty()) object["firstKept"] = first_kept;
  object["gates"] = gates_json(gates);
  return object;
}

std::size_t Decision::going() const {
  return static_cast<std::size_t>(
      std::count_if(victims.begin(), victims.end(), [](const Victim& one) { return !one.spared; }));
}

std::string Decision::summary() const {
  constexpr std::size_t kShown = 5;
  std::string text = fmt::format("{} {} of {}/{} {}", going(), going() == 1 ? "pod" : "pods",
                                 name_space, replica_set, going() == 1 ? "goes" : "go");
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
  return text + ranking_words() + picker_words();
}

std::vector<Field> Decision::log_fields() const {
  std::vector<Field> fields = {{"replicaSet", ObjectName{name_space, replica_set}},
                               {"decision", id},
                               {"from", from},
                               {"to", to},
                               {"candidates", candidates},
                               {"going", going()}};
  if (!owner.empty()) fields.emplace_back("owner", owner);
  if (ranking) fields.emplace_back("ranking", to_string(ranking->outcome));
  if (picker) fields.emplace_back("picker", to_string(picker->outcome));
  return fields;
}

std::string Decision::ranking_words() const {
  if (!ranking) return {};
  switch (ranking->outcome) {
    case RankOutcome::kRanked:
    case RankOutcome::kNotNeeded:
      return {};
    case RankOutcome::kRollout:
      return "; ranks are not heeded during a rollout";
    case RankOutcome::kUnpublished:
      return "; there are no ranks";
    case RankOutcome::kIncomplete:
      return "; ranks are incomplete";
    case RankOutcome::kStale:
      return "; ranks are out of date";
    case RankOutcome::kBadSettings:
      break;
  }
  return "; the policy's ranking makes no sense";
}

std::string Decision::picker_words() const {
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
