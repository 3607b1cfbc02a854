// Fuzzes pods and nodes as tenants could write them, read by the hollow scheduler and kubelet.
// Amounts and times stay in their ranges, and the next step of a pod is never in the past.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "base/check.h"
#include "hollow/demand.h"
#include "hollow/pod_lifecycle.h"
#include "hollow/pod_script.h"
#include "hollow/requirement.h"
#include "hollow/resources.h"
#include "hollow/settings.h"
#include "hollow/taints.h"
#include "input.h"

namespace {

namespace json = boost::json;

const ebb::Timestamp kNow = ebb::Timestamp::from_seconds(1'700'000'000);

void check_demand(const json::object& pod) {
  const ebb::hollow::PodDemand demand = ebb::hollow::read_demand(pod);
  EBB_CHECK(demand.cpu_milli >= 0 && demand.memory_bytes >= 0);
  for (const auto& [name, amount] : demand.other_resources) EBB_CHECK(amount >= 0);
  EBB_CHECK(ebb::hollow::read_demand(pod) == demand);
  const ebb::hollow::Labels labels{{"app", "web"}, {"tier", "5"}};
  for (const auto& term : demand.node_terms) (void)term.selects("node-a1", labels);
  for (const auto& term : demand.anti_affinity) (void)term.selects("shop", labels);
  ebb::hollow::Resources sum = demand.requests();
  sum += demand.requests();
  sum.raise_to(demand.requests());
}

void check_life(const json::object& pod) {
  const ebb::hollow::PodPlan plan = ebb::hollow::read_plan(pod);
  for (const std::string& complaint : plan.complaints) EBB_CHECK(ebb::fuzz::is_text(complaint));
  const ebb::hollow::Settings settings;
  ebb::hollow::PodLifecycle life = ebb::hollow::accept_pod(plan, kNow);
  ebb::Timestamp now = kNow;
  for (int step = 0; step < 4; ++step) {
    const ebb::Timestamp next = ebb::hollow::next_step_at(life, plan, settings, 7);
    if (next.is_zero()) break;
    EBB_CHECK(next >= now);
    now = next;
    ebb::hollow::take_step(life, plan, settings, 7, now);
    const json::object status = ebb::hollow::status_of(life, plan, {}, "7f3a");
    EBB_CHECK(ebb::fuzz::is_text(json::serialize(status)));
  }
  if (const auto resumed = ebb::hollow::resume_pod(pod)) {
    (void)ebb::hollow::next_step_at(*resumed, plan, settings, 7);
    (void)ebb::hollow::status_of(*resumed, plan, {}, "7f3a");
  }
}

void check_taints(const json::object& object) {
  const auto taints = ebb::hollow::read_taints(object);
  const auto tolerations = ebb::hollow::read_tolerations(object);
  const ebb::Timestamp leaves = ebb::hollow::eviction_time(taints, tolerations, kNow);
  EBB_CHECK(leaves.is_zero() || !taints.empty());
  for (const auto& taint : taints) (void)ebb::hollow::tolerated(taint, tolerations);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto value = ebb::fuzz::parse_plainly(ebb::fuzz::as_text(data, size));
  if (!value || !value->is_object()) return 0;
  const json::object& object = value->get_object();
  check_demand(object);
  check_life(object);
  check_taints(object);
  const auto resources = ebb::hollow::read_resources(&object);
  EBB_CHECK(resources.cpu_milli >= 0 && resources.memory_bytes >= 0 && resources.pods >= 0);
  return 0;
}
