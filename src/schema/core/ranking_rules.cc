#include "schema/core/ranking_rules.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/core/name_rules.h"

namespace ebb::schema {

namespace json = boost::json;

namespace {

using Needs = StrategyRules::Needs;

constexpr RankingArg kTopologySpreadArgs[] = {
    {.name = "topologyKey",
     .summary = "the node label whose values are the domains",
     .by_default = "topology.kubernetes.io/zone"},
};
constexpr RankingArg kTaintArgs[] = {
    {.name = "count",
     .summary = "the taints to count: hard (NoSchedule and NoExecute), preferred "
                "(PreferNoSchedule) or all",
     .type = RankingArg::Type::kChoice,
     .by_default = "all",
     .choices = "all hard preferred"},
};
constexpr RankingArg kNodeCostArgs[] = {
    {.name = "label",
     .summary = "the node label to look up in prices, or, without prices, the price itself",
     .by_default = "node.kubernetes.io/instance-type"},
    {.name = "prices",
     .summary = "a map from values of the label to prices",
     .type = RankingArg::Type::kPrices},
};
constexpr RankingArg kWeightArgs[] = {
    {.name = "label", .summary = "the pod label that contains the rank"},
    {.name = "annotation", .summary = "the pod annotation that contains the rank"},
};

constexpr StrategyRules kStrategies[] = {
    {.name = "TopologySpread",
     .summary = "the nth oldest pod of a domain has rank n, so domains stay balanced",
     .args = kTopologySpreadArgs},
    {.name = "UntoleratedTaints",
     .summary = "the number of taints of its node that a pod does not tolerate",
     .args = kTaintArgs},
    {.name = "AntiAffinity",
     .summary = "how much better anti-affinity is kept without the pod",
     .recomputes = true},
    {.name = "Youngest", .summary = "the youngest pod goes first"},
    {.name = "Oldest", .summary = "the oldest pod goes first"},
    // The default of `label` needs prices; without them its values are not numbers.
    {.name = "NodeCost",
     .summary = "pods on the most expensive nodes go first",
     .args = kNodeCostArgs,
     .needs = Needs::kAtLeastOne},
    {.name = "Pack", .summary = "pods on the least filled nodes go first"},
    {.name = "NodeLeaving",
     .summary = "pods on nodes that are about to be removed, not ready or cordoned go first"},
    {.name = "Weight",
     .summary = "a number in a label or annotation of the pod",
     .args = kWeightArgs,
     .needs = Needs::kExactlyOne},
};

// Pack has ranks up to 1000, so NodeLeaving outweighs all of them.
constexpr RankingPreset kPresets[] = {
    {.name = "keep-zones-balanced",
     .summary = "pods in the zones with the most pods go first",
     .strategies =
         R"([{"name":"TopologySpread","args":{"topologyKey":"topology.kubernetes.io/zone"}}])"},
    {.name = "empty-nodes",
     .summary =
         "pods on nodes that are about to be removed go first, then pods on the least filled nodes",
     .strategies = R"([{"name":"NodeLeaving","weight":1001},{"name":"Pack"}])"},
    {.name = "cheapest-first",
     .summary = "pods on the most expensive nodes go first, by the node label ebb.dev/price",
     .strategies = R"([{"name":"NodeCost","args":{"label":"ebb.dev/price"}}])"},
};

bool is_word_of(std::string_view word, std::string_view words) {
  for (std::size_t start = 0; start <= words.size();) {
    const std::size_t end = std::min(words.find(' ', start), words.size());
    if (words.substr(start, end - start) == word) return true;
    start = end + 1;
  }
  return false;
}

bool is_price(const json::value& value) {
  if (const double* number = value.if_double()) return std::isfinite(*number) && *number >= 0;
  if (const std::int64_t* number = value.if_int64()) return *number >= 0;
  return value.is_uint64();
}

std::optional<std::string> check_prices(const json::value& value) {
  const json::object* prices = value.if_object();
  if (prices == nullptr) return "must be a map from values of the label to prices";
  if (prices->empty() || prices->size() > kMaxPrices) {
    return fmt::format("must have between 1 and {} entries", kMaxPrices);
  }
  for (const auto& price : *prices) {
    if (!label_value_errors(price.key()).empty()) {
      return "keys must be valid label values";
    }
    if (!is_price(price.value())) return "values must be numbers of 0 or more";
  }
  return std::nullopt;
}

std::optional<std::string> check_arg(const RankingArg& arg, const json::value& value) {
  if (arg.type == RankingArg::Type::kPrices) return check_prices(value);
  const json::string* text = value.if_string();
  if (arg.type == RankingArg::Type::kChoice) {
    if (text != nullptr && is_word_of(*text, arg.choices)) return std::nullopt;
    return fmt::format("must be one of: {}", arg.choices);
  }
  if (text != nullptr && qualified_name_errors(*text).empty()) return std::nullopt;
  return "must be the key of a label or annotation, such as topology.kubernetes.io/zone";
}

const RankingArg* find_arg(const StrategyRules& strategy, std::string_view name) {
  const auto found = std::find_if(strategy.args.begin(), strategy.args.end(),
                                  [&](const RankingArg& arg) { return arg.name == name; });
  return found == strategy.args.end() ? nullptr : &*found;
}

std::string arg_names(const StrategyRules& strategy, std::string_view separator) {
  std::vector<std::string_view> names;
  for (const RankingArg& arg : strategy.args) names.push_back(arg.name);
  return fmt::format("{}", fmt::join(names, separator));
}

std::optional<ArgProblem> check_count(const StrategyRules& strategy, std::size_t given) {
  if (strategy.needs == Needs::kExactlyOne && given != 1) {
    return ArgProblem{{}, fmt::format("must have exactly one of {}", arg_names(strategy, " and "))};
  }
  if (strategy.needs == Needs::kAtLeastOne && given == 0) {
    return ArgProblem{{}, fmt::format("must have {}", arg_names(strategy, " or "))};
  }
  return std::nullopt;
}

}  // namespace

std::span<const StrategyRules> strategy_rules() { return kStrategies; }

const StrategyRules* find_strategy_rules(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kStrategies), std::end(kStrategies),
                   [&](const StrategyRules& rules) { return rules.name == name; });
  return found == std::end(kStrategies) ? nullptr : found;
}

