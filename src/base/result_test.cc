#include "base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace ebb {
namespace {

Result<std::unique_ptr<int>> make(int number) {
  if (number < 0) return fail(ErrorCode::kInvalidInput, "negative");
  return std::make_unique<int>(number);
}

Result<void> check(int number) {
  if (number > 9) return fail(ErrorCode::kUsage, "too large");
  return {};
}

// Counts the statements that it reaches.
Result<std::string> convert(int number, int& reached) {
  EBB_RETURN_IF_ERROR(check(number));
  ++reached;
  EBB_ASSIGN_OR_RETURN(const auto made, make(number));
  ++reached;
  std::unique_ptr<int> again;
  EBB_ASSIGN_OR_RETURN(again, make(*made + 1));
  ++reached;
  return std::to_string(*again);
}

TEST(AssignOrReturn, AssignsValuesThatCannotBeCopied) {
  int reached = 0;
  EXPECT_EQ(convert(3, reached).value(), "4");
  EXPECT_EQ(reached, 3);
}

TEST(AssignOrReturn, ReturnsTheErrorAtOnce) {
  int reached = 0;
  const Result<std::string> negative = convert(-1, reached);
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(negative.error().message, "negative");
  EXPECT_EQ(reached, 1);
}

TEST(ReturnIfError, ReturnsTheErrorAtOnce) {
  int reached = 0;
  const Result<std::string> large = convert(10, reached);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kUsage);
  EXPECT_EQ(large.error().message, "too large");
  EXPECT_EQ(reached, 0);
}

// As in `if (...) EBB_RETURN_IF_ERROR(...); else ...`.
Result<int> choose(bool first) {
  if (first)
    EBB_RETURN_IF_ERROR(check(10));
  else
    return 1;
  return 2;
}

TEST(ReturnIfError, IsOneStatement) {
  EXPECT_FALSE(choose(true));
  EXPECT_EQ(choose(false).value(), 1);
}

tl::expected<int, std::string> with_another_error(bool works) {
  const auto half = [works]() -> tl::expected<double, std::string> {
    if (works) return 0.5;
    return tl::unexpected(std::string("no half"));
  };
  EBB_ASSIGN_OR_RETURN(const double number, half());
  return static_cast<int>(number * 4);
}

TEST(AssignOrReturn, WorksWithOtherTypesOfErrors) {
  EXPECT_EQ(with_another_error(true).value(), 2);
  EXPECT_EQ(with_another_error(false).error(), "no half");
}

}  // namespace
}  // namespace ebb
