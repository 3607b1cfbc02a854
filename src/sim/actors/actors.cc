#include "sim/actors/actors.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/api/requests.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

}  // namespace

struct Actors::ActorAction {
  void (Actors::*act)();
  double weight;
};

const std::vector<Actors::ActorAction>& Actors::actions() {
  static const std::vector<ActorAction> kActorActions = {
      {&Actors::scale, 4},
      {&Actors::kill_pod, 2},
      {&Actors::mark_pod, 2},
      {&Actors::relabel_pod, 1},
      {&Actors::add_orphan, 1},
      {&Actors::replace_pod, 1},
      {&Actors::fail_pod, 0.7},
      {&Actors::edit_template, 0.7},
      {&Actors::delete_set, 0.3},
      {&Actors::recreate_set, 0.4},
      {&Actors::scale_owned_set, 0.3},
      {&Actors::pause_or_resume, 0.3},
      {&Actors::roll_back, 0.2},
      {&Actors::take_node, 0.15},
      {&Actors::bring_nodes_back, 0.2},
      {&Actors::take_name, 0.4},
      {&Actors::forge, 1.5},
      {&Actors::change_pickers, 1},
      {&Actors::change_ranks, 1},
  };
  return kActorActions;
}

Actors::Actors(World& world, const ActorsSettings& settings)
    : world_(world),
      settings_(settings),
      random_(settings.seed),
      pickers_(world, settings.seed + 1, settings.busy_pickers),
      ranks_(world, settings.seed + 2, settings.ranks),
      forger_(world, settings.seed + 3) {
  // Each run has only some of the actors.
  for (const ActorAction& action : actions()) {
    weights_.push_back(random_.chance(0.6)
                           ? action.weight * (0.2 + 0.01 * static_cast<double>(random_.below(200)))
                           : 0);
  }
  const double least = settings.ranks ? 20 : settings.busy_pickers ? 12 : 1;
  weights_.front() = std::max(weights_.front(), least);
  weights_.back() = settings.ranks ? std::max(weights_.back(), 4.0) : 0;
  for (int i = 0; i < settings.sets; ++i) sets_.push_back(fmt::format("set{}", i));
  for (int i = 0; i < settings.deployments; ++i) deployments_.push_back(fmt::format("dep{}", i));
  world_.pickers.meanwhile = [this](Fault fault, const std::string& set_uid) {
    happen_meanwhile(fault, set_uid);
  };
}

void Actors::begin() {
  send(model::create_request(fmt::format("/api/v1/namespaces/{}/secrets", kNamespace),
                             secret_object()));
  pickers_.begin(sets_, deployments_);
  ranks_.begin(sets_, deployments_);
  for (const std::string& name : sets_) create_set(name);
  for (const std::string& name : deployments_) create_deployment(name);
}

void Actors::act() {
  if (resting_) return;
  double total = 0;
  for (const double weight : weights_) total += weight;
  double drawn = total * static_cast<double>(random_.below(1'000'000)) / 1'000'000;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    drawn -= weights_[i];
    if (drawn >= 0) continue;
    (this->*actions()[i].act)();
    break;
  }
  // Occasionally several actions follow each other quickly.
  const Nanoseconds pause = random_.chance(0.3) ? kSecond / 5 : 6 * kSecond;
  world_.time.after(static_cast<Nanoseconds>(random_.below(static_cast<std::uint64_t>(pause))),
                    [this] { act(); });
}

void Actors::rest() {
  resting_ = true;
  bring_nodes_back();
  forger_.rest();
  for (const std::string& name : deployments_) {
    patch(deployments(), name, {{"spec", {{"paused", false}}}});
  }
}

int Actors::send(const model::ApiRequest& request) { return world_.request("user", request).code; }

int Actors::patch(const schema::Kind& kind, std::string_view name, const object& change,
                  std::string_view subresource) {
  return send(model::strategic_patch_request(path_of(kind, name, subresource), change));
}

std::int64_t Actors::some_replicas() {
  // Scaling to zero is rare here: no picker is called and no ranks are used when all pods go.
  const bool scarcely_none = settings_.busy_pickers || (settings_.ranks && random_.chance(0.9));
  const std::uint64_t least = scarcely_none ? 1 : 0;
  return static_cast<std::int64_t>(
      least + random_.below(static_cast<std::uint64_t>(settings_.max_replicas) + 1 - least));
}

