#include "apiserver/patch/json_patch_operation.h"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "model/json/printable.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::Status;
using model::StatusOr;
using Kind = PatchOperation::Kind;

namespace {

constexpr std::size_t kMaxOperations = 10'000;

struct KindRow {
  std::string_view name;
  PatchOperation::Kind kind;
  bool has_value;
  bool has_from;
};

constexpr std::array kKinds = {
    KindRow{"add", Kind::kAdd, true, false},         KindRow{"remove", Kind::kRemove, false, false},
    KindRow{"replace", Kind::kReplace, true, false}, KindRow{"move", Kind::kMove, false, true},
    KindRow{"copy", Kind::kCopy, false, true},       KindRow{"test", Kind::kTest, true, false},
};

Status malformed(std::size_t index, std::string_view why) {
  return model::bad_request(
      fmt::format("error decoding patch: operation {} of the JSON patch {}", index, why));
}

// The text of a member; empty if it is absent.
StatusOr<std::string_view> read_text(const json::object& object, std::string_view field,
                                     std::size_t index) {
  const json::value* found = object.if_contains(field);
  if (found == nullptr) return std::string_view();
  if (!found->is_string()) {
    return tl::unexpected(malformed(index, fmt::format("needs a string as \"{}\"", field)));
  }
  return std::string_view(found->get_string());
}

StatusOr<Pointer> read_pointer(const json::object& object, std::string_view field,
                               std::size_t index) {
  EBB_ASSIGN_OR_RETURN(const std::string_view text, read_text(object, field, index));
  if (!object.contains(field)) {
    return tl::unexpected(rejected_operation(index, fmt::format("needs a \"{}\"", field)));
  }
  auto pointer = parse_pointer(text);
  if (!pointer) {
    return tl::unexpected(
        rejected_operation(index, fmt::format("has an invalid JSON pointer as \"{}\": \"{}\"",
                                              field, model::printable_and_short(text))));
  }
  return std::move(*pointer);
}

StatusOr<PatchOperation> read_operation(const json::value& value, std::size_t index) {
  const json::object* object = value.if_object();
  if (object == nullptr) return tl::unexpected(malformed(index, "is not an object"));
  EBB_ASSIGN_OR_RETURN(const std::string_view name, read_text(*object, "op", index));
  const auto row = std::find_if(kKinds.begin(), kKinds.end(),
                                [&](const KindRow& each) { return each.name == name; });
  if (row == kKinds.end()) {
    return tl::unexpected(rejected_operation(
        index, "has an unknown \"op\": it may be add, remove, replace, move, copy, test"));
  }
  PatchOperation operation;
  operation.index = index;
  operation.kind = row->kind;
  operation.name = row->name;
  EBB_ASSIGN_OR_RETURN(operation.path, read_pointer(*object, "path", index));
  operation.path_text = object->at("path").get_string();
  if (row->has_from) {
    EBB_ASSIGN_OR_RETURN(operation.from, read_pointer(*object, "from", index));
  }
  operation.value = object->if_contains("value");
  if (row->has_value && operation.value == nullptr) {
    return tl::unexpected(rejected_operation(index, "needs a \"value\""));
  }
  return operation;
}

}  // namespace

Status rejected_operation(std::size_t index, std::string_view why) {
  Status status;
  status.code = 422;
  status.reason = "Invalid";
  status.message = fmt::format(
      "the server rejected our request due to an error in our request: operation {} of the JSON "
      "patch {}",
      index, why);
  return status;
}

StatusOr<std::vector<PatchOperation>> read_patch_operations(const json::value& patch) {
  const json::array* array = patch.if_array();
  if (array == nullptr) {
    return tl::unexpected(
        model::bad_request("error decoding patch: a JSON patch is a list of operations"));
  }
  if (array->size() > kMaxOperations) {
    return tl::unexpected(
        model::too_large(fmt::format("The allowed maximum operations in a JSON patch is {}, got {}",
                                     kMaxOperations, array->size())));
  }
  std::vector<PatchOperation> operations;
  operations.reserve(array->size());
  for (const json::value& entry : *array) {
    EBB_ASSIGN_OR_RETURN(auto operation, read_operation(entry, operations.size()));
    operations.push_back(std::move(operation));
  }
  return operations;
}

}  // namespace ebb::apiserver
