// The kinds that an API server of ours serves, and what is particular about each.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/timestamp.h"
#include "schema/shape.h"

namespace ebb::schema {

// A column of `kubectl get`. Kubernetes computes cells on the server.
struct Column {
  std::string_view name{};
  std::string_view type{};    // "string", "integer"
  std::string_view format{};  // "name" for the first column, else empty
  int priority = 0;           // 1: only with -o wide
  std::string_view description{};
  boost::json::value (*cell)(const boost::json::object& object, Timestamp now) = nullptr;
};

// A field that field selectors may name beside metadata.name and metadata.namespace.
struct Selectable {
  std::string_view label{};     // as selectors write it: status.phase
  std::string_view fallback{};  // what an absent field counts as
  std::string_view path{};      // where the field is, if the label is another name for it
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
  const Shape* shape = nullptr;

  // Custom kinds know no strategic merge patch.
  bool custom = false;
  bool has_status = false;  // a /status subresource, and status isolated from the main one
  bool has_scale = false;
  bool has_generation = false;
  // What a write to /status may change beside status.
  bool status_keeps_labels = false;
  bool status_keeps_annotations = false;
  // Annotations count as a change of what is wanted.
  bool generation_counts_annotations = false;
  // Not all objects at once.
  bool deleted_one_by_one = false;
  // An update without a resourceVersion is refused.
  bool needs_revision_to_update = false;

  std::span<const Selectable> selectable{};
  std::span<const Column> (*columns)() = nullptr;  // columns.h

  // "apps/v1", "v1"
  [[nodiscard]] std::string api_version() const;
};

// All of them, core group first.
[[nodiscard]] std::span<const Kind> kinds();

// What goes over the wire to subresources. These are not stored.
[[nodiscard]] const Kind& scale_kind();
[[nodiscard]] const Kind& eviction_kind();
[[nodiscard]] const Kind& binding_kind();

// By the words of a path; nullptr if there is none.
[[nodiscard]] const Kind* find_kind(std::string_view group, std::string_view version,
                                    std::string_view plural);
// By apiVersion and kind as objects carry them; nullptr if there is none.
[[nodiscard]] const Kind* find_kind(std::string_view api_version, std::string_view name);

}  // namespace ebb::schema