const PodTruth* Actors::some_pod() {
  std::vector<const PodTruth*> there;
  for (const auto& entry : world_.truth.pods()) {
    const PodTruth& pod = entry.second;
    if (!pod.gone && pod.namespace_name == kNamespace) there.push_back(&pod);
  }
  return there.empty() ? nullptr : there[random_.below(there.size())];
}

const DeploymentTruth* Actors::some_deployment() {
  std::vector<const DeploymentTruth*> there;
  for (const auto& entry : world_.truth.deployments()) {
    if (!entry.second.gone) there.push_back(&entry.second);
  }
  return there.empty() ? nullptr : there[random_.below(there.size())];
}

std::string Actors::some_app() {
  const std::size_t i = random_.below(sets_.size() + deployments_.size());
  return i < sets_.size() ? sets_[i] : deployments_[i - sets_.size()];
}

void Actors::create_set(const std::string& name) {
  object set = replica_set_object({.name = name,
                                   .replicas = some_replicas(),
                                   .version = version_,
                                   .min_ready_seconds = random_.chance(0.2) ? 2 : 0,
                                   .spread = ranks_.wants_spread()});
  pickers_.add_to(set);
  send(model::create_request(collection_of(replica_sets()), set));
}

void Actors::create_deployment(const std::string& name) {
  object deployment = deployment_object({.name = name,
                                         .replicas = some_replicas(),
                                         .version = version_,
                                         .min_ready_seconds = random_.chance(0.2) ? 2 : 0,
                                         .recreate = random_.chance(0.2),
                                         .spread = ranks_.wants_spread()});
  pickers_.add_to(deployment);
  send(model::create_request(collection_of(deployments()), deployment));
}

void Actors::scale() {
  const std::string app = some_app();
  const bool deployment = std::find(sets_.begin(), sets_.end(), app) == sets_.end();
  const schema::Kind& kind = deployment ? deployments() : replica_sets();
  const object change{{"spec", {{"replicas", some_replicas()}}}};
  send(model::merge_patch_request(path_of(kind, app, random_.chance(0.5) ? "scale" : ""), change));
}

void Actors::edit_template() {
  // Sometimes returns to an earlier template, for which a ReplicaSet exists already.
  if (random_.chance(0.7)) ++version_;
  const int version = 1 + static_cast<int>(random_.below(static_cast<std::uint64_t>(version_)));
  const object container{{"name", "web"}, {"image", fmt::format("web:{}", version)}};
  const std::string app = some_app();
  const bool deployment = std::find(sets_.begin(), sets_.end(), app) == sets_.end();
  patch(deployment ? deployments() : replica_sets(), app,
        {{"spec", {{"template", {{"spec", {{"containers", array{container}}}}}}}}});
}

void Actors::pause_or_resume() {
  const DeploymentTruth* const one = some_deployment();
  if (one != nullptr) patch(deployments(), one->name, {{"spec", {{"paused", !one->paused}}}});
}

void Actors::roll_back() {
  const DeploymentTruth* const one = some_deployment();
  if (one == nullptr) return;
  patch(deployments(), one->name,
        {{"metadata", {{"annotations", {{"deprecated.deployment.rollback.to", "0"}}}}}});
}

void Actors::kill_pod() {
  const PodTruth* const pod = some_pod();
  if (pod == nullptr) return;
  send(model::delete_request(path_of(pods(), pod->name),
                             {.grace_seconds = random_.chance(0.3) ? 0 : -1}));
}

void Actors::fail_pod() {
  const PodTruth* const pod = some_pod();
  // The kubelet does not update pods that are ready.
  if (pod == nullptr || !pod->ready || pod->deleting) return;
  patch(pods(), pod->name, {{"status", {{"phase", "Failed"}, {"reason", "Evicted"}}}}, "status");
}

void Actors::mark_pod() {
  const PodTruth* const pod = some_pod();
  if (pod == nullptr) return;
  object metadata;
  if (random_.chance(0.5)) {
    metadata["labels"] = object{{"kubernetes.io/prefer-for-scale-down", "true"}};
  } else {
    metadata["annotations"] = object{{"controller.kubernetes.io/pod-deletion-cost",
                                      std::to_string(static_cast<int>(random_.below(200)) - 100)}};
  }
  patch(pods(), pod->name, {{"metadata", std::move(metadata)}});
}

