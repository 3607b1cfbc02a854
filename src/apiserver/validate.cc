#include "apiserver/validate.h"

#include <algorithm>
#include <iterator>

#include "apiserver/checks.h"
#include "apiserver/field_order.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

using schema::dns_label_complaints;
using schema::dns_subdomain_complaints;
using schema::path_segment_complaints;

using Check = void (*)(const Write& write, Findings& findings);

struct Rules {
  std::string_view kind{};
  NameRule name = dns_subdomain_complaints;
  Check object = nullptr;
  Check status = nullptr;
};

constexpr Rules kRules[] = {
    {.kind = "Pod", .object = check_pod, .status = check_pod_status},
    {.kind = "ReplicaSet", .object = check_replica_set, .status = check_replica_set_status},
    {.kind = "Deployment", .object = check_deployment, .status = check_deployment_status},
    {.kind = "Node", .object = check_node},
    {.kind = "Namespace", .name = dns_label_complaints, .object = check_namespace},
    {.kind = "Secret", .object = check_secret},
    {.kind = "ConfigMap", .object = check_config_map},
    {.kind = "Event", .name = path_segment_complaints, .object = check_event},
    {.kind = "Service", .name = dns_label_complaints, .object = check_service},
    {.kind = "Lease", .object = check_lease},
    {.kind = "MutatingWebhookConfiguration", .object = check_webhook_configuration},
    {.kind = "ValidatingWebhookConfiguration", .object = check_webhook_configuration},
    {.kind = "DownscalePolicy", .object = check_policy},
    {.kind = "PodGroupCost", .object = check_pod_group_cost},
};

// Kinds without rules of their own have names like most.
const Rules& rules_of(const schema::Kind& kind) {
  static constexpr Rules kOrdinary{};
  const auto* const found =
      std::find_if(std::begin(kRules), std::end(kRules),
                   [&](const Rules& rules) { return rules.kind == kind.name; });
  return found == std::end(kRules) ? kOrdinary : *found;
}

const json::object& spec_of(const json::object& object) {
  static const json::object kEmpty;
  const json::object* spec = schema::object_at(object, {"spec"});
  return spec == nullptr ? kEmpty : *spec;
}

}  // namespace

const json::object& Write::spec() const { return spec_of(object); }

const json::object* Write::old_spec() const { return old == nullptr ? nullptr : &spec_of(*old); }

std::vector<model::StatusCause> validate(const schema::Kind& kind, const json::object& object,
                                         const json::object* old,
                                         const model::FeatureGates& gates) {
  const Write write{kind, object, old, gates};
  const Rules& rules = rules_of(kind);
  Findings findings;
  check_metadata(write, rules.name, findings);
  // A status of its own is not written this way, so it is what it was.
  check_shape(*kind.shape, object, FieldPath(), findings, kind.has_status ? "status" : "");
  if (rules.object != nullptr) rules.object(write, findings);
  return in_field_order(*kind.shape, findings.take());
}

std::vector<model::StatusCause> validate_status(const schema::Kind& kind,
                                                const json::object& object, const json::object& old,
                                                const model::FeatureGates& gates) {
  const Write write{kind, object, &old, gates};
  const Rules& rules = rules_of(kind);
  Findings findings;
  // Labels and annotations can come with a status, too.
  check_metadata(write, rules.name, findings);
  const schema::Field* field = kind.shape->find("status");
  const json::object* status = schema::object_at(object, {"status"});
  if (field != nullptr && field->shape != nullptr && status != nullptr) {
    check_shape(*field->shape, *status, FieldPath{.name = "status"}, findings);
  }
  if (rules.status != nullptr) rules.status(write, findings);
  return in_field_order(*kind.shape, findings.take());
}

}  // namespace ebb::apiserver
