// What the ranking section of a DownscalePolicy may look like. An API server refuses what breaks
// these rules, and the controllers do not trust that one did: both ask here.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

namespace ebb::schema {

inline constexpr std::size_t kMostStrategies = 16;
inline constexpr std::int32_t kMostStrategyWeight = 1'000'000;

struct RankingArg {
  enum class Type : std::uint8_t {
    kLabelKey,  // a qualified name
    kChoice,    // one of `choices`
    kPrices,    // a map of label values to numbers
  };
  std::string_view name;
  Type type = Type::kLabelKey;
  bool required = false;
  std::string_view by_default{};  // empty: none
  std::string_view choices{};     // of kChoice, separated by blanks
};

struct StrategyRules {
  std::string_view name;
  std::string_view summary;  // for people
  std::span<const RankingArg> args{};
  bool recomputes = false;  // publishes only as PodGroupCost
};
[[nodiscard]] std::span<const StrategyRules> strategy_rules();
[[nodiscard]] const StrategyRules* find_strategy_rules(std::string_view name);

// What is wrong with the arguments of a strategy: the path below `args` and what would be right.
struct ArgProblem {
  std::string field;  // `topologyKey`; empty: args itself
  std::string message;
};
[[nodiscard]] std::optional<ArgProblem> check_args(const StrategyRules& strategy,
                                                   const boost::json::object& args);

struct RankingPreset {
  std::string_view name;
  std::string_view summary;
  std::string_view strategies;  // a JSON list, as in the policy
};
[[nodiscard]] std::span<const RankingPreset> ranking_presets();

}  // namespace ebb::schema
