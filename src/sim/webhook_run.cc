#include "sim/webhook_run.h"

#include <fmt/format.h>

#include "sim/actors/actors.h"
#include "sim/actors/process_faults.h"
#include "sim/rest.h"
#include "sim/world/world.h"

namespace ebb::sim {
namespace {

// Shorter than the window of the fence by enough for a retry.
constexpr Nanoseconds kMaxLag = 2 * kSecond;
// Costs are put back after 30 s, by a replica whose lease may have to expire first.
constexpr Nanoseconds kCleanup = 90 * kSecond;
// Replicas renew their lease, so a quiet minute costs as much as a busy one.
constexpr Nanoseconds kQuiet = 60 * kSecond;

control::ProcessSettings stock_process(const RunSettings& settings, Random& random) {
  control::ProcessSettings process;
  process.deployments = settings.deployments;
  process.qps = random.chance(0.5) ? 0 : 20;
  process.start_wait_ns = control::kWriteDeadlineNs;
  process.gates.set(model::Gate::kPreferForScaleDown, false);
  process.gates.set(model::Gate::kPodCostRanking, false);
  process.gates.set(model::Gate::kDownscalePodPicker, false);
  return process;
}

// The chart creates it without webhooks.
void create_configuration(World& world) {
  world.request(
      "chart",
      model::create_request("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                            {{"apiVersion", "admissionregistration.k8s.io/v1"},
                             {"kind", "ValidatingWebhookConfiguration"},
                             {"metadata", boost::json::object{{"name", "ebb-webhook"}}}}));
}

}  // namespace

RunResult run_with_webhook(const RunSettings& settings) {
  Random random(settings.seed);
  FaultProfile profile = draw_profile(random);
  // Where nothing fails, the chosen pods have to go.
  const bool flawless = random.chance(0.5);
  if (flawless) profile = {};
  World world({.seed = random.next(),
               .webhook = true,
               .pod_lag_ns = random.chance(0.8) ? kMaxLag : 0,
               .print = settings.print});
  if (flawless) world.webhook_rules.demand_choice();
  world.add_slot(stock_process(settings, random));
  const std::size_t replicas = 1 + random.below(2);
  for (std::size_t i = 0; i < replicas; ++i) {
    world.add_webhook_replica({.name = fmt::format("webhook-{}", static_cast<char>('a' + i)),
                               .seed = random.next(),
                               .faulty = !flawless,
                               .safeguards = settings.safeguards});
  }
  const ActorsSettings of_actors{.seed = random.next(),
                                 .sets = 1 + static_cast<int>(random.below(2)),
                                 .deployments = settings.deployments ? 1 : 0,
                                 .max_replicas = random.chance(0.05) ? 40 : 10,
                                 .busy_pickers = true};
  Actors actors(world, of_actors);
  ProcessFaults process_faults(world, profile, random.next());

  world.run_for(kSecond);
  create_configuration(world);
  actors.begin();
  world.profile = profile;
  process_faults.begin();
  for (const auto& replica : world.webhook_replicas) replica->begin();
  actors.act();
  world.run_for(static_cast<Nanoseconds>(30 + random.below(60)) * kSecond);

  world.trace.line("world", "faults stop");
  world.profile = {};
  process_faults.rest();
  actors.rest();
  for (const auto& replica : world.webhook_replicas) replica->rest();
  RunResult result;
  if (!world.violated()) {
    come_to_rest(world, static_cast<std::size_t>(of_actors.max_replicas), kCleanup, result);
  }
  if (!world.violated()) stay_calm(world, kQuiet);
  finish(world, result);
  return result;
}

}  // namespace ebb::sim
