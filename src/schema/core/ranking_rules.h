// The rules for the ranking section of a DownscalePolicy. The API server refuses what breaks them,
// and the controllers check them again, because they may run against another API server.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

namespace ebb::schema {

inline constexpr std::size_t kMaxStrategies = 16;
inline constexpr std::int32_t kMaxStrategyWeight = 1'000'000;
inline constexpr std::int32_t kMaxWaitSeconds = 3600;
inline constexpr std::size_t kMaxPrices = 1024;

// The names in the tables below, as choices for the schema table.
inline constexpr std::string_view kStrategyNames =
    "AntiAffinity NodeCost NodeLeaving Oldest Pack TopologySpread UntoleratedTaints Weight "
    "Youngest";
inline constexpr std::string_view kPresetNames = "cheapest-first empty-nodes keep-zones-balanced";
inline constexpr std::string_view kPublishChoices =
    "Annotation PodDeletionCost PodGroupCost StatusField";

struct RankingArg {
  enum class Type : std::uint8_t {
    kLabelKey,  // a qualified name
    kChoice,    // one of `choices`
    kPrices,    // a map of label values to numbers
  };
  std::string_view name;
  std::string_view summary;  // for humans
  Type type = Type::kLabelKey;
  std::string_view by_default{};  // empty: none
  std::string_view choices{};     // of kChoice, separated by blanks
};

struct StrategyRules {
  // How many arguments must be given, not counting defaults.
  enum class Needs : std::uint8_t { kNothing, kAtLeastOne, kExactlyOne };

  std::string_view name;
  std::string_view summary;  // for humans
  std::span<const RankingArg> args{};
  Needs needs = Needs::kNothing;
  bool recomputes = false;  // published only as PodGroupCost
};
[[nodiscard]] std::span<const StrategyRules> strategy_rules();
[[nodiscard]] const StrategyRules* find_strategy_rules(std::string_view name);

// An error in the arguments of a strategy: the path below `args` and what would be right.
struct ArgProblem {
  std::string field;  // `topologyKey`; empty: args itself
  std::string message;
};
[[nodiscard]] std::optional<ArgProblem> check_args(const StrategyRules& strategy,
                                                   const boost::json::object& args);

// Adds defaults to arguments that follow the rules. Null counts as not given.
[[nodiscard]] boost::json::object complete_args(const StrategyRules& strategy,
                                                const boost::json::object& args);

struct RankingPreset {
  std::string_view name;
  std::string_view summary;
  std::string_view strategies;  // a JSON list, as in the policy
};
[[nodiscard]] std::span<const RankingPreset> ranking_presets();
[[nodiscard]] const RankingPreset* find_ranking_preset(std::string_view name);

}  // namespace ebb::schema
