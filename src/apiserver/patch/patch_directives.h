// The directives of strategic merge patches: fields of a patch that begin with a dollar sign and
// control how the fields next to them are merged. They are never stored.
//   $patch: replace | delete | merge     what to do with the enclosing map or list
//   $retainKeys: [a, b]                  the map keeps only these fields
//   $setElementOrder/F: [...]            the order of the entries of list F
//   $deleteFromPrimitiveList/F: [...]    plain values to remove from list F
#pragma once  // private to its room

#include <string_view>
#include <unordered_map>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "model/api/status.h"

namespace ebb::apiserver {

// Merging is also the default. Kubernetes documents it as a directive.
enum class PatchDirective { kMerge, kReplace, kDelete };

// Refers to the patch.
struct Directives {
  using Lists = std::unordered_map<std::string_view, const boost::json::array*>;

  PatchDirective patch = PatchDirective::kMerge;
  const boost::json::array* retained = nullptr;
  Lists orders;     // by field
  Lists deletions;  // by field
};

// Reads the directives of one map of a patch, not of the maps below it. An invalid directive is a
// 400.
[[nodiscard]] model::StatusOr<Directives> read_directives(const boost::json::object& patch);

[[nodiscard]] bool is_directive(std::string_view field_name);

// A 400: `map: map[image:web:2] does not contain declared merge key: name`.
[[nodiscard]] model::Status no_merge_key(const boost::json::object& map, std::string_view key);

// A 400: `expected a map[string]interface {}, but received a string`.
[[nodiscard]] model::Status bad_type(boost::json::kind expected,
                                     const boost::json::value& received);

}  // namespace ebb::apiserver
