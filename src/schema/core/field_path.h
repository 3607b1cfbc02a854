// The path of a value in a document, during a walk down to it.
//
// Steps live on the stack of the walk and point upwards, so a path costs nothing unless its text is
// needed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ebb::schema {

struct FieldPath {
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

  const FieldPath* parent = nullptr;
  std::string_view name{};  // a field or map key
  std::size_t index = kNoIndex;
  bool is_map_key = false;

  // The path as Kubernetes prints it: spec.containers[0].image, metadata.labels.app.
  [[nodiscard]] std::string text() const;
  // The path without indices and map keys, as in messages about types: spec.containers.image,
  // metadata.labels.
  [[nodiscard]] std::string fields_only() const;
};

}  // namespace ebb::schema
