#include "sim/actors/decision_forger.h"

#include <fmt/format.h>

#include "model/api/requests.h"
#include "model/records/policy.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using boost::json::object;

constexpr std::string_view kRecordForger = "decision forger";

}  // namespace

void DecisionForger::act() {
  world_.time.after(static_cast<Nanoseconds>(random_.below(8000)) * kMillisecond, [this] {
    if (resting_) return;
    for (std::uint64_t i = random_.below(6); i > 0; --i) forge();
    act();
  });
}

void DecisionForger::forge() {
  if (number_ == 0) {
    const object made{
        {"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", kForgerNamespace}}}};
    world_.request(kRecordForger, model::create_request(
                                      model::collection_path(*model::namespace_kind(), ""), made));
  }
  object record{{"apiVersion", decision_objects().api_version()},
                {"kind", decision_objects().name},
                {"metadata", {{"name", fmt::format("forged-{}", ++number_)}}},
                {"spec", object()}};
  // Records without labels belong to one workload, and the others to several.
  if (random_.chance(0.7)) {
    schema::ensure_object(record, {"metadata", "labels"}) = {
        {model::kDecisionWorkloadKindLabel, "Deployment"},
        {model::kDecisionWorkloadLabel, fmt::format("web{}", random_.below(5))}};
  }
  world_.request(
      kRecordForger,
      model::create_request(model::collection_path(decision_objects(), kForgerNamespace), record));
}

}  // namespace ebb::sim
