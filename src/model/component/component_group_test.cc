#include "model/component/component_group.h"

#include <functional>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "model/component/outbox.h"

namespace ebb::model {
namespace {

using Lines = std::vector<std::string>;

Timestamp at(std::int64_t seconds) { return Timestamp::from_seconds(seconds); }

// Records its calls in a diary that components share, and sends the requests of the test.
class Scripted : public Component {
 public:
  Scripted(std::string name, std::vector<const schema::Kind*> kinds, Lines& diary)
      : name_(std::move(name)), kinds_(std::move(kinds)), diary_(diary) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override { return kinds_; }
  void observe(const ObjectEvent& event, Timestamp now) override {
    record(event.kind->plural, now);
    if (on_observe) on_observe();
  }
  void synced(Timestamp now) override {
    record("synced", now);
    if (on_synced) on_synced();
  }
  void answered(EffectId id, const ApiResponse& response, Timestamp now) override {
    const std::optional<std::string> purpose = outbox_.answered(id);
    record(fmt::format("{}: {}", purpose.value_or("?"), response.code), now);
    if (on_answer) on_answer(*purpose, response.code);
  }
  void wake(Timestamp now) override {
    record("woken", now);
    wake_time = {};
    if (on_wake) on_wake();
  }
  [[nodiscard]] std::vector<Effect> take_effects() override { return outbox_.take(); }
  [[nodiscard]] Timestamp wake_at() const override { return wake_time; }

  void send(const std::string& path) { outbox_.send(get_request(path), path); }

  std::function<void()> on_observe;
  std::function<void()> on_synced;
  std::function<void(const std::string& path, int code)> on_answer;
  std::function<void()> on_wake;
  Timestamp wake_time;

