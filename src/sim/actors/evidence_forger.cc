#include "sim/actors/evidence_forger.h"

#include <vector>

#include <fmt/format.h>

#include "control/guard/canary.h"
#include "model/api/requests.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

constexpr std::string_view kWho = "evidence forger";

}  // namespace

void EvidenceForger::act() {
  world_.time.after(static_cast<Nanoseconds>(random_.below(8000)) * kMillisecond, [this] {
    if (resting_) return;
    forge();
    act();
  });
}

void EvidenceForger::forge() {
  std::vector<const SetTruth*> sets;
  for (const auto& entry : world_.truth.sets()) {
    if (!entry.second.gone && entry.second.namespace_name == kNamespace)
      sets.push_back(&entry.second);
  }
  if (sets.empty() || random_.chance(0.1)) return forge_canary();
  const SetTruth& set = *sets[random_.below(sets.size())];
  random_.chance(0.5) ? forge_pod(set) : forge_status(set);
}

void EvidenceForger::forge_pod(const SetTruth& set) {
  // The ReplicaSet either selects the pod or has to release it.
  const auto app = set.selector.find("app");
  const bool selected = app != set.selector.end() && random_.chance(0.7);
  object pod = pod_object("", selected ? app->second : "nobody");
  schema::ensure_object(pod, {"metadata"})["ownerReferences"] = array{{{"apiVersion", "apps/v1"},
                                                                       {"kind", "ReplicaSet"},
                                                                       {"name", set.name},
                                                                       {"uid", set.uid},
                                                                       {"controller", true}}};
  world_.request(kWho, model::create_request(model::collection_path(pods(), kNamespace), pod));
}

void EvidenceForger::forge_status(const SetTruth& set) {
  // An observed generation from the future would remain until that generation exists.
  const auto observed = random_.below(static_cast<std::uint64_t>(set.generation) + 1);
  const object change{{"status",
                       {{"replicas", static_cast<std::int64_t>(random_.below(9))},
                        {"fullyLabeledReplicas", 0},
                        {"readyReplicas", 0},
                        {"availableReplicas", 0},
                        {"observedGeneration", static_cast<std::int64_t>(observed)}}}};
  const std::string path = model::object_path(
      replica_sets(), {.namespace_name = set.namespace_name, .name = set.name}, "status");
  world_.request(kWho, model::merge_patch_request(path, change));
}

void EvidenceForger::forge_canary() {
  object set = replica_set_object({.name = fmt::format("canary{}", ++canaries_), .replicas = 0});
  schema::ensure_object(set, {"metadata", "labels"})[control::kCanaryLabel] = "replicaset";
  world_.request(kWho,
                 model::create_request(model::collection_path(replica_sets(), kNamespace), set));
}

}  // namespace ebb::sim
