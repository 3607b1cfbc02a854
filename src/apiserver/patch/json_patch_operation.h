// The operations of a JSON patch (RFC 6902), read and checked before any is applied.
#pragma once  // private to its room

#include <cstddef>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/patch/json_pointer.h"
#include "model/api/status.h"

namespace ebb::apiserver {

// Refers to the patch that it was read from.
struct PatchOperation {
  enum class Kind { kAdd, kRemove, kReplace, kMove, kCopy, kTest };

  std::size_t index = 0;  // in the patch
  Kind kind = Kind::kTest;
  std::string_view name;
  std::string_view path_text;
  Pointer path;
  Pointer from;                               // of move and copy
  const boost::json::value* value = nullptr;  // of add, replace and test
};

// A 422 for an operation that cannot be applied.
[[nodiscard]] model::Status rejected_operation(std::size_t index, std::string_view why);

// Members of a wrong type are a 400, invalid operations a 422, and more than 10,000 operations a
// 413.
[[nodiscard]] model::StatusOr<std::vector<PatchOperation>> read_patch_operations(
    const boost::json::value& patch);

}  // namespace ebb::apiserver
