// How pods are ranked: spec.ranking of policies. Names of strategies and presets, and the limits of
// numbers, are in the table of fields.
#include <fmt/format.h>

#include "apiserver/checks.h"
#include "schema/json.h"
#include "schema/ranking_rules.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::array_at;
using schema::is_true_at;
using schema::text_at;

namespace {

void check_args(const json::object& strategy, const schema::StrategyRules& rules,
                const FieldPath& path, Findings& findings) {
  static const json::value kNone = json::object();
  const json::value* args = strategy.if_contains("args");
  if (args == nullptr || !args->is_object()) args = &kNone;
  const auto problem = schema::check_args(rules, args->get_object());
  if (!problem) return;
  const FieldPath args_path{.parent = &path, .name = "args"};
  if (problem->field.empty()) {
    findings.invalid(args_path.text(), json_text(args), problem->message);
  } else {
    findings.invalid(below(args_path, problem->field),
                     json_text(args->get_object().if_contains(problem->field)), problem->message);
  }
}

void check_strategies(const json::object& ranking, const FieldPath& path, Findings& findings) {
  const json::array* strategies = array_at(ranking, {"strategies"});
  if (strategies == nullptr) return;
  const FieldPath list_path{.parent = &path, .name = "strategies"};
  if (strategies->size() > schema::kMostStrategies) {
    return findings.forbidden(list_path.text(),
                              fmt::format("must have at most {} items", schema::kMostStrategies));
  }
  bool recomputes = false;
  for (std::size_t i = 0; i < strategies->size(); ++i) {
    const json::object* strategy = (*strategies)[i].if_object();
    const auto* rules =
        strategy == nullptr ? nullptr : schema::find_strategy_rules(text_at(*strategy, {"name"}));
    if (rules == nullptr) continue;
    recomputes = recomputes || rules->recomputes;
    check_args(*strategy, *rules, FieldPath{.parent = &list_path, .index = i}, findings);
  }
  const std::string_view publish = text_at(ranking, {"publish"});
  if (recomputes && !is_true_at(ranking, {"exact"}) && publish != "PodGroupCost") {
    findings.invalid(below(path, "publish"), quoted(publish),
                     "must be PodGroupCost for strategies whose ranks have to be worked out anew "
                     "after each removal, unless `exact` is true");
  }
}

}  // namespace

void check_ranking(const json::object& ranking, const FieldPath& path, Findings& findings) {
  const bool has_preset = !text_at(ranking, {"preset"}).empty();
  const json::array* strategies = array_at(ranking, {"strategies"});
  const bool has_strategies = strategies != nullptr && !strategies->empty();
  if (!has_preset && !has_strategies) {
    findings.required(path.text(), "one of `preset` and `strategies` must be specified");
  } else if (has_preset && has_strategies) {
    findings.forbidden(below(path, "strategies"),
                       "may not be specified when `preset` is specified");
  }
  check_strategies(ranking, path, findings);
}

}  // namespace ebb::apiserver
