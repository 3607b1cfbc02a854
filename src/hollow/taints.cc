#include "hollow/taints.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::hollow {

using schema::array_at;
using schema::text_at;

bool Toleration::tolerates(const Taint& taint) const {
  if (!effect.empty() && effect != taint.effect) return false;
  if (!key.empty() && key != taint.key) return false;
  if (exists) return true;
  return !key.empty() && value == taint.value;
}

std::vector<Taint> read_taints(const boost::json::object& node) {
  std::vector<Taint> taints;
  const boost::json::array* entries = array_at(node, {"spec", "taints"});
  if (entries == nullptr) return taints;
  for (const boost::json::value& entry : *entries) {
    const boost::json::object* taint = entry.if_object();
    if (taint == nullptr) continue;
    taints.push_back({.key = std::string(text_at(*taint, {"key"})),
                      .value = std::string(text_at(*taint, {"value"})),
                      .effect = std::string(text_at(*taint, {"effect"})),
                      .added = model::time_at(*taint, {"timeAdded"})});
  }
  return taints;
}

std::vector<Toleration> read_tolerations(const boost::json::object& pod) {
  std::vector<Toleration> tolerations;
  const boost::json::array* entries = array_at(pod, {"spec", "tolerations"});
  if (entries == nullptr) return tolerations;
  for (const boost::json::value& entry : *entries) {
    const boost::json::object* toleration = entry.if_object();
    if (toleration == nullptr) continue;
    tolerations.push_back({.key = std::string(text_at(*toleration, {"key"})),
                           .exists = text_at(*toleration, {"operator"}) == "Exists",
                           .value = std::string(text_at(*toleration, {"value"})),
                           .effect = std::string(text_at(*toleration, {"effect"})),
                           .seconds = schema::integer_at(*toleration, {"tolerationSeconds"})});
  }
  return tolerations;
}

bool tolerated(const Taint& taint, std::span<const Toleration> tolerations) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const Toleration& each) { return each.tolerates(taint); });
}

Timestamp eviction_time(std::span<const Taint> taints, std::span<const Toleration> tolerations,
                        Timestamp since) {
  Timestamp soonest;
  for (const Taint& taint : taints) {
    if (taint.effect != "NoExecute") continue;
    const Timestamp start = std::max(taint.added, since);
    if (!tolerated(taint, tolerations)) return start;
    // If several tolerations match, the shortest one counts, as in Kubernetes.
    for (const Toleration& toleration : tolerations) {
      if (!toleration.tolerates(taint) || !toleration.seconds.has_value()) continue;
      const std::int64_t seconds =
          std::clamp<std::int64_t>(*toleration.seconds, 0, 100L * 365 * 24 * 3600);
      soonest = sooner(soonest, later_by(start, seconds * kNanosecondsPerSecond));
    }
  }
  return soonest;
}

std::string describe(const Taint& taint) {
  return fmt::format("{{{}: {}}}", taint.key, taint.value);
}

}  // namespace ebb::hollow
