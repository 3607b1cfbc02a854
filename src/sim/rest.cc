#include "sim/rest.h"

#include <algorithm>

#include <fmt/format.h>

#include "control/ranker/contested_costs.h"
#include "sim/rules/rank_rest.h"

namespace ebb::sim {
namespace {

// The guarantee once faults have stopped.
constexpr Nanoseconds kTimeToRest = 60 * kSecond;
// The longest timers of a controller: an expectation, and the backoff of a watch, which is 30 s
// plus up to the same again as jitter.
constexpr Nanoseconds kExpectation = 300 * kSecond;
constexpr Nanoseconds kLongestBackoff = 60 * kSecond;

}  // namespace

void come_to_rest(World& world, std::size_t max_replicas, Nanoseconds more_ns, RunResult& result) {
  using control::Count;
  const std::uint64_t expired = world.probe.counts()[Count::kExpectationsExpired];
  const Timestamp begin = world.time.now();
  Timestamp last_timer = begin;
  for (const auto& slot : world.slots) last_timer = std::max(last_timer, slot->last_timer());
  for (const auto& replica : world.webhook_replicas) {
    last_timer = std::max(last_timer, replica->silent_until());
  }
  last_timer = later_by(last_timer, waits_for_ranks(world.inventory, max_replicas) + more_ns);
  // While a ranker pauses, there are no ranks. A pause may begin with what it has yet to see.
  const auto after = [&](Nanoseconds delay_ns) {
    const bool pauses = world.probe.counts()[Count::kCostContests] > 0;
    return later_by(last_timer, delay_ns + (pauses ? control::kContestPauseNs : 0));
  };
  const auto end = [&] { return after(kExpectation + kTimeToRest); };
  while (!world.violated() && world.time.now() < end() && !world.unsettled().empty()) {
    world.run_for(std::min<Nanoseconds>(kSecond, elapsed_ns(world.time.now(), end())));
  }
  result.seconds_to_rest =
      static_cast<double>(elapsed_ns(begin, world.time.now())) / static_cast<double>(kSecond);
  const std::string why = world.unsettled();
  if (!why.empty()) {
    world.invariants.violate("I4", fmt::format("no rest: {}", why));
  } else if (world.time.now() > after(kLongestBackoff + kTimeToRest) &&
             world.probe.counts()[Count::kExpectationsExpired] == expired) {
    world.invariants.violate(
        "I4", fmt::format("settled only after {} s, and no controller waited for an expectation",
                          result.seconds_to_rest));
  }
  // The rest of the time remains for statuses and events.
  world.run_for(elapsed_ns(world.time.now(), end()));
}

void stay_calm(World& world, Nanoseconds calm) {
  const std::uint64_t writes = world.invariants.writes();
  const std::uint64_t events = world.invariants.events();
  world.run_for(calm);
  if (world.violated()) return;
  const std::string why = world.unsettled();
  if (!why.empty()) world.invariants.violate("I4", fmt::format("did not stay settled: {}", why));
  if (world.invariants.writes() != writes || world.invariants.events() != events) {
    world.invariants.violate(
        "I4", fmt::format("{} writes and {} events although nothing changes",
                          world.invariants.writes() - writes, world.invariants.events() - events));
  }
}

void finish(World& world, RunResult& result) {
  result.violation = world.invariants.violation();
  if (result.violation) {
    world.trace.line("VIOLATION",
                     fmt::format("{}: {}", result.violation->rule, result.violation->text));
  }
  result.hash = world.trace.hash();
  result.lines = world.trace.lines();
  result.met = world.met;
  result.counts = world.probe.counts();
  result.counts.add(world.webhook_probe.counts());
  result.writes = world.invariants.writes();
}

}  // namespace ebb::sim
