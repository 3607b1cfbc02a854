#include "apiserver/validation/validate.h"

#include <algorithm>
#include <iterator>

#include "apiserver/validation/checks.h"
#include "apiserver/validation/field_order.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

using schema::dns_label_errors;
using schema::dns_subdomain_errors;
using schema::path_segment_errors;

using Check = void (*)(const Write& write, FieldErrors& errors);

struct Rules {
  std::string_view kind{};
  NameRule name = dns_subdomain_errors;
  Check object = nullptr;
  Check status = nullptr;
};

constexpr Rules kRules[] = {
    {.kind = "Pod", .object = check_pod, .status = check_pod_status},
    {.kind = "ReplicaSet", .object = check_replica_set, .status = check_replica_set_status},
    {.kind = "Deployment", .object = check_deployment, .status = check_deployment_status},
    {.kind = "Node", .object = check_node},
    {.kind = "Namespace", .name = dns_label_errors, .object = check_namespace},
    {.kind = "Secret", .object = check_secret},
    {.kind = "ConfigMap", .object = check_config_map},
    {.kind = "Event", .name = path_segment_errors, .object = check_event},
    {.kind = "Service", .name = dns_label_errors, .object = check_service},
    {.kind = "Lease", .object = check_lease},
    {.kind = "MutatingWebhookConfiguration", .object = check_webhook_configuration},
    {.kind = "ValidatingWebhookConfiguration", .object = check_webhook_configuration},
    {.kind = "DownscalePolicy", .object = check_policy},
    {.kind = "PodGroupCost", .object = check_pod_group_cost},
};

// Kinds without their own rules use the default rule for names.
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
  FieldErrors errors;
  check_metadata(write, rules.name, errors);
  // If the kind has a /status subresource, this write does not change the status.
  check_schema(*kind.schema, object, FieldPath(), errors, kind.has_status ? "status" : "");
  if (rules.object != nullptr) rules.object(write, errors);
  return in_field_order(*kind.schema, errors.take());
}

std::vector<model::StatusCause> validate_status(const schema::Kind& kind,
                                                const json::object& object, const json::object& old,
                                                const model::FeatureGates& gates) {
  const Write write{kind, object, &old, gates};
  const Rules& rules = rules_of(kind);
  FieldErrors errors;
  // A write to /status can also change labels and annotations.
  check_metadata(write, rules.name, errors);
  const schema::Field* field = kind.schema->find("status");
  const json::object* status = schema::object_at(object, {"status"});
  if (field != nullptr && field->schema != nullptr && status != nullptr) {
    check_schema(*field->schema, *status, FieldPath{.name = "status"}, errors);
  }
  if (rules.status != nullptr) rules.status(write, errors);
  return in_field_order(*kind.schema, errors.take());
}

}  // namespace ebb::apiserver
