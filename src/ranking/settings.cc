#include "ranking/settings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "model/records/section.h"
#include "ranking/strategy.h"
#include "schema/core/ranking_rules.h"

namespace ebb::ranking {

namespace json = boost::json;

using model::Problem;
using model::Section;

namespace {

constexpr std::array kCarriers = {Publish::kPodGroupCost, Publish::kAnnotation,
                                  Publish::kStatusField, Publish::kPodDeletionCost};

json::object decode_args(const Section& strategy, const schema::StrategyRules& rules) {
  static const json::object kNone;
  const json::value* given = strategy.find("args");
  const json::object* args = given == nullptr ? &kNone : given->if_object();
  if (args == nullptr) {
    strategy.must("args", "must be an object");
    return {};
  }
  if (const auto problem = schema::check_args(rules, *args)) {
    strategy.must(problem->field.empty() ? "args" : fmt::format("args.{}", problem->field),
                  problem->message);
  }
  return schema::complete_args(rules, *args);
}

std::optional<Weighed> decode_strategy(const Section& section) {
  const schema::StrategyRules* rules = schema::find_strategy_rules(section.text("name"));
  if (rules == nullptr) {
    section.must("name", fmt::format("must be one of: {}", schema::kStrategyNames));
    return std::nullopt;
  }
  Weighed weighed{.strategy = find_strategy(rules->name), .args = decode_args(section, *rules)};
  EBB_CHECK(weighed.strategy != nullptr);
  weighed.weight =
      static_cast<std::int32_t>(section.integer("weight", 0, schema::kMaxStrategyWeight, 1));
  if (section.find("threshold") != nullptr) {
    weighed.threshold = static_cast<std::int32_t>(
        section.integer("threshold", 0, std::numeric_limits<std::int32_t>::max(), 0));
  }
  return weighed;
}

void decode_strategies(const Section& ranking, Settings& settings) {
  ranking.each("strategies", [&](const Section& section) {
    ranking.check(settings.strategies.size() < schema::kMaxStrategies, "strategies",
                  fmt::format("must have at most {} items", schema::kMaxStrategies));
    if (auto weighed = decode_strategy(section)) settings.strategies.push_back(std::move(*weighed));
  });
}

void decode_preset(const Section& ranking, Settings& settings) {
  const schema::RankingPreset* preset = schema::find_ranking_preset(ranking.text("preset"));
  if (preset == nullptr) {
    ranking.must("preset", fmt::format("must be one of: {}", schema::kPresetNames));
    return;
  }
  // Presets are part of ebb, so this cannot fail.
  Problem problem;
  const json::value expanded{{"strategies", json::parse(preset->strategies)}};
  decode_strategies(Section(&expanded, std::string(preset->name), problem), settings);
  EBB_CHECK(!problem && !settings.strategies.empty());
}

Publish decode_publish(const Section& ranking) {
  const std::string_view name = ranking.text("publish");
  if (name.empty()) return Publish::kPodGroupCost;
  for (const Publish known : kCarriers) {
    if (to_string(known) == name) return known;
  }
  ranking.must("publish", fmt::format("must be one of: {}", schema::kPublishChoices));
  return Publish::kPodGroupCost;
}

void check_recomputation(const Section& ranking, const Settings& settings) {
  if (settings.publish == Publish::kPodGroupCost || !settings.recomputes()) return;
  const auto culprit = std::find_if(settings.strategies.begin(), settings.strategies.end(),
                                    [](const Weighed& w) { return w.strategy->recomputes; });
  ranking.must("publish", fmt::format("must be PodGroupCost: ranks of {} must be recomputed after "
                                      "each removal, unless exact is true",
                                      culprit->strategy->name));
}

}  // namespace

std::string_view to_string(Publish publish) {
  switch (publish) {
    case Publish::kPodGroupCost:
      return "PodGroupCost";
    case Publish::kAnnotation:
      return "Annotation";
    case Publish::kStatusField:
      return "StatusField";
    case Publish::kPodDeletionCost:
      return "PodDeletionCost";
  }
  return "";
}

bool Settings::recomputes() const {
  return !exact && std::any_of(strategies.begin(), strategies.end(),
                               [](const Weighed& w) { return w.strategy->recomputes; });
}

Result<Settings> decode_settings(const json::value& ranking, std::string_view where) {
  Problem problem;
  const Section section(&ranking, std::string(where), problem);
  Settings settings;
  const bool has_preset = !section.text("preset").empty();
  if (has_preset) decode_preset(section, settings);
  const std::size_t from_preset = settings.strategies.size();
  decode_strategies(section, settings);
  const bool has_strategies = settings.strategies.size() > from_preset;
  if (!problem && has_preset == has_strategies) {
    problem = fmt::format("{}: must have exactly one of preset and strategies", where);
  }
  settings.exact = section.flag("exact");
  settings.publish = decode_publish(section);
  if (section.find("waitSeconds") != nullptr) {
    settings.wait_seconds =
        static_cast<std::int32_t>(section.integer("waitSeconds", 0, schema::kMaxWaitSeconds, 0));
  }
  settings.during_rollouts = section.flag("duringRollouts");
  if (!problem) check_recomputation(section, settings);
  if (problem) return fail(ErrorCode::kInvalidInput, std::move(*problem));
  return settings;
}

}  // namespace ebb::ranking
