// Fuzzes the ranking section of policies, which may come from any API server. Accepted settings
// follow the rules that ranks rely on, and errors name the field.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "input.h"
#include "ranking/settings.h"
#include "ranking/strategy.h"
#include "schema/core/ranking_rules.h"
#include "section.h"

namespace {

using ebb::ranking::Publish;
using ebb::ranking::Settings;
using ebb::ranking::Weighed;

constexpr std::string_view kWhere = "spec.ranking";

void check_strategy(const Weighed& weighed) {
  EBB_CHECK(weighed.strategy != nullptr);
  const auto* rules = ebb::schema::find_strategy_rules(weighed.strategy->name);
  EBB_CHECK(rules != nullptr);
  EBB_CHECK(rules->recomputes == weighed.strategy->recomputes);
  EBB_CHECK(weighed.weight >= 0 && weighed.weight <= ebb::schema::kMaxStrategyWeight);
  EBB_CHECK(!weighed.threshold || *weighed.threshold >= 0);
  for (const auto& arg : rules->args) {
    const boost::json::value* value = weighed.args.if_contains(arg.name);
    EBB_CHECK(value == nullptr ? arg.by_default.empty() : !value->is_null());
  }
  EBB_CHECK(!ebb::schema::check_args(*rules, weighed.args));
}

void check_settings(const Settings& settings) {
  EBB_CHECK(!settings.strategies.empty());
  EBB_CHECK(settings.strategies.size() <= ebb::schema::kMaxStrategies);
  for (const Weighed& weighed : settings.strategies) check_strategy(weighed);
  EBB_CHECK(!settings.recomputes() || settings.publish == Publish::kPodGroupCost);
  if (settings.wait_seconds) {
    EBB_CHECK(*settings.wait_seconds >= 0);
    EBB_CHECK(*settings.wait_seconds <= ebb::schema::kMaxWaitSeconds);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ebb::fuzz::check_section(ebb::fuzz::as_text(data, size), kWhere, ebb::ranking::decode_settings,
                           check_settings);
  return 0;
}