void Actors::relabel_pod() {
  const PodTruth* const pod = some_pod();
  if (pod == nullptr) return;
  const std::string app = random_.chance(0.5) ? some_app() : "debug";
  patch(pods(), pod->name, {{"metadata", {{"labels", {{"app", app}}}}}});
}

void Actors::add_orphan() {
  send(model::create_request(collection_of(pods()), pod_object("", some_app())));
}

// Kills a pod and creates another one with its name.
void Actors::replace_pod() {
  const PodTruth* const pod = some_pod();
  if (pod == nullptr) return;
  const std::string name = pod->name;
  send(model::delete_request(path_of(pods(), name), {.grace_seconds = 0}));
  send(model::create_request(collection_of(pods()),
                             pod_object(name, random_.chance(0.5) ? some_app() : "nobody")));
}

void Actors::delete_set() {
  if (sets_.empty()) return;
  static constexpr std::string_view kPolicies[] = {"Background", "Foreground", "Orphan"};
  send(model::delete_request(path_of(replica_sets(), sets_[random_.below(sets_.size())]),
                             {.propagation = kPolicies[random_.below(3)]}));
}

// Under the same name, at once if the old one is gone at once.
void Actors::recreate_set() {
  if (!sets_.empty()) recreate_set(sets_[random_.below(sets_.size())]);
}

void Actors::recreate_set(const std::string& name) {
  send(model::delete_request(path_of(replica_sets(), name),
                             {.propagation = random_.chance(0.5) ? "Background" : "Orphan"}));
  create_set(name);
}

void Actors::happen_meanwhile(Fault fault, const std::string& set_uid) {
  const SetTruth* const set = world_.truth.set(set_uid);
  if (resting_ || set == nullptr || set->gone) return;
  if (fault == Fault::kScaledMeanwhile) return pickers_.scale_up(*set);
  if (fault == Fault::kKilledMeanwhile) return pickers_.kill_some(*set);
  if (fault == Fault::kUnconfiguredMeanwhile) return pickers_.remove_all(*set);
  // The names of a Deployment's ReplicaSets cannot be predicted.
  if (fault == Fault::kRecreatedMeanwhile && set->controller.empty()) {
    recreate_set(std::string(set->name));
  }
}

// Scales a ReplicaSet against its Deployment.
void Actors::scale_owned_set() {
  std::vector<const SetTruth*> owned;
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone && !entry.second.controller.empty() && !entry.second.forged)
      owned.push_back(&entry.second);
  }
  if (owned.empty()) return;
  send(model::merge_patch_request(path_of(replica_sets(), owned[random_.below(owned.size())]->name),
                                  {{"spec", {{"replicas", some_replicas()}}}}));
}

// Creates a ReplicaSet with the name that a Deployment would give to its next ReplicaSet of an old
// template.
void Actors::take_name() {
  std::vector<const SetTruth*> idle;
  for (const auto& entry : world_.truth.sets()) {
    const SetTruth& set = entry.second;
    if (!set.gone && !set.controller.empty() && !set.forged && set.replicas == 0)
      idle.push_back(&set);
  }
  if (idle.empty()) return;
  const std::string name = idle[random_.below(idle.size())]->name;
  send(model::delete_request(path_of(replica_sets(), name), {}));
  boost::json::object stranger = replica_set_object({.name = "stranger", .replicas = 1});
  schema::ensure_object(stranger, {"metadata"})["name"] = name;
  send(model::create_request(collection_of(replica_sets()), stranger));
}

void Actors::take_node() {
  if (taken_nodes_.size() >= 2) return;
  static constexpr std::string_view kNodes[] = {"node-a1", "node-a2", "node-b1", "node-b2"};
  const std::string name(kNodes[random_.below(4)]);
  const int code = send(model::delete_request(
      model::object_path(node_objects(), {.namespace_name = "", .name = name}), {}));
  if (code < 300) taken_nodes_.push_back(name);
}

void Actors::bring_nodes_back() {
  for (const std::string& name : std::exchange(taken_nodes_, {})) {
    send(model::create_request(
        collection_of(node_objects()),
        {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", name}}}}));
  }
}

}  // namespace ebb::sim
