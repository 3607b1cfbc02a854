#include "sim/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "sim/actors/actors.h"
#include "sim/actors/cost_manager.h"
#include "sim/actors/decision_forger.h"
#include "sim/actors/evidence_forger.h"
#include "sim/actors/process_faults.h"
#include "sim/rest.h"
#include "sim/webhook_run.h"
#include "sim/world/world.h"

namespace ebb::sim {
namespace {

// A guard reads its canaries continuously, so a quiet minute costs as much as a busy one.
constexpr Nanoseconds kGuardedCalm = 60 * kSecond;
// The probability of RunSettings::frequent.
constexpr double kFrequent = 0.05;
// The share of runs with ranks.
constexpr double kShareOfRanks = 0.25;

WorldSettings draw_world(const RunSettings& settings, Random& random, const FaultProfile& profile) {
  WorldSettings world{.seed = random.next(), .print = settings.print};
  if (profile[Fault::kExpired] > 0) {
    world.history_ns = static_cast<Nanoseconds>(1 + random.below(10)) * kSecond;
  }
  world.refuses_streaming_lists = random.chance(0.3);
  world.changing_gates = random.chance(0.2);
  return world;
}

control::ProcessSettings draw_process(const RunSettings& settings, Random& random) {
  control::ProcessSettings process;
  process.deployments = settings.deployments;
  process.safeguards = settings.safeguards;
  process.qps = random.chance(0.5) ? 0 : 20;
  if (random.chance(0.2)) process.pickers.max_per_endpoint = 1;
  process.pickers.during_rollouts = random.chance(0.8);
  process.protobuf = random.chance(0.5);
  if (random.chance(0.6)) {
    process.lease.emplace();
    if (random.chance(0.5)) {
      process.lease->duration_ns = 30 * kSecond;
      process.lease->renew_deadline_ns = 20 * kSecond;
      process.lease->retry_period_ns = 5 * kSecond;
    }
  } else {
    process.start_wait_ns = control::kWriteDeadlineNs;
  }
  return process;
}

// Which process ranks pods, in a run with ranks.
enum class Ranker : std::uint8_t { kNone, kWithControllers, kAlone };

Ranker draw_ranker(Random& random) {
  if (random.chance(0.1)) return Ranker::kNone;
  return random.chance(0.4) ? Ranker::kWithControllers : Ranker::kAlone;
}

// A process that only ranks, with its own lease if controllers have one.
control::ProcessSettings ranker_process(const control::ProcessSettings& controllers) {
  control::ProcessSettings process = controllers;
  process.replica_sets = false;
  process.deployments = false;
  process.ranker = true;
  process.sole_controller.reset();  // a ranker needs no guard
  if (process.lease) process.lease->name = "ebb-ranker";
  return process;
}

// The share of runs with ranks in which another program manages deletion costs.
constexpr double kShareOfCostManagers = 0.3;

// The share of runs with a process in shadow mode.
constexpr double kShareOfShadows = 0.15;

// A process that only watches, likewise.
control::ProcessSettings shadow_process(const control::ProcessSettings& controllers) {
  control::ProcessSettings process = controllers;
  process.replica_sets = false;
  process.deployments = false;
  process.ranker = false;
  process.shadow = true;
  process.sole_controller.reset();
  if (process.lease) process.lease->name = "ebb-shadow";
  return process;
}

// The share of runs with a guard and a second controller.
constexpr double kShareOfGuards = 0.125;

// Waits are as long as in production, or shorter, so that more of them fit into a run.
control::SoleControllerOptions draw_guard(Random& random) {
  control::SoleControllerOptions options;
  if (random.chance(0.8)) options.poll_period_ns = 2 * kSecond;
  if (random.chance(0.3)) return options;
  const bool hasty = random.chance(0.5);
  options.take_over_ns = (hasty ? 4 : 15) * kSecond;
  options.restart_wait_ns = (hasty ? 10 : 40) * kSecond;
  options.max_extension_ns = (hasty ? 8 : 30) * kSecond;
  options.younger_wait_ns = (hasty ? 3 : 10) * kSecond;
  options.probe_period_ns = (hasty ? 3 : 10) * kSecond;
  return options;
}

// The share of runs in which decisions are written as objects.
constexpr double kShareOfRecords = 0.25;

// Small, so that a run exceeds them.
control::DecisionLimits draw_limits(Random& random) {
  return {.per_workload = 1 + random.below(4), .per_cluster = 4 + random.below(16)};
}

// The longest time that a guard needs after the last event: a last acknowledgement, a last sign of
// another controller, and a list.
Nanoseconds guard_time(const control::SoleControllerOptions& options, bool has_lease) {
  const Nanoseconds wait = has_lease ? options.restart_wait_ns : options.take_over_ns;
  return options.probe_period_ns + 2 * wait + options.younger_wait_ns + 10 * kSecond;
}

void check_records(World& world) {
  const std::string why = world.decision_rules.unsettled();
  if (!why.empty()) world.invariants.violate("decisions", why);
}

}  // namespace

RunResult run(const RunSettings& settings) {
  if (settings.webhook) return run_with_webhook(settings);
  Random random(settings.seed);
  FaultProfile profile = draw_profile(random);
  // Some runs measure how long a picker delays a decision.
  const bool measures = random.chance(0.15);
  if (measures) profile = only_of_helpers(profile);
  // In some of these, all pickers fail for a while and then none, to exercise the breaker.
  const bool outage = measures && random.chance(0.25);
  if (outage) profile = {};
  if (settings.frequent) profile.set(*settings.frequent, kFrequent);
  // Drawn separately, so that runs without shadow mode do not change.
  Random shadow_random(settings.seed + 0x5ad0U);
  const bool watched = !measures && shadow_random.chance(kShareOfShadows);
  // In half of these nothing fails, and records have to be complete.
  const bool flawless = watched && !settings.frequent && shadow_random.chance(0.5);
  if (flawless) profile = {};
  const bool ranks = !outage && random.chance(kShareOfRanks);
  const Ranker ranker = ranks ? draw_ranker(random) : Ranker::kNone;
  WorldSettings of_world = draw_world(settings, random, profile);
  of_world.ranked = ranker != Ranker::kNone;
  World world(of_world);
  if (!settings.safeguards.uid_precondition) {
    world.invariants.allow_deletes_without_precondition();
  }
  control::ProcessSettings process = draw_process(settings, random);
  if (measures) {
    // Then no call waits for another.
    process.qps = 0;
    process.pickers.max_per_endpoint = 1000;
    world.latency_rule.begin();
  }
  process.ranker = ranker == Ranker::kWithControllers;
  // Drawn separately, so that runs without a guard do not change.
  Random guard_random(settings.seed + 0x5e17U);
  const bool guarded = !measures && guard_random.chance(kShareOfGuards);
  const bool forges = guarded && guard_random.chance(0.5);
  const bool has_rival = guarded && guard_random.chance(0.8);
  const bool has_lease = has_rival && guard_random.chance(0.3);
  Nanoseconds for_guard = 0;
  if (guarded) {
    process.sole_controller = draw_guard(guard_random);
    for_guard = guard_time(*process.sole_controller, has_lease);
  }
  if (has_rival) {
    world.add_rival(
        {.seed = guard_random.next(), .deployments = settings.deployments, .lease = has_lease});
  }
  // Drawn separately, too.
  Random record_random(settings.seed + 0xdec2U);
  const bool records = record_random.chance(kShareOfRecords);
  const bool forges_records = records && record_random.chance(0.5);
  if (records) {
    process.decision_objects = draw_limits(record_random);
    world.decision_rules.begin(*process.decision_objects);
  }
  // Drawn separately, too.
  Random cost_random(settings.seed + 0xc057U);
  const bool manages_costs = ranks && !guarded && cost_random.chance(kShareOfCostManagers);
  const std::size_t slots = process.lease ? 1 + random.below(2) : 1;
  for (std::size_t i = 0; i < slots; ++i) world.add_slot(process);
  if (ranker == Ranker::kAlone) {
    const std::size_t rankers = process.lease ? 1 + random.below(2) : 1;
    for (std::size_t i = 0; i < rankers; ++i) world.add_slot(ranker_process(process));
  }
  if (watched) world.add_slot(shadow_process(process));
  if (flawless) world.shadow_rules.demand_everything();
  const bool busy_pickers = outage || random.chance(ranks ? 0.1 : measures ? 0.8 : 0.4);
  const ActorsSettings of_actors{.seed = random.next(),
                                 .sets = 1 + static_cast<int>(random.below(2)),
                                 .deployments = settings.deployments && random.chance(0.5) ? 1 : 0,
                                 .max_replicas = random.chance(0.05) ? 40 : 8,
                                 .busy_pickers = busy_pickers,
                                 .ranks = ranks};
  const auto max_replicas = static_cast<std::size_t>(of_actors.max_replicas);
  Actors actors(world, of_actors);
  ProcessFaults process_faults(world, profile, random.next());
  EvidenceForger forger(world, guard_random.next());
  DecisionForger record_forger(world, record_random.next());
  CostManager cost_manager(world, cost_random.next());

  world.run_for(kSecond);
  actors.begin();
  if (!measures && random.chance(0.3) && !flawless)
    world.components.set_faults({.late = 0.1, .refused = 0.05});
  world.profile = profile;
  process_faults.begin();
  if (outage) world.pickers.begin_outage(60 * kSecond);
  actors.act();
  if (world.rival) world.rival->begin();
  if (forges) forger.act();
  if (forges_records) record_forger.act();
  if (manages_costs) cost_manager.act();
  const std::uint64_t least = outage ? 120 : 20;
  world.run_for(static_cast<Nanoseconds>(least + random.below(100)) * kSecond + for_guard);

  world.trace.line("world", "faults stop");
  world.profile = {};
  world.components.set_faults({});
  process_faults.rest();
  actors.rest();
  forger.rest();
  record_forger.rest();
  cost_manager.rest();
  if (world.rival) world.rival->leave();
  RunResult result;
  if (!world.violated()) come_to_rest(world, max_replicas, for_guard, result);
  if (records && !world.violated()) check_records(world);
  if (!world.violated()) stay_calm(world, guarded ? kGuardedCalm : kCalm);
  finish(world, result);
  return result;
}

}  // namespace ebb::sim