 private:
  void record(std::string_view what, Timestamp now) {
    diary_.push_back(fmt::format("{} {} at {}", name_, what, now.since_epoch_ns() / 1'000'000'000));
  }

  std::string name_;
  std::vector<const schema::Kind*> kinds_;
  Lines& diary_;
  Outbox<std::string> outbox_;
};

class ComponentGroupTest : public ::testing::Test {
 protected:
  Scripted& add(const std::string& name, std::vector<const schema::Kind*> kinds) {
    auto component = std::make_unique<Scripted>(name, std::move(kinds), diary);
    Scripted& added = *component;
    group.add(std::move(component));
    return added;
  }
  [[nodiscard]] static ObjectEvent added(const schema::Kind* kind) {
    return {ObjectEvent::Type::kAdded, kind, std::make_shared<const boost::json::object>()};
  }
  // Takes up to `most` requests.
  [[nodiscard]] std::vector<Effect> take(std::size_t most = 1'000'000) {
    std::vector<Effect> taken;
    while (taken.size() < most) {
      std::optional<Effect> effect = group.next_effect();
      if (!effect.has_value()) break;
      taken.push_back(*std::move(effect));
    }
    return taken;
  }
  void answer(const Effect& effect, int code, Timestamp now = at(1)) {
    ApiResponse response;
    response.code = code;
    group.answered(effect.id, response, now);
  }
  [[nodiscard]] Lines take_diary() { return std::exchange(diary, {}); }

  const schema::Kind* pods = pod_kind();
  const schema::Kind* nodes = node_kind();
  Lines diary;
  ComponentGroup group;
};

Lines paths(const std::vector<Effect>& effects) {
  Lines all;
  for (const Effect& effect : effects) all.push_back(effect.request.path);
  return all;
}

TEST_F(ComponentGroupTest, PassesAChangeToTheComponentsThatWatchItsKind) {
  add("a", {pods});
  add("b", {nodes, pods});
  EXPECT_EQ(group.watched(), (std::vector<const schema::Kind*>{pods, nodes}));
  group.observe(added(pods), at(1));
  group.observe(added(nodes), at(2));
  group.observe(added(namespace_kind()), at(3));
  EXPECT_EQ(take_diary(), (Lines{"a pods at 1", "b pods at 1", "b nodes at 2"}));
}

TEST_F(ComponentGroupTest, SyncsAComponentOnceWithTheLastOfItsKinds) {
  add("a", {pods});
  add("b", {nodes, pods});
  add("c", {});
  group.start(at(1));
  EXPECT_EQ(take_diary(), Lines{"c synced at 1"});
  group.synced(*pods, at(2));
  group.synced(*pods, at(3));
  EXPECT_EQ(take_diary(), Lines{"a synced at 2"});
  EXPECT_FALSE(group.is_settled());
  group.synced(*nodes, at(4));
  EXPECT_EQ(take_diary(), Lines{"b synced at 4"});
  EXPECT_TRUE(group.is_settled());
}

TEST_F(ComponentGroupTest, ReturnsEachResponseToItsSenderInAnyOrder) {
  Scripted& a = add("a", {pods});
  Scripted& b = add("b", {pods});
  // Both number their effects from 1.
  a.on_observe = [&] { a.send("/a"); };
  b.on_observe = [&] { b.send("/b"); };
  group.observe(added(pods), at(1));
  group.observe(added(pods), at(2));
  diary.clear();
  const std::vector<Effect> sent = take();
  EXPECT_EQ(paths(sent), (Lines{"/a", "/b", "/a", "/b"}));
  EXPECT_EQ(group.in_flight(), 4U);
  answer(sent[3], 409, at(3));
  answer(sent[0], 201, at(4));
  EXPECT_EQ(take_diary(), (Lines{"b /b: 409 at 3", "a /a: 201 at 4"}));
  EXPECT_EQ(group.in_flight(), 2U);
}

TEST_F(ComponentGroupTest, SendsManyRequestsInOrderHoweverFewAreTakenAtATime) {
  Scripted& a = add("a", {pods});
  Scripted& b = add("b", {pods});
  Lines expected;
  for (int i = 0; i < 1000; ++i) expected.push_back(fmt::format("/a{}", i));
  a.on_synced = [&, all = expected] {
    for (const std::string& path : all) a.send(path);
  };
  b.on_synced = [&] { b.send("/b"); };
  // Sent in answer to the first request, so it comes after all waiting ones.
  a.on_answer = [&](const std::string& path, int) {
    if (path == "/a0") a.send("/again");
  };
  expected.insert(expected.end(), {"/b", "/again"});
  group.synced(*pods, at(1));
  Lines sent;
  while (!group.is_settled()) {
    const std::vector<Effect> some = take(7);
    ASSERT_FALSE(some.empty());
    EXPECT_EQ(group.in_flight(), some.size());
    for (const Effect& effect : some) {
      sent.push_back(effect.request.path);
      answer(effect, 200);
    }
  }
  EXPECT_EQ(sent, expected);
}

TEST_F(ComponentGroupTest, ReportsAnUnknownOutcomeAndSendsTheRetry) {
  Scripted& a = add("a", {});
  a.on_synced = [&] { a.send("/x"); };
  a.on_answer = [&](const std::string&, int code) {
    if (code == 0) a.wake_time = at(5);
  };
  a.on_wake = [&] { a.send("/x"); };
  group.start(at(1));
  answer(take().at(0), 0, at(2));
  EXPECT_EQ(take_diary(), (Lines{"a synced at 1", "a /x: 0 at 2"}));
  EXPECT_TRUE(group.is_settled());  // nothing is in flight until the timer
  EXPECT_EQ(group.wake_at(), at(5));
  group.wake(at(5));
  EXPECT_FALSE(group.is_settled());
  const std::vector<Effect> retry = take();
  EXPECT_EQ(paths(retry), Lines{"/x"});
  answer(retry.at(0), 200, at(6));
  EXPECT_EQ(take_diary(), (Lines{"a woken at 5", "a /x: 200 at 6"}));
  EXPECT_TRUE(group.is_settled());
}

TEST_F(ComponentGroupTest, WakesOnlyTheComponentsWhoseTimeHasCome) {
  Scripted& a = add("a", {});
  Scripted& b = add("b", {});
  add("c", {});
  EXPECT_TRUE(group.wake_at().is_zero());
  a.wake_time = at(20);
  b.wake_time = at(10);
  EXPECT_EQ(group.wake_at(), at(10));
  group.wake(at(9));
  EXPECT_EQ(take_diary(), Lines{});
  group.wake(at(10));
  EXPECT_EQ(take_diary(), Lines{"b woken at 10"});
  EXPECT_EQ(group.wake_at(), at(20));
  group.wake(at(30));
  EXPECT_EQ(take_diary(), Lines{"a woken at 30"});
  EXPECT_TRUE(group.wake_at().is_zero());
}

TEST_F(ComponentGroupTest, IsNotSettledWhileARequestWaitsOrIsInFlight) {
  Scripted& a = add("a", {});
  a.on_synced = [&] { a.send("/x"); };
  EXPECT_FALSE(group.is_settled());  // not synced
  group.start(at(1));
  EXPECT_FALSE(group.is_settled());
  const std::vector<Effect> sent = take();
  EXPECT_FALSE(group.is_settled());
  answer(sent.at(0), 200);
  EXPECT_TRUE(group.is_settled());
}

TEST_F(ComponentGroupTest, ChecksThatAnEffectIsAnsweredOnce) {
  Scripted& a = add("a", {});
  a.on_synced = [&] { a.send("/x"); };
  group.start(at(1));
  const std::vector<Effect> sent = take();
  answer(sent.at(0), 200);
  EXPECT_DEATH(answer(sent.at(0), 200), "found != in_flight_.end");
}

}  // namespace
}  // namespace ebb::model
