// Three replicas of a deployment share one canary, and one of them leads at a time. Another
// controller acknowledges the canary at random times. Calls are lost, late, or executed without
// an answer; replicas pause and restart. No replica may write more than five seconds after an
// acknowledgement, or before the canary has been armed for long enough. Without faults, the
// leader acts.
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "base/splitmix64.h"
#include "control/guard/canary_guard.h"

namespace ebb::control {
namespace {

constexpr Nanoseconds kFaultsFor = 900 * kSecond;
constexpr Nanoseconds kCalmFor = 400 * kSecond;
constexpr std::size_t kReplicas = 3;

class World {
 public:
  explicit World(std::uint64_t seed) : state_(seed) {
    for (std::size_t index = 0; index < kReplicas; ++index) boot(index);
    elect();
    at(0, [this] { acknowledge_later(); });
  }

  void run() {
    while (!deadlines_.empty() && time_ < kFaultsFor + kCalmFor) {
      auto next = deadlines_.extract(deadlines_.begin());
      // A write may be sent at any moment, also right before the next thing happens.
      look(next.key() - 1);
      time_ = next.key();
      next.mapped()();
      look(time_);
    }
  }

  [[nodiscard]] bool leader_acts() const {
    const Replica& replica = replicas_[leader_];
    return replica.guard && replica.guard->may_write(now(replica, time_).mono);
  }

  std::string violation;
  std::uint64_t take_overs = 0;
  std::uint64_t acknowledgements = 0;
  std::uint64_t allowed = 0;  // times at which a replica may write

 private:
  struct Replica {
    std::optional<CanaryGuard> guard;
    int life = 0;
    Nanoseconds mono_offset = 0;
    Nanoseconds paused_until = 0;
    bool leads = false;
  };

