#include "control/scaledown/picker_advice.h"

#include "support/control/picker_sessions_scene.h"
#include "support/control/small_store.h"

namespace ebb::control {
namespace {

using model::Verdict;
using picker::Outcome;
using Names = std::vector<std::string>;

constexpr std::string_view kPicker = R"(,"downscalePodPicker":{"http":{"host":"picker"}})";

// ReplicaSet `web` wants one of its pods a, b and c.
class PickerAdviceTest : public sessions_scene::PickerSessionsTest {
 protected:
  PickerAdviceTest() { put_set(kPicker); }

  void put_set(std::string_view spec) { store_.put_set("web", {.spec = spec}); }
  void put_pods(const Names& names) {
    for (const std::string& name : names) store_.put_pod(name);
  }
  PickerAdvice advise(std::size_t surplus = 2) {
    const ReplicaSet& set = *store_.replica_set("shop", "web");
    std::vector<const Pod*> active = store_.pods_of(set);
    std::sort(active.begin(), active.end(),
              [](const Pod* a, const Pod* b) { return a->name.view() < b->name.view(); });
    return advise_on_picker(
        set, active, surplus,
        {.store = store_, .sink = sink, .telemetry = sink, .gates = gates_, .pickers = limits_},
        picker_sessions, now);
  }

  testing::SmallStore store_;
  model::FeatureGates gates_;
  PickerLimits limits_;
};

TEST_F(PickerAdviceTest, WithoutAPickerAllOfTheSurplusMayGo) {
  put_pods({"a", "b", "c"});
  put_set("");
  const PickerAdvice advice = advise();
  EXPECT_FALSE(advice.awaited);
  EXPECT_FALSE(advice.picker);
  EXPECT_EQ(advice.surplus, 2U);
  EXPECT_TRUE(sink.asked.empty());
}

TEST_F(PickerAdviceTest, ThePickerIsAskedOnceAndItsAnswerAwaited) {
  put_pods({"a", "b", "c"});
  EXPECT_TRUE(advise().awaited);
  EXPECT_TRUE(advise().awaited);
  ASSERT_EQ(sink.asked.size(), 1U);
  answer(1, {"b"}, {"c"});
  const PickerAdvice advice = advise();
  EXPECT_FALSE(advice.awaited);
  EXPECT_EQ(advice.verdicts,
            (std::vector<Verdict>{Verdict::kUnnamed, Verdict::kChosen, Verdict::kTied}));
  EXPECT_EQ(advice.picker->outcome, Outcome::kAnswered);
  EXPECT_EQ(advice.picker->carrier, "spec.downscalePodPicker");
  // It was used, so the next round calls it again.
  EXPECT_TRUE(advise().awaited);
}

// I3: the answer is about the surplus of its time, and names pods that may be gone.
TEST_F(PickerAdviceTest, AnAnswerAppliesToNoMoreThanWasAskedAbout) {
  struct Case {
    std::size_t asked;
    std::size_t now;
    std::size_t may_go;
  };
  put_pods({"a", "b", "c"});
  for (const Case& c : {Case{1, 2, 1}, {2, 2, 2}, {2, 1, 1}}) {
    ASSERT_TRUE(advise(c.asked).awaited);
    answer(sink.asked.size(), {"b"});
    const PickerAdvice advice = advise(c.now);
    EXPECT_EQ(advice.surplus, c.may_go);
    EXPECT_EQ(advice.surplus_asked_about, c.asked);
  }
  ASSERT_TRUE(advise().awaited);
  answer(sink.asked.size(), {"b"});
  store_.remove_pod("b");
  EXPECT_TRUE(advise(1).verdicts.empty());
}

TEST_F(PickerAdviceTest, AFailureLeavesTheDefaultOrder) {
  put_pods({"a", "b", "c"});
  for (const bool ends_spreading : {false, true}) {
    limits_.failure_ends_spreading = ends_spreading;
    ASSERT_TRUE(advise().awaited);
    reply(sink.asked.size(), Outcome::kMalformed);
    const PickerAdvice advice = advise();
    EXPECT_EQ(advice.picker->outcome, Outcome::kMalformed);
    EXPECT_EQ(advice.surplus, 2U);
    EXPECT_EQ(advice.verdicts.size(), ends_spreading ? 3U : 0U);
  }
}

TEST_F(PickerAdviceTest, APickerWhoseAnswerWouldChangeNothingIsNotCalled) {
  put_pods({"a", "b"});
  const PickerAdvice all = advise(2);
  EXPECT_FALSE(all.awaited);
  EXPECT_EQ(all.picker->outcome, Outcome::kNotNeeded);
  put_set(R"(,"downscalePodPicker":{"http":{}})");
  const PickerAdvice invalid = advise(1);
  EXPECT_FALSE(invalid.awaited);
  EXPECT_EQ(invalid.picker->outcome, Outcome::kBadSettings);
  EXPECT_FALSE(invalid.picker->problem.empty());
  EXPECT_TRUE(sink.asked.empty());
}

TEST_F(PickerAdviceTest, ASessionIsDroppedWhenThePickerIsRemoved) {
  put_pods({"a", "b", "c"});
  ASSERT_TRUE(advise().awaited);
  put_set("");
  EXPECT_FALSE(advise().awaited);
  EXPECT_EQ(sink.withdrawn.size(), 1U);
}

TEST(PickerWorkload, IsTheControllerInItsNamespace) {
  testing::SmallStore store;
  store.put_set("alone", {});
  store.put_set("one", {.owner = "front"});
  store.put_set("two", {.owner = "front"});
  store.put_set("elsewhere", {.owner = "front", .in = "other"});
  const auto workload = [&](std::string_view in, std::string_view name) {
    return workload_of(*store.replica_set(in, name));
  };
  EXPECT_EQ(workload("shop", "one"), workload("shop", "two"));
  EXPECT_NE(workload("shop", "one"), workload("other", "elsewhere"));
  EXPECT_NE(workload("shop", "one"), workload("shop", "alone"));
}

}  // namespace
}  // namespace ebb::control