std::optional<ArgProblem> check_args(const StrategyRules& strategy, const json::object& args) {
  std::size_t given = 0;
  for (const auto& member : args) {
    const RankingArg* arg = find_arg(strategy, member.key());
    if (arg == nullptr) {
      return ArgProblem{{},
                        strategy.args.empty()
                            ? fmt::format("must be empty for {}", strategy.name)
                            : fmt::format("must contain only {} for {}",
                                          arg_names(strategy, " and "), strategy.name)};
    }
    if (member.value().is_null()) continue;
    ++given;
    if (auto problem = check_arg(*arg, member.value())) {
      return ArgProblem{std::string(arg->name), std::move(*problem)};
    }
  }
  return check_count(strategy, given);
}

json::object complete_args(const StrategyRules& strategy, const json::object& args) {
  json::object complete;
  for (const RankingArg& arg : strategy.args) {
    const json::value* given = args.if_contains(arg.name);
    if (given != nullptr && !given->is_null()) {
      complete[arg.name] = *given;
    } else if (!arg.by_default.empty()) {
      complete[arg.name] = arg.by_default;
    }
  }
  return complete;
}

std::span<const RankingPreset> ranking_presets() { return kPresets; }

const RankingPreset* find_ranking_preset(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kPresets), std::end(kPresets),
                   [&](const RankingPreset& preset) { return preset.name == name; });
  return found == std::end(kPresets) ? nullptr : found;
}

}  // namespace ebb::schema
