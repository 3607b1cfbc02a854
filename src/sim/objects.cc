#include "sim/objects.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "sim/invariants.h"

namespace ebb::sim {
namespace {

using boost::json::array;
using boost::json::object;

const schema::Kind& served(std::string_view api_version, std::string_view name) {
  const schema::Kind* const kind = schema::find_kind(api_version, name);
  EBB_CHECK(kind != nullptr);
  return *kind;
}

object pod_spec(int version) {
  return {{"terminationGracePeriodSeconds", 5},
          {"containers",
           array{object{{"name", "web"},
                        {"image", fmt::format("web:{}", version)},
                        {"env", array{object{{"name", "PASSWORD"}, {"value", kSecret}}}}}}}};
}

object workload_spec(const WorkloadWish& wish) {
  object spec{
      {"replicas", wish.replicas},
      {"selector", {{"matchLabels", {{"app", wish.name}}}}},
      {"template",
       {{"metadata", {{"labels", {{"app", wish.name}}}}}, {"spec", pod_spec(wish.version)}}}};
  if (wish.min_ready_seconds > 0) spec["minReadySeconds"] = wish.min_ready_seconds;
  return spec;
}

}  // namespace

const schema::Kind& pods() {
  static const schema::Kind& kind = served("v1", "Pod");
  return kind;
}
const schema::Kind& replica_sets() {
  static const schema::Kind& kind = served("apps/v1", "ReplicaSet");
  return kind;
}
const schema::Kind& deployments() {
  static const schema::Kind& kind = served("apps/v1", "Deployment");
  return kind;
}
const schema::Kind& node_objects() {
  static const schema::Kind& kind = served("v1", "Node");
  return kind;
}

object replica_set_object(const WorkloadWish& wish) {
  return {{"apiVersion", "apps/v1"},
          {"kind", "ReplicaSet"},
          {"metadata", {{"name", wish.name}}},
          {"spec", workload_spec(wish)}};
}

object deployment_object(const WorkloadWish& wish) {
  object spec = workload_spec(wish);
  if (wish.recreate) spec["strategy"] = object{{"type", "Recreate"}};
  return {{"apiVersion", "apps/v1"},
          {"kind", "Deployment"},
          {"metadata", {{"name", wish.name}}},
          {"spec", std::move(spec)}};
}

object pod_object(std::string_view name, std::string_view app) {
  object metadata{{"labels", {{"app", app}}}};
  if (name.empty()) {
    metadata["generateName"] = fmt::format("{}-stray-", app);
  } else {
    metadata["name"] = name;
  }
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", std::move(metadata)},
          {"spec", pod_spec(1)}};
}

object secret_object() {
  return {{"apiVersion", "v1"},
          {"kind", "Secret"},
          {"metadata", {{"name", "password"}}},
          {"stringData", {{"password", kSecret}}}};
}

object read_object(std::string_view text) {
  boost::json::error_code error;
  boost::json::value value = boost::json::parse(text, error);
  if (error || !value.is_object()) return {};
  return std::move(value.get_object());
}

}  // namespace ebb::sim
