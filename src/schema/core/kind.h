// The kinds that ebb's API server serves, and their properties.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/timestamp.h"
#include "schema/core/object_schema.h"

namespace ebb::schema {

// A column of `kubectl get`. As in Kubernetes, the server computes the cells.
struct PrinterColumn {
  std::string_view name{};
  std::string_view type{};    // "string", "integer"
  std::string_view format{};  // "name" for the first column, else empty
  int priority = 0;           // 1: only with -o wide
  std::string_view description{};
  boost::json::value (*cell)(const boost::json::object& object, Timestamp now) = nullptr;
};

// A field that field selectors support, in addition to metadata.name and metadata.namespace.
struct Selectable {
  std::string_view label{};     // as in selectors: status.phase
  std::string_view fallback{};  // the value of an absent field
  std::string_view path{};      // the field's path, if it differs from the label
};

struct Kind {
  std::string_view group{};  // empty: the core group
  std::string_view version{};
  std::string_view name{};    // Deployment
  std::string_view plural{};  // deployments
  std::string_view singular{};
  std::string_view short_names{};  // separated by spaces
  std::string_view categories{};   // separated by spaces
  bool namespaced = true;
  const ObjectSchema* schema = nullptr;

  // Custom kinds do not support strategic merge patches.
  bool custom = false;
  bool has_status = false;  // a /status subresource; the main resource cannot change status
  bool has_scale = false;
  bool has_generation = false;
  // What else a write to /status may change.
  bool status_keeps_labels = false;
  bool status_keeps_annotations = false;
  // A change of annotations increments the generation.
  bool generation_counts_annotations = false;
  // deletecollection is not supported.
  bool deleted_one_by_one = false;
  // An update without a resourceVersion is refused.
  bool needs_revision_to_update = false;

  std::span<const Selectable> selectable{};
  std::span<const PrinterColumn> (*columns)() = nullptr;  // printer_columns.h

  // "apps/v1", "v1"
  [[nodiscard]] std::string api_version() const;
};

// All kinds, core group first.
[[nodiscard]] std::span<const Kind> kinds();

// The kinds of documents sent to subresources. They are not stored.
[[nodiscard]] const Kind& scale_kind();
[[nodiscard]] const Kind& eviction_kind();
[[nodiscard]] const Kind& binding_kind();

// Finds a kind by the parts of a path; nullptr if there is none.
[[nodiscard]] const Kind* find_kind(std::string_view group, std::string_view version,
                                    std::string_view plural);
// Finds a kind by apiVersion and kind; nullptr if there is none.
[[nodiscard]] const Kind* find_kind(std::string_view api_version, std::string_view name);

// The group of an API version: `apps` for apps/v1, empty for v1, which is in the core group.
[[nodiscard]] std::string_view api_group(std::string_view api_version);

}  // namespace ebb::schema
