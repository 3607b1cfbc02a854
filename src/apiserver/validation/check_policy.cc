// Validates the kinds of ebb.dev: DownscalePolicies and PodGroupCosts.
#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::object_at;

void check_policy(const Write& write, FieldErrors& errors) {
  const json::object& spec = write.spec();
  const json::object* picker = object_at(spec, {"podPicker"});
  const json::object* ranking = object_at(spec, {"ranking"});
  if (picker == nullptr && ranking == nullptr && write.object.contains("spec")) {
    errors.required("spec", "at least one of `podPicker` and `ranking` must be specified");
  }
  if (picker != nullptr) {
    check_picker(*picker, FieldPath{.parent = &kSpec, .name = "podPicker"}, errors);
  }
  if (ranking != nullptr) {
    check_ranking(*ranking, FieldPath{.parent = &kSpec, .name = "ranking"}, errors);
  }
}

void check_pod_group_cost(const Write& write, FieldErrors& errors) {
  const json::object* costs = object_at(write.spec(), {"costs"});
  if (costs == nullptr) return;
  const FieldPath path{.parent = &kSpec, .name = "costs"};
  for (const auto& cost : *costs) {
    const std::string_view pod = cost.key();
    for (const std::string& complaint : schema::dns_subdomain_errors(pod)) {
      errors.invalid(keyed(path, pod), quoted(pod), complaint);
    }
  }
}

}  // namespace ebb::apiserver