  [[nodiscard]] std::uint64_t next() { return splitmix64(state_); }
  [[nodiscard]] Nanoseconds draw(Nanoseconds below) {
    return static_cast<Nanoseconds>(next() % static_cast<std::uint64_t>(below));
  }
  [[nodiscard]] bool happens(unsigned percent) {
    return time_ < kFaultsFor && next() % 100 < percent;
  }
  void at(Nanoseconds when, std::function<void()> what) {
    deadlines_.emplace(when, std::move(what));
  }
  [[nodiscard]] static Now now(const Replica& replica, Nanoseconds time) {
    return {.wall = Timestamp::from_nanoseconds(1'700'000'000 * kSecond + time),
            .mono = Timestamp::from_nanoseconds(time + replica.mono_offset)};
  }

  void boot(std::size_t index) {
    Replica& replica = replicas_[index];
    ++replica.life;
    replica.leads = false;
    replica.paused_until = 0;
    replica.mono_offset = kSecond + draw(1'000'000 * kSecond);
    SoleControllerOptions options;
    options.canary_name = "ebb";
    replica.guard.emplace(GuardedKind::kReplicaSets, options, true, telemetry_);
    replica.guard->set_manager_stopped(false);
    tick(index, replica.life);
  }

  // Replaces the lease: a replica leads until it is deposed, and never again.
  void elect() {
    leader_ = static_cast<std::size_t>(next() % kReplicas);
    replicas_[leader_].leads = true;
    at(time_ + 20 * kSecond + draw(300 * kSecond), [this] {
      if (time_ >= kFaultsFor) return;
      boot(leader_);
      elect();
    });
  }

  void tick(std::size_t index, int life) {
    Replica& replica = replicas_[index];
    if (replica.life != life) return;
    if (replica.paused_until > time_) {
      return at(replica.paused_until, [this, index, life] { tick(index, life); });
    }
    if (happens(1) && draw(20) == 0) replica.paused_until = time_ + draw(40 * kSecond);
    if (replica.leads) replica.guard->begin_leading(now(replica, time_));
    if (happens(2)) replica.guard->saw_foreign_write(now(replica, time_));
    while (auto wanted = replica.guard->take_wanted(now(replica, time_))) {
      send(index, life, *wanted);
    }
    if (!replica.guard->acting() && !replica.guard->wait_over_at().is_zero()) {
      replica.guard->take_over(now(replica, time_));
      ++take_overs;
    }
    at(time_ + kSecond / 5, [this, index, life] { tick(index, life); });
  }

  void send(std::size_t index, int life, const CanaryGuard::Wanted& wanted) {
    const bool lost = happens(15);
    const bool unheard = happens(10);
    const Nanoseconds landing = time_ + (happens(20) ? draw(5 * kSecond) : draw(kSecond / 50));
    const Nanoseconds deadline = time_ + wanted.deadline_ns;
    at(landing, [this, index, life, wanted, lost, unheard, deadline] {
      Answer answer{.outcome = Answer::Outcome::kUnknown};
      if (!lost) answer = execute(wanted.request);
      if (unheard) answer = {.outcome = Answer::Outcome::kUnknown};
      Nanoseconds back = time_ + (happens(20) ? draw(5 * kSecond) : draw(kSecond / 50));
      if (back > deadline || lost || unheard) {
        answer = {.outcome = Answer::Outcome::kUnknown};
        back = deadline;
      }
      at(back, [this, index, life, ticket = wanted.ticket, answer] {
        heard(index, life, ticket, answer);
      });
    });
  }

  void heard(std::size_t index, int life, std::uint64_t ticket, const Answer& answer) {
    Replica& replica = replicas_[index];
    if (replica.life != life) return;
    if (replica.paused_until > time_) {
      return at(replica.paused_until,
                [this, index, life, ticket, answer] { heard(index, life, ticket, answer); });
    }
    replica.guard->answered(ticket, answer, now(replica, time_));
  }

  // The API server, as far as it matters.
  [[nodiscard]] Answer execute(const model::ApiRequest& request) {
    Answer answer;
    switch (request.method) {
      case model::Method::kPost:
        if (exists_) {
          answer.response.code = 409;
          return answer;
        }
        exists_ = true;
        generation_ = 1;
        observed_ = 0;
        armed_since_ = time_;
        break;
      case model::Method::kPatch:
        ++generation_;
        if (armed_since_ < 0) armed_since_ = time_;
        if (time_ < present_until_) at(time_ + draw(kSecond / 5), [this] { acknowledge(); });
        break;
      default:
        break;
    }
    answer.response.code = exists_ ? 200 : 404;
    answer.response.body = Bytes(fmt::format(
        R"({{"metadata":{{"uid":"u","generation":{}}},"status":{{"observedGeneration":{}}}}})",
        generation_, observed_));
    return answer;
  }

  void acknowledge_later() {
    at(time_ + draw(400 * kSecond), [this] {
      if (time_ >= kFaultsFor) return;
      acknowledge();
      // Once, or each time it is armed for a while.
      if (next() % 2 == 0) present_until_ = time_ + draw(100 * kSecond);
      acknowledge_later();
    });
  }
  void acknowledge() {
    if (!exists_ || observed_ >= generation_) return;
    ++acknowledgements;
    if (armed_since_ >= 0) {
      ended_ = time_;
      ended_since_ = armed_since_;
    }
    observed_ = generation_;
    armed_since_ = -1;
  }

  // The two promises.
  void look(Nanoseconds time) {
    for (const Replica& replica : replicas_) {
      if (!replica.guard->may_write(now(replica, time).mono)) continue;
      ++allowed;
      constexpr Nanoseconds kWait = 60 * kSecond;
      if (armed_since_ >= 0 && time - armed_since_ >= kWait) continue;
      if (ended_ >= 0 && ended_ - ended_since_ >= kWait && time - ended_ <= 5 * kSecond) continue;
      violation = fmt::format("at {} ms: armed since {} ms, ended at {} ms", time / 1'000'000,
                              armed_since_ / 1'000'000, ended_ / 1'000'000);
    }
  }

  std::uint64_t state_;
  Telemetry telemetry_;
  Nanoseconds time_ = 0;
  std::multimap<Nanoseconds, std::function<void()>> deadlines_;
  std::array<Replica, kReplicas> replicas_;
  std::size_t leader_ = 0;

  bool exists_ = false;
  std::int64_t generation_ = 0;
  std::int64_t observed_ = 0;
  Nanoseconds present_until_ = 0;  // the other controller
  Nanoseconds armed_since_ = -1;
  Nanoseconds ended_ = -1;
  Nanoseconds ended_since_ = -1;
};

TEST(CanaryGuardProperty, NoProcessWritesBesideAnotherControllerAndTheLeaderEventuallyActs) {
  std::uint64_t take_overs = 0;
  std::uint64_t acknowledgements = 0;
  std::uint64_t allowed = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    World world(seed);
    world.run();
    EXPECT_EQ(world.violation, "") << "seed " << seed;
    EXPECT_TRUE(world.leader_acts()) << "seed " << seed;
    take_overs += world.take_overs;
    acknowledgements += world.acknowledgements;
    allowed += world.allowed;
  }
  EXPECT_GT(take_overs, 150U);
  EXPECT_GT(acknowledgements, 200U);
  EXPECT_GT(allowed, 100'000U);
}

}  // namespace
}  // namespace ebb::control
