#include "control/ranker/group_cost_writes.h"

#include <charconv>
#include <string>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "base/check.h"
#include "model/api/requests.h"
#include "model/json/raw_json.h"
#include "schema/core/kind.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

constexpr std::string_view kManagedBy = "app.kubernetes.io/managed-by";
constexpr std::string_view kRanker = "ebb-ranker";

const schema::Kind& group_cost_kind() {
  static const schema::Kind* const kKind = schema::find_kind("ebb.dev/v1alpha1", "PodGroupCost");
  EBB_CHECK(kKind != nullptr);
  return *kKind;
}

json::object costs_json(const CostChanges& costs) {
  json::object made;
  for (const auto& [pod, cost] : costs) {
    made[pod] = cost ? json::value(*cost) : json::value(nullptr);
  }
  return made;
}

std::string path_of(std::string_view namespace_name, std::string_view name,
                    std::string_view subresource = {}) {
  return model::object_path(
      group_cost_kind(), {.namespace_name = std::string(namespace_name), .name = std::string(name)},
      subresource);
}

// The garbage collector deletes it with the ReplicaSet. No blockOwnerDeletion: that would require
// permissions on the ReplicaSet's finalizers, and nothing has to wait for it.
json::object owner_reference(const ReplicaSet& set) {
  return {{"apiVersion", "apps/v1"},
          {"kind", "ReplicaSet"},
          {"name", set.name.view()},
          {"uid", set.uid.view()}};
}

}  // namespace

bool is_rankers(const GroupCost& cost) { return cost.managed_by == kRanker; }

model::ApiRequest create_group_cost(const ReplicaSet& set, const CostChanges& costs) {
  const json::object body{
      {"apiVersion", group_cost_kind().api_version()},
      {"kind", group_cost_kind().name},
      {"metadata",
       {{"name", set.name.view()},
        {"namespace", set.namespace_name.view()},
        {"labels", json::object{{kManagedBy, kRanker}}},
        {"ownerReferences", json::array{owner_reference(set)}}}},
      {"spec",
       {{"owner", {{"kind", "ReplicaSet"}, {"name", set.name.view()}, {"uid", set.uid.view()}}},
        {"costs", costs_json(costs)}}}};
  return model::create_request(model::collection_path(group_cost_kind(), set.namespace_name.view()),
                               body);
}

model::ApiRequest patch_group_cost(const GroupCost& cost, const CostChanges& changes) {
  const json::object body{{"metadata", {{"uid", cost.uid}}},
                          {"spec", {{"costs", costs_json(changes)}}}};
  return model::merge_patch_request(path_of(cost.namespace_name.view(), cost.name.view()), body);
}

model::ApiRequest patch_group_cost_status(std::string_view namespace_name, std::string_view name,
                                          model::Revision revision, const GroupCostStatus& status) {
  json::object metadata;
  if (revision != 0) metadata["resourceVersion"] = std::to_string(revision);
  const json::object body{{"metadata", std::move(metadata)},
                          {"status",
                           {{"podSetHash", status.pod_set_hash},
                            {"recompute", status.recompute},
                            {"observedGeneration", status.generation}}}};
  return model::merge_patch_request(path_of(namespace_name, name, "status"), body);
}

model::ApiRequest delete_group_cost(const GroupCost& cost) {
  return model::delete_request(path_of(cost.namespace_name.view(), cost.name.view()),
                               {.uid = cost.uid});
}

std::int64_t generation_of(const Answer& answer) {
  const std::string body = answer.response.body.str();
  const std::string_view text =
      model::raw_member(model::raw_member(body, "metadata"), "generation");
  std::int64_t generation = 0;
  std::from_chars(text.data(), text.data() + text.size(), generation);
  return generation;
}

}  // namespace ebb::control
