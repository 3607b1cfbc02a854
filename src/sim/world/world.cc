#include "sim/world/world.h"

#include <algorithm>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "hollow/garbage_collector.h"
#include "hollow/kubelet.h"
#include "hollow/node_registrar.h"
#include "hollow/scheduler.h"
#include "sim/link/wording.h"
#include "sim/rules/rank_rest.h"

namespace ebb::sim {
namespace {

// 2026-01-01.
constexpr Timestamp kStart = Timestamp::from_seconds(1'767'225'600);
// More events than this at one moment mean a livelock.
constexpr int kMaxAtOnce = 20'000;

hollow::Settings node_settings(std::uint64_t seed) {
  hollow::Settings settings;
  settings.nodes = hollow::parse_node_grid("2x2").value();
  settings.seed = seed;
  settings.events = false;
  settings.start_delay = {kSecond / 10, kSecond};
  settings.ready_delay = {kSecond / 10, kSecond};
  settings.termination = {kSecond / 2, 3 * kSecond};
  // Each heartbeat is a write of every node, and they are not under test.
  settings.heartbeat_ns = 100'000 * kSecond;
  return settings;
}

}  // namespace

World::World(const WorldSettings& given)
    : settings(given),
      time(kStart),
      trace(time, given.print),
      api(time, {.seed = given.seed, .history_age_ns = given.history_ns}),
      invariants(time, truth),
      picker_rules(time, invariants),
      rank_rules(time, invariants, inventory),
      decision_rules(time, invariants),
      shadow_rules(truth, invariants),
      webhook_rules(time, truth, inventory, invariants),
      guard_rules(time, invariants),
      evidence_rule(time, truth, invariants),
      latency_rule(time, invariants, picker_rules),
      probe(trace, invariants, picker_rules, rank_rules, decision_rules, shadow_rules),
      webhook_probe(trace, invariants, picker_rules, rank_rules, decision_rules, shadow_rules),
      components(time, api, trace, given.seed),
      pickers({.time = time, .met = met, .profile = profile, .truth = truth}, given.seed + 7) {
  invariants.add_observer(rank_rules);
  invariants.add_observer(decision_rules);
  api.listen([this](const model::ObjectEvent& event, model::Revision revision) {
    shadow_rules.apply(event, revision);
    if (admission) webhook_rules.apply(event, admission->user());
    truth.apply(event);
    inventory.apply(event);
    guard_rules.apply(event);
    decision_rules.apply(event);
    for (const auto& slot : slots) slot->changed(event.kind);
    if (rival) rival->changed(event.kind);
    for (const auto& replica : webhook_replicas) replica->changed(event.kind);
  });
  if (settings.webhook) {
    admission = std::make_unique<Admission>(time, api, trace, given.seed + 11);
    admission->on_verdict = [this](const Verdict& verdict) { webhook_rules.judged(verdict); };
    invariants.allow_deletes_without_precondition();
  }
  const hollow::Settings of_nodes = node_settings(given.seed);
  components.add(std::make_unique<hollow::NodeRegistrar>(of_nodes));
  components.add(std::make_unique<hollow::Scheduler>(of_nodes));
  components.add(std::make_unique<hollow::Kubelet>(of_nodes));
  components.add(std::make_unique<hollow::GarbageCollector>());
  components.begin();
}

LinkContext World::link_context() {
  return {.time = time,
          .api = api,
          .trace = trace,
          .met = met,
          .profile = profile,
          .refuses_streaming_lists = settings.refuses_streaming_lists};
}

void World::add_webhook_replica(const WebhookReplicaSettings& of_replica) {
  webhook_replicas.push_back(
      std::make_unique<WebhookReplica>(WebhookReplica::Context{.link = link_context(),
                                                               .admission = *admission,
                                                               .pickers = pickers,
                                                               .rules = webhook_rules,
                                                               .probe = webhook_probe},
                                       of_replica));
  admission->add(*webhook_replicas.back());
}

void World::add_rival(const RivalSettings& of_rival) {
  rival = std::make_unique<Rival>(link_context(), truth, of_rival);
}

bool World::is_canary(std::string_view namespace_name, std::string_view name) const {
  return std::any_of(slots.begin(), slots.end(),
                     [&](const auto& slot) { return slot->has_canary(namespace_name, name); });
}

ProcessSlot& World::add_slot(const control::ProcessSettings& process) {
  const bool only_ranks = process.ranker && !process.replica_sets;
  const bool only_watches = process.shadow && !process.replica_sets;
  const std::string name = fmt::format("{}-{}",
                                       only_watches ? "shadow"
                                       : only_ranks ? "ranker"
                                                    : "ebb",
                                       static_cast<char>('a' + slots.size()));
  LinkContext link = link_context();
  link.admission = admission.get();
  link.pod_lag_ns = settings.pod_lag_ns;
  slots.push_back(
      std::make_unique<ProcessSlot>(ProcessSlotContext{.link = link,
                                                       .invariants = invariants,
                                                       .pickers = pickers,
                                                       .picker_rules = picker_rules,
                                                       .rank_rules = rank_rules,
                                                       .decision_rules = decision_rules,
                                                       .shadow_rules = shadow_rules,
                                                       .guard_rules = guard_rules,
                                                       .evidence_rule = evidence_rule,
                                                       .latency_rule = latency_rule,
                                                       .probe = probe,
                                                       .process = process,
                                                       .changing_gates = settings.changing_gates},
                                    name, settings.seed + 1000 * (slots.size() + 1)));
  return *slots.back();
}

void World::run_for(Nanoseconds duration) {
  const Timestamp end = later_by(time.now(), duration);
  int at_once = 0;
  while (!violated()) {
    const Timestamp before = time.now();
    if (!time.step(end)) return;
    at_once = time.now() == before ? at_once + 1 : 0;
    if (at_once > kMaxAtOnce)
      invariants.violate("progress", "livelock: events without time passing");
  }
}

model::ApiResponse World::request(std::string_view who, const model::ApiRequest& request) {
  if (!admission) {
    model::ApiResponse response = api.request(request);
    trace.line(who, describe(request, response));
    return response;
  }
  // A request that webhooks hold has no response yet.
  const auto response = std::make_shared<model::ApiResponse>();
  response->code = 0;
  admission->execute(
      request, {.then = [this, request, response, name = std::string(who)](const auto& given) {
        *response = given;
        trace.line(name, describe(request, given));
      }});
  return *response;
}

std::string World::unsettled() const {
  for (const auto& entry : truth.sets()) {
    // A forged object with a finalizer stays as the garbage collector left it.
    if (entry.second.gone || entry.second.forged) continue;
    if (is_canary(entry.second.namespace_name, entry.second.name)) continue;
    std::string why = unsettled_set(entry.second);
    if (!why.empty()) return why;
  }
  for (const auto& entry : truth.deployments()) {
    if (entry.second.gone || is_canary(entry.second.namespace_name, entry.second.name)) continue;
    std::string why = unsettled_deployment(entry.second);
    if (!why.empty()) return why;
  }
  for (const auto& entry : truth.policies()) {
    if (entry.second.gone) continue;
    std::string why = unsettled_policy(entry.second);
    if (!why.empty()) return why;
  }
  if (std::string why = webhook_rules.unsettled(); settings.webhook && !why.empty()) return why;
  // A process with the feature gate off does not rank.
  return settings.ranked && !settings.changing_gates ? unsettled_ranks(inventory) : "";
}

// ReplicaSets have the picker of their Deployment, or none if it has none.
std::string World::unsettled_picker(const SetTruth& set) const {
  const auto owner = truth.deployments().find(set.controller);
  // A process with the feature gate off does not copy it.
  if (owner == truth.deployments().end() || owner->second.gone || settings.changing_gates ||
      settings.webhook || owner->second.picker == set.picker) {
    return {};
  }
  return fmt::format("ReplicaSet {} has the picker {}, but its Deployment {}", set.name,
                     boost::json::serialize(set.picker),
                     boost::json::serialize(owner->second.picker));
}

// ReplicaSets that outlive their Deployment for a while still count as the target.
bool World::target_exists(const PolicyTruth& policy) const {
  const auto is_target = [&](std::string_view kind, const auto& object) {
    return object.namespace_name == policy.namespace_name &&
           policy.target == fmt::format("{}/{}", kind, object.name);
  };
  for (const auto& [uid, set] : truth.sets()) {
    if (set.gone) continue;
    if (is_target("ReplicaSet", set)) return true;
    const auto owner = truth.deployments().find(set.controller);
    if (owner != truth.deployments().end() && is_target("Deployment", owner->second)) return true;
  }
  for (const auto& [uid, deployment] : truth.deployments()) {
    if (!deployment.gone && is_target("Deployment", deployment)) return true;
  }
  return false;
}

// Of several policies for one target, one that is not younger than the others counts.
std::string World::unsettled_policy(const PolicyTruth& policy) const {
  if (settings.changing_gates) return {};  // possibly no process handles it
  const std::string name = fmt::format("DownscalePolicy {}", policy.name);
  if (policy.observed_generation != policy.generation) {
    return fmt::format("the status of {} is of generation {} of {}", name,
                       policy.observed_generation, policy.generation);
  }
  int counting = 0;
  bool is_oldest = true;
  for (const auto& entry : truth.policies()) {
    const PolicyTruth& other = entry.second;
    if (other.gone || other.target != policy.target) continue;
    if (other.conflicting == "False") ++counting;
    if (other.created < policy.created) is_oldest = false;
  }
  const bool exists = target_exists(policy);
  if (policy.target_found != (exists ? "True" : "False")) {
    return fmt::format("{} says that its target is found: {}, and {} does {}exist", name,
                       policy.target_found, policy.target, exists ? "" : "not ");
  }
  const bool counts = policy.conflicting == "False";
  if (counting == 1 && (!counts || is_oldest)) return {};
  return fmt::format("{} says that its conflict is {}, and {} count for {}", name,
                     policy.conflicting, counting, policy.target);
}

std::string World::unsettled_set(const SetTruth& set) const {
  const std::string name = fmt::format("ReplicaSet {}/{}", set.namespace_name, set.name);
  if (set.deleting) return name + " is being deleted";
  std::int64_t active = 0;
  std::int64_t ready = 0;
  for (const auto& entry : truth.pods()) {
    const PodTruth& pod = entry.second;
    if (truth.counts(pod, set)) {
      ++active;
      if (pod.ready) ++ready;
      continue;
    }
    if (!pod.active() || pod.namespace_name != set.namespace_name) continue;
    if (pod.controller == set.uid) return fmt::format("{} has not released {}", name, pod.name);
    if (pod.controller.empty() && selects(set.selector, pod.labels)) {
      return fmt::format("{} has not adopted {}", name, pod.name);
    }
  }
  if (active != set.replicas) {
    return fmt::format("{} has {} pods and wants {}", name, active, set.replicas);
  }
  if (ready != active) return fmt::format("{} has {} pods and {} are ready", name, active, ready);
  if (set.status_replicas != active || set.status_ready != ready ||
      set.observed_generation != set.generation) {
    return fmt::format("the status of {} says {} pods, {} ready, generation {} of {}", name,
                       set.status_replicas, set.status_ready, set.observed_generation,
                       set.generation);
  }
  return unsettled_picker(set);
}

std::string World::unsettled_deployment(const DeploymentTruth& deployment) const {
  const std::string name =
      fmt::format("Deployment {}/{}", deployment.namespace_name, deployment.name);
  if (deployment.deleting) return name + " is being deleted";
  std::int64_t wanted = 0;
  for (const auto& entry : truth.sets()) {
    if (!entry.second.gone && entry.second.controller == deployment.uid) {
      wanted += entry.second.replicas;
    }
  }
  if (wanted != deployment.replicas) {
    return fmt::format("{} wants {} pods, its ReplicaSets {}", name, deployment.replicas, wanted);
  }
  if (deployment.status_replicas != deployment.replicas ||
      deployment.updated != deployment.replicas || deployment.available != deployment.replicas ||
      deployment.observed_generation != deployment.generation) {
    return fmt::format(
        "the status of {} says {} pods, {} updated, {} available, generation {} of {}", name,
        deployment.status_replicas, deployment.updated, deployment.available,
        deployment.observed_generation, deployment.generation);
  }
  return {};
}

}  // namespace ebb::sim
