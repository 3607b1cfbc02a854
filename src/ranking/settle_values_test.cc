// Properties of the values to publish, for random published values and ranks.
#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ranking/publication.h"
#include "support/objects/any_optional.h"

namespace ebb::ranking {
namespace {

using Published = std::vector<std::optional<std::int32_t>>;

rc::Gen<std::int32_t> any_value() {
  return rc::gen::weightedOneOf<std::int32_t>(
      {{8, rc::gen::inRange<std::int32_t>(-6, 7)},
       {1, rc::gen::map(rc::gen::inRange<std::int32_t>(0, 4),
                        [](std::int32_t n) { return INT32_MAX - n; })},
       {1, rc::gen::map(rc::gen::inRange<std::int32_t>(0, 4),
                        [](std::int32_t n) { return n - INT32_MAX; })}});
}

Ranks any_ranks() { return *rc::gen::container<Ranks>(any_value()); }

Published any_published(std::size_t count) {
  return *rc::gen::container<Published>(count, testing::any_optional(any_value()));
}

std::size_t count_writes(const Ranks& values, const Published& published) {
  std::size_t writes = 0;
  for (std::size_t i = 0; i < values.size(); ++i) writes += published[i] != values[i] ? 1 : 0;
  return writes;
}

// Of each value, how many different ones are smaller.
std::vector<std::size_t> places_of(const Ranks& values) {
  const std::set<std::int32_t> distinct(values.begin(), values.end());
  std::vector<std::size_t> places;
  for (const std::int32_t value : values) {
    places.push_back(
        static_cast<std::size_t>(std::distance(distinct.begin(), distinct.find(value))));
  }
  return places;
}

RC_GTEST_PROP(SettledValues, HaveTheOrderOfTheRanks, ()) {
  const Ranks ranks = any_ranks();
  const Ranks values = settle_values(ranks, any_published(ranks.size()));
  RC_ASSERT(places_of(values) == places_of(ranks));
  RC_ASSERT(std::find(values.begin(), values.end(), INT32_MIN) == values.end());
}

RC_GTEST_PROP(SettledValues, AreTheRanksWhereNothingIsPublished, ()) {
  const Ranks ranks = any_ranks();
  RC_ASSERT(settle_values(ranks, Published(ranks.size())) == ranks);
}

RC_GTEST_PROP(SettledValues, StayWhereTheOrderStays, ()) {
  const Ranks before = any_ranks();
  // Other numbers in the same order.
  const std::set<std::int32_t> distinct(before.begin(), before.end());
  std::map<std::int32_t, std::int32_t> moved;
  std::int32_t next = *rc::gen::inRange<std::int32_t>(-50, 50);
  for (const std::int32_t rank : distinct) moved[rank] = next += *rc::gen::inRange(1, 9);
  Ranks after;
  for (const std::int32_t rank : before) after.push_back(moved[rank]);
  RC_ASSERT(settle_values(after, Published(before.begin(), before.end())) == before);
}

RC_GTEST_PROP(SettledValues, AreSettled, ()) {
  const Ranks ranks = any_ranks();
  const Ranks values = settle_values(ranks, any_published(ranks.size()));
  RC_ASSERT(settle_values(ranks, Published(values.begin(), values.end())) == values);
}

// Pods whose place among the others did not change are not written. (At the ends of the range it
// can be otherwise: room has to be made.)
RC_GTEST_PROP(SettledValues, AreWrittenForNoMorePodsThanChangedTheirPlace, ()) {
  const auto small = rc::gen::inRange<std::int32_t>(-6, 7);
  const auto before = *rc::gen::container<Ranks>(small);
  Ranks after = before;
  for (std::int32_t& rank : after) {
    if (*rc::gen::inRange(0, 3) == 0) rank = *small;
  }
  Published published(before.begin(), before.end());
  const auto newcomers = *rc::gen::container<Ranks>(small);
  after.insert(after.end(), newcomers.begin(), newcomers.end());
  published.resize(after.size());

  const auto places_before = places_of(before);
  const auto places_after = places_of(after);
  std::size_t changed = newcomers.size();
  for (std::size_t i = 0; i < before.size(); ++i) {
    changed += places_before[i] != places_after[i] ? 1 : 0;
  }
  RC_ASSERT(count_writes(settle_values(after, published), published) <= changed);
}

// The fewest writes that any assignment needs, found by trying all sets of pods that might keep
// their values.
std::size_t fewest_writes(const Ranks& ranks, const Published& published) {
  const auto places = places_of(ranks);
  const std::int64_t classes =
      ranks.empty()
          ? 0
          : static_cast<std::int64_t>(*std::max_element(places.begin(), places.end())) + 1;
  std::size_t fewest = ranks.size();
  for (unsigned kept = 0; kept < 1U << ranks.size(); ++kept) {
    std::map<std::int64_t, std::int64_t> value_of;  // by class
    bool possible = true;
    for (std::size_t i = 0; possible && i < ranks.size(); ++i) {
      if ((kept >> i & 1U) == 0) continue;
      const auto place = static_cast<std::int64_t>(places[i]);
      possible =
          published[i] && value_of.try_emplace(place, *published[i]).first->second == *published[i];
    }
    // Bounds as classes of their own, just outside the range.
    value_of[-1] = -std::int64_t{INT32_MAX} - 1;
    value_of[classes] = std::int64_t{INT32_MAX} + 1;
    for (auto next = std::next(value_of.begin()); possible && next != value_of.end(); ++next) {
      const auto last = std::prev(next);
      possible = next->second - last->second >= next->first - last->first;
    }
    if (possible) {
      fewest = std::min(fewest, ranks.size() - static_cast<std::size_t>(__builtin_popcount(kept)));
    }
  }
  return fewest;
}

RC_GTEST_PROP(SettledValues, AreWrittenForTheFewestPodsPossible, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(0, 9);
  const auto ranks = *rc::gen::container<Ranks>(count, any_value());
  const Published published = any_published(count);
  RC_ASSERT(count_writes(settle_values(ranks, published), published) ==
            fewest_writes(ranks, published));
}

}  // namespace
}  // namespace ebb::ranking
