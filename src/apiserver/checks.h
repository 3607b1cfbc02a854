// The rules for objects that the schema table cannot say, one function each. validate.cc
// has the table of which kind follows which.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>

#include "apiserver/findings.h"
#include "model/feature_gates.h"
#include "schema/field_path.h"
#include "schema/kind.h"
#include "schema/name_rules.h"
#include "schema/shape.h"

namespace ebb::apiserver {

using schema::FieldPath;

// An object that somebody wants to store, and what it replaces (nullptr on create).
struct Write {
  const schema::Kind& kind;
  const boost::json::object& object;
  const boost::json::object* old = nullptr;
  model::FeatureGates gates{};

  // spec, or an empty object.
  [[nodiscard]] const boost::json::object& spec() const;
  // The old one's spec; nullptr on create.
  [[nodiscard]] const boost::json::object* old_spec() const;
};

using NameRule = schema::Complaints (*)(std::string_view name);

// What the table says of a structure and everything below: required fields, choices, bounds,
// formats, and label selectors. Leaves out the field `skipped`.
void check_shape(const schema::Shape& shape, const boost::json::object& object,
                 const FieldPath& path, Findings& findings, std::string_view skipped = {});

void check_metadata(const Write& write, NameRule name_rule, Findings& findings);

// Parts that several kinds have. Labels and annotations may be absent (nullptr).
void check_labels(const boost::json::object* labels, const FieldPath& path, Findings& findings);
void check_annotations(const boost::json::object* annotations, const FieldPath& path,
                       Findings& findings);
// `old` is nullptr on create, and the annotations that are replaced on update: what was
// invalid before may stay so. While the gate of deletion costs is off, they mean nothing and are
// not looked at.
void check_deletion_cost(const boost::json::object* annotations, const boost::json::object* old,
                         const model::FeatureGates& gates, const FieldPath& path,
                         Findings& findings);
void check_label_selector(const boost::json::object& selector, const FieldPath& path,
                          Findings& findings);
[[nodiscard]] bool selector_matches(const boost::json::object& selector,
                                    const boost::json::object* labels);
void check_pod_spec(const boost::json::object& spec, const FieldPath& path, Findings& findings);
void check_container_resources(const boost::json::object& resources, const FieldPath& path,
                               Findings& findings);
void check_picker(const boost::json::object& picker, const FieldPath& path, Findings& findings);
void check_webhook_client(const boost::json::object& client, const FieldPath& path,
                          Findings& findings);
void check_ranking(const boost::json::object& ranking, const FieldPath& path, Findings& findings);

// The kinds.
void check_pod(const Write& write, Findings& findings);
void check_pod_update(const Write& write, Findings& findings);
void check_node(const Write& write, Findings& findings);
void check_namespace(const Write& write, Findings& findings);
void check_secret(const Write& write, Findings& findings);
void check_config_map(const Write& write, Findings& findings);
void check_event(const Write& write, Findings& findings);
void check_service(const Write& write, Findings& findings);
void check_lease(const Write& write, Findings& findings);
void check_replica_set(const Write& write, Findings& findings);
void check_deployment(const Write& write, Findings& findings);
void check_webhook_configuration(const Write& write, Findings& findings);
void check_policy(const Write& write, Findings& findings);
void check_pod_group_cost(const Write& write, Findings& findings);

// Their status.
void check_pod_status(const Write& write, Findings& findings);
void check_replica_set_status(const Write& write, Findings& findings);
void check_deployment_status(const Write& write, Findings& findings);

}  // namespace ebb::apiserver
