// The kinds of ebb.dev: DownscalePolicies and PodGroupCosts.
#include "apiserver/checks.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::object_at;

namespace {

constexpr FieldPath kSpec{.name = "spec"};

}  // namespace

void check_policy(const Write& write, Findings& findings) {
  const json::object& spec = write.spec();
  const json::object* picker = object_at(spec, {"podPicker"});
  const json::object* ranking = object_at(spec, {"ranking"});
  if (picker == nullptr && ranking == nullptr && write.object.contains("spec")) {
    findings.required("spec", "at least one of `podPicker` and `ranking` must be specified");
  }
  if (picker != nullptr) {
    check_picker(*picker, FieldPath{.parent = &kSpec, .name = "podPicker"}, findings);
  }
  if (ranking != nullptr) {
    check_ranking(*ranking, FieldPath{.parent = &kSpec, .name = "ranking"}, findings);
  }
}

void check_pod_group_cost(const Write& write, Findings& findings) {
  const json::object* costs = object_at(write.spec(), {"costs"});
  if (costs == nullptr) return;
  const FieldPath path{.parent = &kSpec, .name = "costs"};
  for (const auto& cost : *costs) {
    const std::string_view pod = cost.key();
    for (const std::string& complaint : schema::dns_subdomain_complaints(pod)) {
      findings.invalid(keyed(path, pod), quoted(pod), complaint);
    }
  }
}

}  // namespace ebb::apiserver
