// A ranking section, as any API server may hand it over: what is taken follows the rules that ranks
// rely on, and what is refused is refused with a place.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/parse.hpp>
#include <simdjson.h>

#include "base/check.h"
#include "ranking/settings.h"
#include "ranking/strategy.h"
#include "schema/ranking_rules.h"

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
  EBB_CHECK(weighed.weight >= 0 && weighed.weight <= ebb::schema::kMostStrategyWeight);
  EBB_CHECK(!weighed.threshold || *weighed.threshold >= 0);
  for (const auto& arg : rules->args) {
    const boost::json::value* value = weighed.args.if_contains(arg.name);
    EBB_CHECK(value == nullptr ? arg.by_default.empty() : !value->is_null());
  }
  EBB_CHECK(!ebb::schema::check_args(*rules, weighed.args));
}

void check_settings(const Settings& settings) {
  EBB_CHECK(!settings.strategies.empty());
  EBB_CHECK(settings.strategies.size() <= ebb::schema::kMostStrategies);
  for (const Weighed& weighed : settings.strategies) check_strategy(weighed);
  EBB_CHECK(!settings.recomputes() || settings.publish == Publish::kPodGroupCost);
  if (settings.wait_seconds) {
    EBB_CHECK(*settings.wait_seconds >= 0);
    EBB_CHECK(*settings.wait_seconds <= ebb::schema::kMostWaitSeconds);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  boost::system::error_code code;
  boost::json::parse_options options;
  options.max_depth = 64;
  const auto value =
      boost::json::parse({reinterpret_cast<const char*>(data), size}, code, {}, options);
  if (code) return 0;
  const auto settings = ebb::ranking::decode_settings(value, kWhere);
  if (settings) {
    check_settings(*settings);
    return 0;
  }
  const std::string_view message = settings.error().message;
  EBB_CHECK(message.starts_with(kWhere));
  EBB_CHECK(message.size() < 400);
  EBB_CHECK(simdjson::validate_utf8(message.data(), message.size()));
  return 0;
}
