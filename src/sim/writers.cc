#include "sim/writers.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/requests.h"
#include "schema/json.h"
#include "sim/objects.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

std::string path_of(const schema::Kind& kind, std::string_view name,
                    std::string_view subresource = {}) {
  return model::object_path(
      kind, {.namespace_name = std::string(kNamespace), .name = std::string(name)}, subresource);
}

std::string collection(const schema::Kind& kind) {
  return model::collection_path(kind, kind.namespaced ? kNamespace : std::string_view());
}

}  // namespace

struct Writers::Deed {
  void (Writers::*act)();
  double weight;
};

const std::vector<Writers::Deed>& Writers::deeds() {
  static const std::vector<Deed> kDeeds = {
      {&Writers::scale, 4},
      {&Writers::kill_pod, 2},
      {&Writers::mark_pod, 2},
      {&Writers::relabel_pod, 1},
      {&Writers::add_orphan, 1},
      {&Writers::replace_pod, 1},
      {&Writers::fail_pod, 0.7},
      {&Writers::edit_template, 0.7},
      {&Writers::delete_set, 0.3},
      {&Writers::recreate_set, 0.4},
      {&Writers::scale_owned_set, 0.3},
      {&Writers::pause_or_resume, 0.3},
      {&Writers::roll_back, 0.2},
      {&Writers::take_node, 0.15},
      {&Writers::bring_nodes_back, 0.2},
      {&Writers::take_name, 0.4},
      {&Writers::change_pickers, 1},
      {&Writers::change_ranks, 1},
  };
  return kDeeds;
}

