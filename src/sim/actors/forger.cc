#include "sim/actors/forger.h"

#include <utility>

#include <fmt/format.h>

#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

// More forgeries would make runs slow.
constexpr std::size_t kMaxForgeries = 8;

}  // namespace

void Forger::act() {
  if (made_.size() >= kMaxForgeries || (!made_.empty() && random_.chance(0.2))) return take_back();
  if (random_.chance(0.6)) return forge_pod();
  forge_set();
}

void Forger::rest() {
  for (std::size_t left = made_.size(); left > 0; --left) {
    if (random_.chance(0.3)) take_back();
  }
}

// Either the reference is right and the namespace is wrong, or vice versa.
std::optional<Forger::Forgery> Forger::some_forgery() {
  struct Victim {
    std::string kind;
    std::string name;
    std::string uid;
    std::string app;
  };
  std::vector<Victim> victims;
  for (const auto& [uid, set] : world_.truth.sets()) {
    if (set.gone || set.forged || set.namespace_name != kNamespace) continue;
    const auto app = set.selector.find("app");
    victims.push_back(
        {"ReplicaSet", set.name, uid, app == set.selector.end() ? set.name : app->second});
  }
  for (const auto& [uid, deployment] : world_.truth.deployments()) {
    if (!deployment.gone) victims.push_back({"Deployment", deployment.name, uid, deployment.name});
  }
  if (victims.empty()) return std::nullopt;
  Victim victim = victims[random_.below(victims.size())];
  std::string namespace_name(kNamespace);
  switch (random_.below(6)) {
    case 0:
      victim.kind = victim.kind == "Deployment" ? "ReplicaSet" : "Deployment";
      break;
    case 1:
      victim.kind = "StatefulSet";
      break;
    case 2:
      victim.name += "-not";
      break;
    default:
      namespace_name = kForgerNamespace;
  }
  return Forgery{.namespace_name = std::move(namespace_name),
                 .app = victim.app,
                 .reference = {{"apiVersion", "apps/v1"},
                               {"kind", victim.kind},
                               {"name", victim.name},
                               {"uid", victim.uid},
                               {"controller", true},
                               {"blockOwnerDeletion", random_.chance(0.5)}}};
}

void Forger::create(const schema::Kind& kind, const Forgery& forgery, object content) {
  if (!std::exchange(has_namespace_, true)) {
    world_.request("forger", model::create_request("/api/v1/namespaces",
                                                   {{"apiVersion", "v1"},
                                                    {"kind", "Namespace"},
                                                    {"metadata", {{"name", kForgerNamespace}}}}));
  }
  const std::string name = fmt::format("forged-{}", ++number_);
  object& metadata = schema::ensure_object(content, {"metadata"});
  metadata["name"] = name;
  metadata["labels"] = object{{"app", forgery.app}};
  metadata["ownerReferences"] = array{forgery.reference};
  if (random_.chance(0.7)) metadata["finalizers"] = array{"forger.example/stay"};
  const model::ApiResponse response = world_.request(
      "forger",
      model::create_request(model::collection_path(kind, forgery.namespace_name), content));
  // A real API server accepts all of them.
  if (response.code != 201) {
    world_.invariants.violate("forger", fmt::format("{} {}/{} was refused with {}", kind.name,
                                                    forgery.namespace_name, name, response.code));
  }
  made_.push_back({&kind, {.namespace_name = forgery.namespace_name, .name = name}});
}

void Forger::forge_pod() {
  if (const auto forgery = some_forgery()) create(pods(), *forgery, pod_object("x", forgery->app));
}

// In the victim's namespace it selects its own pods; otherwise it would adopt orphans.
void Forger::forge_set() {
  const auto forgery = some_forgery();
  if (!forgery) return;
  const bool elsewhere = forgery->namespace_name != kNamespace;
  const std::string app = elsewhere ? forgery->app : "forged";
  create(replica_sets(), *forgery,
         replica_set_object(
             {.name = app, .replicas = static_cast<std::int64_t>(1 + random_.below(2))}));
}

void Forger::take_back() {
  if (made_.empty()) return;
  const std::size_t i = random_.below(made_.size());
  const std::string path = model::object_path(*made_[i].kind, made_[i].name);
  world_.request("forger",
                 model::merge_patch_request(path, {{"metadata", {{"finalizers", nullptr}}}}));
  world_.request("forger", model::delete_request(path, {}));
  made_.erase(made_.begin() + static_cast<std::ptrdiff_t>(i));
}

}  // namespace ebb::sim
