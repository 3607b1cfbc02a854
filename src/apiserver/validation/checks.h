// The validation rules that the schema table cannot express, one function each. validate.cc has the
// table of rules per kind.
#pragma once

#include <cstdint>
#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/validation/field_errors.h"
#include "model/records/feature_gates.h"
#include "schema/core/field_path.h"
#include "schema/core/kind.h"
#include "schema/core/name_rules.h"
#include "schema/core/object_schema.h"

namespace ebb::apiserver {

using schema::FieldPath;

inline constexpr FieldPath kMetadata{.name = "metadata"};
inline constexpr FieldPath kSpec{.name = "spec"};
inline constexpr std::int64_t kHighestPort = 65535;

// An object to be stored, and the one that it replaces (nullptr on create).
struct Write {
  const schema::Kind& kind;
  const boost::json::object& object;
  const boost::json::object* old = nullptr;
  model::FeatureGates gates{};

  // The spec, or an empty object.
  [[nodiscard]] const boost::json::object& spec() const;
  // The old object's spec; nullptr on create.
  [[nodiscard]] const boost::json::object* old_spec() const;
};

using NameRule = schema::ErrorMessages (*)(std::string_view name);

// Checks a structure and everything below it against the schema table: required fields, choices,
// bounds, formats, and label selectors. Leaves out the field `skipped`.
void check_schema(const schema::ObjectSchema& schema, const boost::json::object& object,
                  const FieldPath& path, FieldErrors& errors, std::string_view skipped = {});

void check_metadata(const Write& write, NameRule name_rule, FieldErrors& errors);

// Parts that several kinds share. Labels and annotations may be absent (nullptr).
void check_labels(const boost::json::object* labels, const FieldPath& path, FieldErrors& errors);
void check_annotations(const boost::json::object* annotations, const FieldPath& path,
                       FieldErrors& errors);
// `old` are the annotations that an update replaces, nullptr on create: a value that was invalid
// before may stay. While the gate of deletion costs is off, they are not checked.
void check_deletion_cost(const boost::json::object* annotations, const boost::json::object* old,
                         const model::FeatureGates& gates, const FieldPath& path,
                         FieldErrors& errors);
void check_label_selector(const boost::json::object& selector, const FieldPath& path,
                          FieldErrors& errors);
[[nodiscard]] bool selector_matches(const boost::json::object& selector,
                                    const boost::json::object* labels);
void check_pod_spec(const boost::json::object& spec, const FieldPath& path, FieldErrors& errors);
void check_container_resources(const boost::json::object& resources, const FieldPath& path,
                               FieldErrors& errors);
void check_picker(const boost::json::object& picker, const FieldPath& path, FieldErrors& errors);
void check_webhook_client(const boost::json::object& client, const FieldPath& path,
                          FieldErrors& errors);
void check_ranking(const boost::json::object& ranking, const FieldPath& path, FieldErrors& errors);

// The kinds.
void check_pod(const Write& write, FieldErrors& errors);
void check_pod_update(const Write& write, FieldErrors& errors);
void check_node(const Write& write, FieldErrors& errors);
void check_namespace(const Write& write, FieldErrors& errors);
void check_secret(const Write& write, FieldErrors& errors);
void check_config_map(const Write& write, FieldErrors& errors);
void check_event(const Write& write, FieldErrors& errors);
void check_service(const Write& write, FieldErrors& errors);
void check_lease(const Write& write, FieldErrors& errors);
void check_replica_set(const Write& write, FieldErrors& errors);
void check_deployment(const Write& write, FieldErrors& errors);
void check_webhook_configuration(const Write& write, FieldErrors& errors);
void check_policy(const Write& write, FieldErrors& errors);
void check_pod_group_cost(const Write& write, FieldErrors& errors);

// The status of the kinds.
void check_pod_status(const Write& write, FieldErrors& errors);
void check_replica_set_status(const Write& write, FieldErrors& errors);
void check_deployment_status(const Write& write, FieldErrors& errors);

}  // namespace ebb::apiserver