Writers::Writers(World& world, const WritersSettings& settings)
    : world_(world),
      settings_(settings),
      dice_(settings.seed),
      pickers_(world, settings.seed + 1, settings.busy_pickers),
      ranks_(world, settings.seed + 2, settings.ranks) {
  // Not everybody is about in every run.
  for (const Deed& deed : deeds()) {
    weights_.push_back(
        dice_.chance(0.6) ? deed.weight * (0.2 + 0.01 * static_cast<double>(dice_.below(200))) : 0);
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

void Writers::begin() {
  send(model::create_request(fmt::format("/api/v1/namespaces/{}/secrets", kNamespace),
                             secret_object()));
  pickers_.begin(sets_, deployments_);
  ranks_.begin(sets_, deployments_);
  for (const std::string& name : sets_) create_set(name);
  for (const std::string& name : deployments_) create_deployment(name);
}

void Writers::act() {
  if (resting_) return;
  double total = 0;
  for (const double weight : weights_) total += weight;
  double drawn = total * static_cast<double>(dice_.below(1'000'000)) / 1'000'000;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    drawn -= weights_[i];
    if (drawn >= 0) continue;
    (this->*deeds()[i].act)();
    break;
  }
  // Now and then a quick succession.
  const Nanoseconds pause = dice_.chance(0.3) ? kSecond / 5 : 6 * kSecond;
  world_.time.after(static_cast<Nanoseconds>(dice_.below(static_cast<std::uint64_t>(pause))),
                    [this] { act(); });
}

void Writers::rest() {
  resting_ = true;
  bring_nodes_back();
  for (const std::string& name : deployments_) {
    patch(deployments(), name, {{"spec", {{"paused", false}}}});
  }
}

int Writers::send(const model::ApiRequest& request) { return world_.request("user", request).code; }

int Writers::patch(const schema::Kind& kind, std::string_view name, const object& change,
                   std::string_view subresource) {
  return send(model::strategic_patch_request(path_of(kind, name, subresource), change));
}

std::int64_t Writers::some_replicas() {
  // A picker is not asked when all have to go, and nobody looks at ranks.
  const bool scarcely_none = settings_.busy_pickers || (settings_.ranks && dice_.chance(0.9));
  const std::uint64_t least = scarcely_none ? 1 : 0;
  return static_cast<std::int64_t>(
      least + dice_.below(static_cast<std::uint64_t>(settings_.most_replicas) + 1 - least));
}

const PodTruth* Writers::some_pod() {
  std::vector<const PodTruth*> there;
  for (const auto& entry : world_.truth.pods()) {
    if (!entry.second.gone) there.push_back(&entry.second);
  }
  return there.empty() ? nullptr : there[dice_.below(there.size())];
}

const DeploymentTruth* Writers::some_deployment() {
  std::vector<const DeploymentTruth*> there;
  for (const auto& entry : world_.truth.deployments()) {
    if (!entry.second.gone) there.push_back(&entry.second);
  }
  return there.empty() ? nullptr : there[dice_.below(there.size())];
}

std::string Writers::some_app() {
  const std::size_t i = dice_.below(sets_.size() + deployments_.size());
  return i < sets_.size() ? sets_[i] : deployments_[i - sets_.size()];
}

void Writers::create_set(const std::string& name) {
  object set = replica_set_object({.name = name,
                                   .replicas = some_replicas(),
                                   .version = version_,
                                   .min_ready_seconds = dice_.chance(0.2) ? 2 : 0,
                                   .spread = ranks_.wants_spread()});
  pickers_.add_to(set);
  send(model::create_request(collection(replica_sets()), set));
}

void Writers::create_deployment(const std::string& name) {
  object deployment = deployment_object({.name = name,
                                         .replicas = some_replicas(),
                                         .version = version_,
                                         .min_ready_seconds = dice_.chance(0.2) ? 2 : 0,
                                         .recreate = dice_.chance(0.2),
                                         .spread = ranks_.wants_spread()});
  pickers_.add_to(deployment);
  send(model::create_request(collection(deployments()), deployment));
}

void Writers::scale() {
  const std::string app = some_app();
  const bool deployment = std::find(sets_.begin(), sets_.end(), app) == sets_.end();
  const schema::Kind& kind = deployment ? deployments() : replica_sets();
  const object change{{"spec", {{"replicas", some_replicas()}}}};
  send(model::merge_patch_request(path_of(kind, app, dice_.chance(0.5) ? "scale" : ""), change));
}

void Writers::edit_template() {
  // Sometimes back to what was there before, for which there is a ReplicaSet already.
  if (dice_.chance(0.7)) ++version_;
  const int version = 1 + static_cast<int>(dice_.below(static_cast<std::uint64_t>(version_)));
  const object container{{"name", "web"}, {"image", fmt::format("web:{}", version)}};
  const std::string app = some_app();
  const bool deployment = std::find(sets_.begin(), sets_.end(), app) == sets_.end();
  patch(deployment ? deployments() : replica_sets(), app,
        {{"spec", {{"template", {{"spec", {{"containers", array{container}}}}}}}}});
}

void Writers::pause_or_resume() {
  const DeploymentTruth* const one = some_deployment();
  if (one != nullptr) patch(deployments(), one->name, {{"spec", {{"paused", !one->paused}}}});
}

void Writers::roll_back() {
  const DeploymentTruth* const one = some_deployment();
  if (one == nullptr) return;
  patch(deployments(), one->name,
        {{"metadata", {{"annotations", {{"deprecated.deployment.rollback.to", "0"}}}}}});
}

void Writers::kill_pod() {
  const PodTruth* const pod = some_pod();
  if (pod == nullptr) return;
  send(model::delete_request(path_of(pods(), pod->name),
                             {.grace_seconds = dice_.chance(0.3) ? 0 : -1}));
}

void Writers::fail_pod() {
  const PodTruth* const pod = some_pod();
  // The kubelet writes nothing about a pod that is ready.
  if (pod == nullptr || !pod->ready || pod->deleting) return;
  patch(pods(), pod->name, {{"status", {{"phase", "Failed"}, {"reason", "Evicted"}}}}, "status");
}

void Writers::mark_pod() {
  const PodTruth* const pod = some_pod();
  if (pod == nullptr) return;
  object metadata;
  if (dice_.chance(0.5)) {
    metadata["labels"] = object{{"kubernetes.io/prefer-for-scale-down", "true"}};
  } else {
    metadata["annotations"] = object{{"controller.kubernetes.io/pod-deletion-cost",
                                      std::to_string(static_cast<int>(dice_.below(200)) - 100)}};
  }
  patch(pods(), pod->name, {{"metadata", std::move(metadata)}});
}

void Writers::relabel_pod() {
  const PodTruth* const pod = some_pod();
  if (pod == nullptr) return;
  const std::string app = dice_.chance(0.5) ? some_app() : "debug";
  patch(pods(), pod->name, {{"metadata", {{"labels", {{"app", app}}}}}});
}

void Writers::add_orphan() {
  send(model::create_request(collection(pods()), pod_object("", some_app())));
}

// Another pod takes the name of one that is killed.
void Writers::replace_pod() {
  const PodTruth* const pod = some_pod();
  if (pod == nullptr) return;
  const std::string name = pod->name;
  send(model::delete_request(path_of(pods(), name), {.grace_seconds = 0}));
  send(model::create_request(collection(pods()),
                             pod_object(name, dice_.chance(0.5) ? some_app() : "nobody")));
}

void Writers::delete_set() {
  if (sets_.empty()) return;
  static constexpr std::string_view kPolicies[] = {"Background", "Foreground", "Orphan"};
  send(model::delete_request(path_of(replica_sets(), sets_[dice_.below(sets_.size())]),
                             {.propagation = kPolicies[dice_.below(3)]}));
}

// By the same name, at once if the old one is gone at once.
void Writers::recreate_set() {
  if (!sets_.empty()) recreate_set(sets_[dice_.below(sets_.size())]);
}

void Writers::recreate_set(const std::string& name) {
  send(model::delete_request(path_of(replica_sets(), name),
                             {.propagation = dice_.chance(0.5) ? "Background" : "Orphan"}));
  create_set(name);
}

void Writers::happen_meanwhile(Fault fault, const std::string& set_uid) {
  const SetTruth* const set = world_.truth.set(set_uid);
  if (resting_ || set == nullptr || set->gone) return;
  if (fault == Fault::kScaledMeanwhile) return pickers_.scale_up(*set);
  if (fault == Fault::kKilledMeanwhile) return pickers_.kill_some(*set);
  if (fault == Fault::kUnconfiguredMeanwhile) return pickers_.remove_all(*set);
  // Those of a Deployment have names that nobody else can know.
  if (fault == Fault::kRecreatedMeanwhile && set->controller.empty()) {
    recreate_set(std::string(set->name));
  }
}

// Against the will of its Deployment.
void Writers::scale_owned_set() {
  std::vector<const SetTruth*> owned;
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone && !entry.second.controller.empty()) owned.push_back(&entry.second);
  }
  if (owned.empty()) return;
  send(model::merge_patch_request(path_of(replica_sets(), owned[dice_.below(owned.size())]->name),
                                  {{"spec", {{"replicas", some_replicas()}}}}));
}

