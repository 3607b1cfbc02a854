#include "ranking/write_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/objects/any_optional.h"

namespace ebb::ranking {
namespace {

using Values = std::vector<std::int32_t>;
using Published = std::vector<std::optional<std::int32_t>>;
using Order = std::vector<std::size_t>;

rc::Gen<std::int32_t> any_value() { return rc::gen::inRange<std::int32_t>(-6, 7); }

bool in_order(const Values& shown, const Values& wanted, std::size_t i, std::size_t j) {
  return wanted[i] <= wanted[j] || shown[i] > shown[j];
}
// Equal values are allowed too: a later rule decides then.
bool not_against(const Values& shown, const Values& wanted, std::size_t i, std::size_t j) {
  return wanted[i] <= wanted[j] || shown[i] >= shown[j];
}

TEST(WriteOrder, BeginsWithThoseThatGoFirstWhereNothingIsWritten) {
  EXPECT_EQ(write_order(Values{1, 3, 2, 3}, Published(4), Unwritten::kZero), (Order{1, 3, 2, 0}));
  EXPECT_EQ(write_order(Values{1, 3, 2, 3}, Published(4), Unwritten::kNone), (Order{1, 3, 2, 0}));
}

TEST(WriteOrder, LeavesOutWhatIsWrittenAlready) {
  EXPECT_EQ(write_order(Values{1, 2, 3}, Published{1, std::nullopt, 3}, Unwritten::kZero),
            Order{1});
}

TEST(WriteOrder, RaisesFromTheTopAndLowersFromTheBottom) {
  EXPECT_EQ(write_order(Values{4, 5, -2, -1}, Published{1, 2, 2, 3}, Unwritten::kZero),
            (Order{1, 0, 2, 3}));
}

TEST(WriteOrder, CompletesAGroupFirstWhereItCountsForNothingBefore) {
  EXPECT_EQ(
      write_order(Values{9, 1, 2}, Published{1, std::nullopt, std::nullopt}, Unwritten::kNone),
      (Order{2, 1, 0}));
  EXPECT_EQ(
      write_order(Values{9, 1, 2}, Published{1, std::nullopt, std::nullopt}, Unwritten::kZero),
      (Order{0, 2, 1}));
}

RC_GTEST_PROP(WriteOrder, PutsNoTwoPodsInTheWrongOrderOnTheWay, ()) {
  const auto values = *rc::gen::container<Values>(any_value());
  const auto published =
      *rc::gen::container<Published>(values.size(), testing::any_optional(any_value()));
  Values shown;
  for (const auto& one : published) shown.push_back(one.value_or(0));
  for (const std::size_t next : write_order(values, published, Unwritten::kZero)) {
    Values after = shown;
    after[next] = values[next];
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        RC_ASSERT(!in_order(shown, values, i, j) || in_order(after, values, i, j));
        RC_ASSERT(!not_against(shown, values, i, j) || not_against(after, values, i, j));
      }
    }
    shown = after;
  }
  RC_ASSERT(shown == values);
}

// Unwritten pods have the value 0, so the pods written so far are always those that go first.
RC_GTEST_PROP(WriteOrder, MakesTheTopOfAFreshGroupRightForAnyNumber, ()) {
  const auto values = *rc::gen::container<Values>(rc::gen::inRange<std::int32_t>(1, 9));
  const Order order = write_order(values, Published(values.size()), Unwritten::kZero);
  RC_ASSERT(order.size() == values.size());
  for (std::size_t k = 1; k < order.size(); ++k) {
    RC_ASSERT(values[order[k - 1]] >= values[order[k]]);
  }
}

}  // namespace
}  // namespace ebb::ranking
