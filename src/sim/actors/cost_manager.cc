#include "sim/actors/cost_manager.h"

#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "model/api/requests.h"
#include "model/records/pod.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using boost::json::object;

constexpr std::string_view kCostManager = "cost manager";

}  // namespace

void CostManager::act() {
  world_.time.after(static_cast<Nanoseconds>(5000 + random_.below(10'000)) * kMillisecond, [this] {
    if (resting_) return;
    go_over_pods();
    act();
  });
}

// Values are removed from pods on nodes that it does not want to empty.
void CostManager::go_over_pods() {
  const bool removes = random_.chance(0.6);
  const bool forgets_companion = random_.chance(0.2);
  const double share = random_.chance(0.5) ? 1 : 0.5;
  for (const auto& entry : world_.truth.sets()) {
    if (entry.second.gone) continue;
    for (const PodTruth* pod : world_.truth.pods_of(entry.second)) {
      if (!random_.chance(share)) continue;
      object annotations;
      if (removes) {
        annotations[model::kDeletionCostAnnotation] = nullptr;
      } else {
        const auto rank = static_cast<int>(random_.below(9)) - 10;
        annotations[model::kDeletionCostAnnotation] = std::to_string(rank);
      }
      if (forgets_companion) annotations[model::kPublishedCostAnnotation] = nullptr;
      world_.request(kCostManager, model::merge_patch_request(
                                       path_of(pods(), pod->name),
                                       {{"metadata", {{"annotations", std::move(annotations)}}}}));
    }
  }
}

}  // namespace ebb::sim
