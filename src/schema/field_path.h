// Where a value stands in a document, while a function walks down to it.
//
// Steps lie on the stack of the walk and point upwards, so that a path costs nothing unless
// somebody asks for its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ebb::schema {

struct FieldPath {
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

  const FieldPath* parent = nullptr;
  std::string_view name{};  // of a field, or the key in a map
  std::size_t index = kNoIndex;
  bool is_map_key = false;

  // As Kubernetes names places: spec.containers[0].image, metadata.labels.app.
  [[nodiscard]] std::string text() const;
  // The same without indices and map keys, as in messages about types:
  // spec.containers.image, metadata.labels.
  [[nodiscard]] std::string fields_only() const;
};

}  // namespace ebb::schema
