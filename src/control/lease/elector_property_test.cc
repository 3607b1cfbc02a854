// Several electors on one API server. Requests are lost, late, or executed without an answer;
// clocks jump; processes pause, die and come back. No two of them act at the same time, and no
// write of one overlaps with those of the next.
#include <functional>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/lease/elector.h"
#include "support/control/carry_out.h"

namespace ebb::control {
namespace {

constexpr Nanoseconds kFaultsFor = 240 * kSecond;
constexpr Nanoseconds kCalmFor = 60 * kSecond;
constexpr std::size_t kMachines = 3;

class World {
 public:
  explicit World(std::uint64_t seed) : chance_(seed) {
    for (std::size_t index = 0; index < kMachines; ++index) boot(index);
    at(draw(10 * kSecond), [this] { disturb(); });
  }

  void run() {
    while (!deadlines_.empty() && time_ < kFaultsFor + kCalmFor) {
      auto next = deadlines_.extract(deadlines_.begin());
      time_ = next.key();
      served_.now = later_by(start_, time_);
      next.mapped()();
      look();
    }
  }

  [[nodiscard]] std::size_t leaders() const {
    std::size_t count = 0;
    for (const Machine& machine : machines_) count += leads(machine) ? 1 : 0;
    return count;
  }

  // Counts of events, so that a test can check that they occurred.
  std::size_t began = 0;
  std::size_t lost = 0;
  std::size_t released = 0;
  std::size_t writes = 0;

 private:
  struct Machine {
    std::optional<Elector> elector;
    int life = 0;  // answers to an earlier process are dropped
    Nanoseconds mono_offset = 0;
    Nanoseconds wall_offset = 0;
    Nanoseconds paused_until = 0;
    Nanoseconds wakes_at = 0;
    Nanoseconds last_write_over = 0;
    bool leaving = false;
    bool led = false;
  };

  void at(Nanoseconds when, std::function<void()> what) {
    deadlines_.emplace(when, std::move(what));
  }
  [[nodiscard]] Nanoseconds draw(Nanoseconds below) {
    return static_cast<Nanoseconds>(static_cast<double>(below) * chance_.fraction());
  }
  [[nodiscard]] bool happens(double probability) {
    return time_ < kFaultsFor && chance_.fraction() < probability;
  }
  [[nodiscard]] Now now(const Machine& machine) const {
    return {.wall = later_by(start_, time_ + machine.wall_offset),
            .mono = Timestamp::from_nanoseconds(time_ + machine.mono_offset)};
  }
  [[nodiscard]] bool leads(const Machine& machine) const {
    return machine.elector && machine.elector->leads(now(machine).mono);
  }

  void boot(std::size_t index) {
    Machine& machine = machines_[index];
    ++machine.life;
    machine.mono_offset = draw(1'000'000 * kSecond);
    machine.wall_offset = draw(7200 * kSecond) - 3600 * kSecond;
    machine.paused_until = 0;
    machine.wakes_at = 0;
    machine.leaving = false;
    machine.led = false;
    machine.elector.emplace(LeaseSettings{.identity = fmt::format("{}_{}", index, machine.life)},
                            static_cast<std::uint64_t>(draw(kSecond)), telemetry_);
    visit(index, machine.life);
    act(index, machine.life);
  }

  void die(std::size_t index) {
    machines_[index].elector.reset();
    at(time_ + draw(20 * kSecond), [this, index] { boot(index); });
  }

  // Calls `what` with a machine that is alive, as soon as it is not paused.
  void with(std::size_t index, int life, const std::function<void(Machine&)>& what) {
    Machine& machine = machines_[index];
    if (machine.life != life || !machine.elector) return;
    if (machine.paused_until > time_) {
      return at(machine.paused_until, [this, index, life, what] { with(index, life, what); });
    }
    what(machine);
    if (machine.elector) go_on(index, life);
  }
  void visit(std::size_t index, int life) {
    with(index, life, [](Machine&) {});
  }

  void go_on(std::size_t index, int life) {
    Machine& machine = machines_[index];
    Elector& elector = *machine.elector;
    if (elector.lost(now(machine).mono)) {
      ++lost;
      return die(index);
    }
    if (machine.leaving && time_ >= machine.last_write_over) elector.release();
    if (auto request = elector.take_wanted(now(machine))) {
      send(index, life, *request, elector.call_deadline_ns());
    }
    if (elector.released()) {
      ++released;
      return die(index);
    }
    const Timestamp wake = elector.wake_at();
    if (wake.is_zero()) return;
    const Nanoseconds when =
        std::max(wake.since_epoch_ns() - machine.mono_offset, time_ + kSecond / 1000);
    if (machine.wakes_at > time_ && machine.wakes_at <= when) return;
    machine.wakes_at = when;
    at(when, [this, index, life] { visit(index, life); });
  }

  void answer(std::size_t index, int life, Nanoseconds when, const Answer& answer) {
    at(when, [this, index, life, answer] {
      with(index, life,
           [this, answer](Machine& machine) { machine.elector->answered(answer, now(machine)); });
    });
  }