// A stranger takes the name that a Deployment would give to its next ReplicaSet of an old
// template.
void Writers::take_name() {
  std::vector<const SetTruth*> idle;
  for (const auto& entry : world_.truth.sets()) {
    const SetTruth& set = entry.second;
    if (!set.gone && !set.controller.empty() && set.replicas == 0) idle.push_back(&set);
  }
  if (idle.empty()) return;
  const std::string name = idle[dice_.below(idle.size())]->name;
  send(model::delete_request(path_of(replica_sets(), name), {}));
  boost::json::object stranger = replica_set_object({.name = "stranger", .replicas = 1});
  schema::ensure_object(stranger, {"metadata"})["name"] = name;
  send(model::create_request(collection(replica_sets()), stranger));
}

void Writers::take_node() {
  if (taken_nodes_.size() >= 2) return;
  static constexpr std::string_view kNodes[] = {"node-a1", "node-a2", "node-b1", "node-b2"};
  const std::string name(kNodes[dice_.below(4)]);
  const int code = send(model::delete_request(
      model::object_path(node_objects(), {.namespace_name = "", .name = name}), {}));
  if (code < 300) taken_nodes_.push_back(name);
}

void Writers::bring_nodes_back() {
  for (const std::string& name : std::exchange(taken_nodes_, {})) {
    send(model::create_request(
        collection(node_objects()),
        {{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", name}}}}));
  }
}

}  // namespace ebb::sim
