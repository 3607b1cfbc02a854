#include "sim/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/rank_rest.h"
#include "sim/troubles.h"
#include "sim/world.h"
#include "sim/writers.h"

namespace ebb::sim {
namespace {

// What is promised once faults have stopped.
constexpr Nanoseconds kTimeToRest = 60 * kSecond;
constexpr Nanoseconds kCalm = 600 * kSecond;
// The longest timers of a controller: an expectation, and the backoff of a watch, which is 30 s
// and up to as much again by chance.
constexpr Nanoseconds kExpectation = 300 * kSecond;
constexpr Nanoseconds kLongestBackoff = 60 * kSecond;
// How many runs are about ranks.
constexpr double kShareOfRanks = 0.25;

WorldSettings draw_world(const RunSettings& settings, Dice& dice, const FaultProfile& profile) {
  WorldSettings world{.seed = dice.next(), .print = settings.print};
  if (profile[Fault::kExpired] > 0) {
    world.history_ns = static_cast<Nanoseconds>(1 + dice.below(10)) * kSecond;
  }
  world.refuses_streaming_lists = dice.chance(0.3);
  world.changing_gates = dice.chance(0.2);
  return world;
}

control::ProcessSettings draw_process(const RunSettings& settings, Dice& dice) {
  control::ProcessSettings process;
  process.deployments = settings.deployments;
  process.safeguards = settings.safeguards;
  process.qps = dice.chance(0.5) ? 0 : 20;
  if (dice.chance(0.2)) process.pickers.most_per_endpoint = 1;
  process.pickers.during_rollouts = dice.chance(0.8);
  process.protobuf = dice.chance(0.5);
  if (dice.chance(0.6)) {
    process.lease.emplace();
    if (dice.chance(0.5)) {
      process.lease->duration_ns = 30 * kSecond;
      process.lease->renew_deadline_ns = 20 * kSecond;
      process.lease->retry_period_ns = 5 * kSecond;
    }
  }
  return process;
}

// Who ranks pods, in a run in which there are ranks.
enum class Ranker : std::uint8_t { kNone, kWithControllers, kAlone };

Ranker draw_ranker(Dice& dice) {
  if (dice.chance(0.1)) return Ranker::kNone;
  return dice.chance(0.4) ? Ranker::kWithControllers : Ranker::kAlone;
}

// One that ranks and nothing else, with a lease of its own if controllers have one.
control::ProcessSettings ranker_process(const control::ProcessSettings& controllers) {
  control::ProcessSettings process = controllers;
  process.replica_sets = false;
  process.deployments = false;
  process.ranker = true;
  if (process.lease) process.lease->name = "ebb-ranker";
  return process;
}

// I4. Whoever needs longer must have waited for an expectation.
void come_to_rest(World& world, RunResult& result) {
  using control::Count;
  const std::uint64_t expired = world.witness.counts()[Count::kExpectationsExpired];
  const Timestamp begin = world.time.now();
  Timestamp last_timer = begin;
  for (const auto& seat : world.seats) last_timer = std::max(last_timer, seat->last_timer());
  last_timer = later_by(last_timer, waits_for_ranks(world.inventory));
  const Timestamp soon = later_by(last_timer, kLongestBackoff + kTimeToRest);
  const Timestamp end = later_by(last_timer, kExpectation + kTimeToRest);
  while (!world.violated() && world.time.now() < end && !world.unsettled().empty()) {
    world.run_for(std::min<Nanoseconds>(kSecond, elapsed_ns(world.time.now(), end)));
  }
  result.seconds_to_rest =
      static_cast<double>(elapsed_ns(begin, world.time.now())) / static_cast<double>(kSecond);
  const std::string why = world.unsettled();
  if (!why.empty()) {
    world.invariants.violate("I4", fmt::format("no rest: {}", why));
  } else if (world.time.now() > soon &&
             world.witness.counts()[Count::kExpectationsExpired] == expired) {
    world.invariants.violate(
        "I4", fmt::format("rest only after {} s, and nobody waited for an expectation",
                          result.seconds_to_rest));
  }
  // What is left of the time may be used for statuses and events.
  world.run_for(elapsed_ns(world.time.now(), end));
}

void stay_calm(World& world) {
  const std::uint64_t writes = world.invariants.writes();
  const std::uint64_t events = world.invariants.events();
  world.run_for(kCalm);
  if (world.violated()) return;
  const std::string why = world.unsettled();
  if (!why.empty()) world.invariants.violate("I4", fmt::format("rest did not last: {}", why));
  if (world.invariants.writes() != writes || world.invariants.events() != events) {
    world.invariants.violate(
        "I4", fmt::format("{} writes and {} events although nothing happens",
                          world.invariants.writes() - writes, world.invariants.events() - events));
  }
}

}  // namespace

RunResult run(const RunSettings& settings) {
  Dice dice(settings.seed);
  FaultProfile profile = draw_profile(dice);
  // Some runs measure how long a picker keeps a decision waiting.
  const bool measures = dice.chance(0.15);
  if (measures) profile = only_of_helpers(profile);
  // In some of them all pickers fail for a while and then none: what a breaker is for.
  const bool outage = measures && dice.chance(0.25);
  if (outage) profile = {};
  const bool ranks = !outage && dice.chance(kShareOfRanks);
  const Ranker ranker = ranks ? draw_ranker(dice) : Ranker::kNone;
  WorldSettings of_world = draw_world(settings, dice, profile);
  of_world.ranked = ranker != Ranker::kNone;
  World world(of_world);
  if (!settings.safeguards.uid_precondition) {
    world.invariants.allow_deletes_without_precondition();
  }
  control::ProcessSettings process = draw_process(settings, dice);
  if (measures) {
    // Nothing waits for anything else then.
    process.qps = 0;
    process.pickers.most_per_endpoint = 1000;
    world.punctuality.begin();
  }
  process.ranker = ranker == Ranker::kWithControllers;
  const std::size_t seats = process.lease ? 1 + dice.below(2) : 1;
  for (std::size_t i = 0; i < seats; ++i) world.add_seat(process);
  if (ranker == Ranker::kAlone) {
    const std::size_t rankers = process.lease ? 1 + dice.below(2) : 1;
    for (std::size_t i = 0; i < rankers; ++i) world.add_seat(ranker_process(process));
  }
  const bool busy_pickers = outage || dice.chance(ranks ? 0.1 : measures ? 0.8 : 0.4);
  Writers writers(world, {.seed = dice.next(),
                          .sets = 1 + static_cast<int>(dice.below(2)),
                          .deployments = settings.deployments && dice.chance(0.5) ? 1 : 0,
                          .most_replicas = dice.chance(0.05) ? 40 : 8,
                          .busy_pickers = busy_pickers,
                          .ranks = ranks});
  Troubles troubles(world, profile, dice.next());

  world.run_for(kSecond);
  writers.begin();
  if (!measures && dice.chance(0.3)) world.machines.set_faults({.late = 0.1, .refused = 0.05});
  world.profile = profile;
  troubles.begin();
  if (outage) world.pickers.begin_outage(60 * kSecond);
  writers.act();
  const std::uint64_t least = outage ? 120 : 20;
  world.run_for(static_cast<Nanoseconds>(least + dice.below(100)) * kSecond);

  world.trace.line("world", "faults stop");
  world.profile = {};
  world.machines.set_faults({});
  troubles.rest();
  writers.rest();
  RunResult result;
  if (!world.violated()) come_to_rest(world, result);
  if (!world.violated()) stay_calm(world);
  result.violation = world.invariants.violation();
  if (result.violation) {
    world.trace.line("VIOLATION",
                     fmt::format("{}: {}", result.violation->rule, result.violation->text));
  }
  result.hash = world.trace.hash();
  result.lines = world.trace.lines();
  result.met = world.met;
  result.told = world.witness.counts();
  result.writes = world.invariants.writes();
  return result;
}

}  // namespace ebb::sim
