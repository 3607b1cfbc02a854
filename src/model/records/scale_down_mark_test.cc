#include "model/records/scale_down_mark.h"

#include <gtest/gtest.h>

#include "model/records/pod_text.h"

namespace ebb::model {
namespace {

TEST(ScaleDownMark, IsReadAsItIsWritten) {
  const ScaleDownMark mark{.decision = "4c1f-7-19c0", .size = 12, .cost = -1'027'000'000};
  EXPECT_EQ(mark_text(mark), "4c1f-7-19c0 12 -1027000000");
  const std::string text = mark_text(mark);
  const auto read = parse_mark(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->decision, mark.decision);
  EXPECT_EQ(read->size, mark.size);
  EXPECT_EQ(read->cost, mark.cost);
}

TEST(ScaleDownMark, IgnoresTextsThatEbbDoesNotWrite) {
  for (const std::string_view text :
       {"", "a", "a 1", "a 1 2 -3", " 1 2", "a  2", "a 1 ", "a -1 2", "a x 2", "a 1 x", "a 1 +2",
        "a 1 0", "a 1 7", "a 1 99999999999", "a 99999999999 1", "\x01 1 2", "a\tb 1 2",
        "\xc3\xa9 1 2"}) {
    EXPECT_FALSE(parse_mark(text)) << text;
  }
  EXPECT_FALSE(parse_mark(std::string(129, 'a') + " 1 -2"));
  EXPECT_TRUE(parse_mark(std::string(128, 'a') + " 1 -2"));
}

struct CostCase {
  std::string_view cost;  // empty: no such annotation
  std::string_view mark;
  std::string_view previous;
  std::int32_t present;
  std::int32_t decides;
  bool set;
  bool marked;
};

TEST(MarkedCost, IsReplacedByTheValueBeforeItWhereEbbDecides) {
  const CostCase cases[] = {
      {"", "", "", 0, 0, false, false},
      {"7", "", "", 7, 7, true, false},
      {"7", "", "3", 7, 7, true, false},
      {"-9", "d 1 -9", "", -9, 0, false, true},
      {"-9", "d 1 -9", "3", -9, 3, true, true},
      {"-9", "d 1 -9", "-9", -9, -9, true, true},
      // Another client has changed the cost since.
      {"5", "d 1 -9", "3", 5, 5, true, false},
      {"", "d 1 -9", "3", 0, 0, false, false},
      // An annotation that is not a cost is none of the webhook's.
      {"x", "d 1 0", "3", 0, 0, true, false},
      {"-9", "nonsense", "3", -9, -9, true, false},
  };
  for (const CostCase& one : cases) {
    Pool pool;
    Pod pod;
    if (!one.cost.empty()) read_deletion_cost(one.cost, pod);
    read_scale_down_mark(one.mark, pool, pod);
    read_previous_cost(one.previous, pool, pod);
    settle_marked_cost(pod);
    const std::string what = std::string(one.cost) + "|" + std::string(one.mark);
    EXPECT_EQ(pod.present_cost, one.present) << what;
    EXPECT_EQ(pod.deletion_cost, one.decides) << what;
    EXPECT_EQ(pod.deletion_cost_set, one.set) << what;
    EXPECT_EQ(has_marked_cost(pod), one.marked) << what;
  }
}

}  // namespace
}  // namespace ebb::model