  void send(std::size_t index, int life, const model::ApiRequest& request, Nanoseconds deadline) {
    const Answer unknown{.outcome = Answer::Outcome::kUnknown};
    if (happens(0.05) || (time_ < outage_until_ && happens(0.5))) {
      return answer(index, life, time_ + draw(kSecond), {.outcome = Answer::Outcome::kNotSent});
    }
    // Some requests are delayed for long, and executed long after their sender gave up.
    const bool slow = happens(0.15);
    const Nanoseconds there = time_ + draw(slow ? 12 * kSecond : kSecond / 5);
    const Nanoseconds back = there + draw(slow ? 12 * kSecond : kSecond / 5);
    const Nanoseconds given_up = time_ + deadline;
    if (time_ < outage_until_ || happens(0.05)) {
      return answer(index, life, happens(0.5) ? there : given_up, unknown);
    }
    const bool silent = happens(0.1);
    const bool fails = happens(0.1);
    at(there, [this, index, life, request, back, given_up, silent, fails, unknown] {
      const Answer result = testing::carry_out(served_, request);
      if (back > given_up) return;
      if (silent) return answer(index, life, happens(0.5) ? back : given_up, unknown);
      answer(index, life, back, fails ? testing::answer_of(504) : result);
    });
    if (back > given_up) answer(index, life, given_up, unknown);
  }

  // The leader writes all the time. A write ends within its deadline, even if its sender dies.
  void act(std::size_t index, int life) {
    Machine& machine = machines_[index];
    if (machine.life != life || !machine.elector) return;
    if (leads(machine) && !machine.leaving && machine.paused_until <= time_) {
      ++writes;
      const Nanoseconds sent = time_;
      const Nanoseconds lands = time_ + draw(kWriteDeadlineNs);
      machine.last_write_over = std::max(machine.last_write_over, lands + 1);
      at(lands, [this, index, life, sent] { land(index, life, sent); });
    }
    at(time_ + draw(kSecond / 2), [this, index, life] { act(index, life); });
  }

  void land(std::size_t index, int life, Nanoseconds sent) {
    const bool same = last_leader_ == index && last_life_ == life;
    EXPECT_TRUE(same || last_began_ < sent) << "a write sent at " << sent << " lands at " << time_
                                            << ", but another led from " << last_began_;
  }

  void look() {
    for (std::size_t index = 0; index < kMachines; ++index) {
      Machine& machine = machines_[index];
      if (machine.led || !leads(machine)) continue;
      machine.led = true;
      ++began;
      last_leader_ = index;
      last_life_ = machine.life;
      last_began_ = time_;
    }
    EXPECT_LE(leaders(), 1U) << "at " << time_;
  }

  void disturb() {
    if (time_ >= kFaultsFor) return;
    const std::size_t index = static_cast<std::size_t>(draw(kMachines));
    Machine& machine = machines_[index];
    const double what = chance_.fraction();
    if (what < 0.15) {
      machine.wall_offset = draw(7200 * kSecond) - 3600 * kSecond;
    } else if (what < 0.35) {
      machine.paused_until = time_ + draw(20 * kSecond);
    } else if (what < 0.5) {
      if (machine.elector) die(index);
    } else if (what < 0.65) {
      machine.leaving = true;
      visit(index, machine.life);
      at(machine.last_write_over, [this, index, life = machine.life] { visit(index, life); });
    } else if (what < 0.8) {
      outage_until_ = time_ + draw(15 * kSecond);
    } else {
      served_.patch("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/ebb-controller",
                    "merge-patch",
                    fmt::format(R"({{"metadata":{{"annotations":{{"touched":"{}"}}}}}})", time_));
    }
    at(time_ + draw(12 * kSecond), [this] { disturb(); });
  }

  Jitter chance_;
  Telemetry telemetry_;
  testing::ApiServerScene served_;
  const Timestamp start_ = served_.now;
  Nanoseconds time_ = 0;
  Nanoseconds outage_until_ = 0;
  std::multimap<Nanoseconds, std::function<void()>> deadlines_;
  std::array<Machine, kMachines> machines_;
  std::size_t last_leader_ = kMachines;
  int last_life_ = 0;
  Nanoseconds last_began_ = 0;
};

TEST(ElectorProperty, NoTwoActAtOnceWhateverHappens) {
  std::size_t began = 0;
  std::size_t lost = 0;
  std::size_t released = 0;
  std::size_t writes = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    World world(seed);
    world.run();
    // Without faults, one elector leads.
    EXPECT_EQ(world.leaders(), 1U);
    if (::testing::Test::HasFailure()) return;
    began += world.began;
    lost += world.lost;
    released += world.released;
    writes += world.writes;
  }
  EXPECT_GT(began, 1000U);
  EXPECT_GT(lost, 300U);
  EXPECT_GT(released, 100U);
  EXPECT_GT(writes, 10'000U);
}

}  // namespace
}  // namespace ebb::control
