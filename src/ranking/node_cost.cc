// NodeCost: pods on expensive nodes go first (the second story of KEP-2255). The node's label
// `label` is looked up in the table `prices`, or is the price itself if there is no table.
//
// The rank is the price in ten-thousandths, rounded: fine enough for hourly prices of small
// machines, and up to 214,748 of any currency. Higher prices are clamped to that value and negative
// ones to 0. An unknown price is 0: a missing price is no reason to remove a pod.
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include <boost/json/value.hpp>

#include "ranking/label_key.h"
#include "ranking/rank_by.h"
#include "schema/core/json.h"

namespace ebb::ranking {
namespace {

constexpr double kSteps = 10'000;
constexpr double kUnknown = 0;

double price_in(std::string_view text) {
  double price = kUnknown;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), price);
  return error == std::errc() && end == text.data() + text.size() ? price : kUnknown;
}

double price_in(const boost::json::object& prices, std::string_view value) {
  const boost::json::value* const price = prices.if_contains(value);
  if (price == nullptr) return kUnknown;
  if (const double* number = price->if_double()) return *number;
  if (const std::int64_t* number = price->if_int64()) return static_cast<double>(*number);
  if (const std::uint64_t* number = price->if_uint64()) return static_cast<double>(*number);
  return kUnknown;
}

std::int32_t rank_of(double price) {
  constexpr auto kMax = std::numeric_limits<std::int32_t>::max();
  const double steps = std::round(price * kSteps);
  if (std::isnan(steps) || steps <= 0) return 0;
  return steps >= kMax ? kMax : static_cast<std::int32_t>(steps);
}

}  // namespace

Ranks rank_by_node_cost(Pods pods, const Args& args, const ClusterReader& cluster) {
  LabelKey key(schema::text_at(args, {"label"}));
  const boost::json::object* prices = schema::object_at(args, {"prices"});
  Ranks ranks;
  ranks.reserve(pods.size());
  for (const model::Pod* pod : pods) {
    const model::Interned* value = pod->node.empty() ? nullptr : key.find(cluster.node(pod->node));
    double price = kUnknown;
    if (value != nullptr) {
      price = prices != nullptr ? price_in(*prices, value->view()) : price_in(value->view());
    }
    ranks.push_back(rank_of(price));
  }
  return ranks;
}

}  // namespace ebb::ranking
