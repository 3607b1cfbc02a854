// Validates spec.ranking of policies. The schema table has the names of strategies and presets, and
// the limits of numbers.
#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"
#include "schema/core/ranking_rules.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::array_at;
using schema::is_true_at;
using schema::text_at;

namespace {

void check_args(const json::object& strategy, const schema::StrategyRules& rules,
                const FieldPath& path, FieldErrors& errors) {
  static const json::value kNone = json::object();
  const json::value* args = strategy.if_contains("args");
  if (args == nullptr || !args->is_object()) args = &kNone;
  const auto problem = schema::check_args(rules, args->get_object());
  if (!problem) return;
  const FieldPath args_path{.parent = &path, .name = "args"};
  if (problem->field.empty()) {
    errors.invalid(args_path.text(), json_text(args), problem->message);
  } else {
    errors.invalid(below(args_path, problem->field),
                   json_text(args->get_object().if_contains(problem->field)), problem->message);
  }
}

void check_strategies(const json::object& ranking, const FieldPath& path, FieldErrors& errors) {
  const json::array* strategies = array_at(ranking, {"strategies"});
  if (strategies == nullptr) return;
  const FieldPath list_path{.parent = &path, .name = "strategies"};
  if (strategies->size() > schema::kMaxStrategies) {
    return errors.forbidden(list_path.text(),
                            fmt::format("must have at most {} items", schema::kMaxStrategies));
  }
  bool recomputes = false;
  for (std::size_t i = 0; i < strategies->size(); ++i) {
    const json::object* strategy = (*strategies)[i].if_object();
    const auto* rules =
        strategy == nullptr ? nullptr : schema::find_strategy_rules(text_at(*strategy, {"name"}));
    if (rules == nullptr) continue;
    recomputes = recomputes || rules->recomputes;
    check_args(*strategy, *rules, FieldPath{.parent = &list_path, .index = i}, errors);
  }
  const std::string_view publish = text_at(ranking, {"publish"});
  if (recomputes && !is_true_at(ranking, {"exact"}) && publish != "PodGroupCost") {
    errors.invalid(below(path, "publish"), quoted(publish),
                   "must be PodGroupCost for strategies whose ranks must be recomputed "
                   "after each removal, unless `exact` is true");
  }
}

}  // namespace

void check_ranking(const json::object& ranking, const FieldPath& path, FieldErrors& errors) {
  const bool has_preset = !text_at(ranking, {"preset"}).empty();
  const json::array* strategies = array_at(ranking, {"strategies"});
  const bool has_strategies = strategies != nullptr && !strategies->empty();
  if (!has_preset && !has_strategies) {
    errors.required(path.text(), "one of `preset` and `strategies` must be specified");
  } else if (has_preset && has_strategies) {
    errors.forbidden(below(path, "strategies"), "may not be specified when `preset` is specified");
  }
  check_strategies(ranking, path, errors);
}

}  // namespace ebb::apiserver
