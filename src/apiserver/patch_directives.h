// The directives of strategic merge patches: fields of a patch that begin with a dollar and
// say how to merge what stands beside them. They never get into a document.
//   $patch: replace | delete | merge     what to do with the map, or list, it stands in
//   $retainKeys: [a, b]                  the map keeps only these fields
//   $setElementOrder/F: [...]            in which order the entries of list F are
//   $deleteFromPrimitiveList/F: [...]    plain values to take out of list F
#pragma once

#include <string_view>
#include <unordered_map>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "model/status.h"

namespace ebb::apiserver {

// Merging is what happens without a directive, too. Kubernetes' documentation lists it.
enum class PatchDirective { kMerge, kReplace, kDelete };

// Points into the patch.
struct Directives {
  using Lists = std::unordered_map<std::string_view, const boost::json::array*>;

  PatchDirective patch = PatchDirective::kMerge;
  const boost::json::array* retained = nullptr;
  Lists orders;     // by the field they are about
  Lists deletions;  // by the field they are about
};

// The directives of one map of a patch, not of those below it. One that is not understood
// is a 400.
[[nodiscard]] model::StatusOr<Directives> read_directives(const boost::json::object& patch);

[[nodiscard]] bool is_directive(std::string_view field_name);

// `map: map[image:web:2] does not contain declared merge key: name`, and a 400.
[[nodiscard]] model::Status no_merge_key(const boost::json::object& map, std::string_view key);

// `expected a map[string]interface {}, but received a string`, and a 400.
[[nodiscard]] model::Status bad_type(boost::json::kind expected,
                                     const boost::json::value& received);

}  // namespace ebb::apiserver
