// RFC 6902. A patch takes effect as a whole or not at all.
//
// Three limits bound the cost of a patch, because each of its ten thousand small operations may
// shift, copy or deepen the whole document: the bytes that copies add, the number of values
// touched, and the depth of the result.
#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/patch/json_edit.h"
#include "apiserver/patch/json_patch_operation.h"
#include "apiserver/patch/json_pointer.h"
#include "apiserver/patch/patch.h"
#include "model/json/printable.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::Status;
using model::StatusOr;

namespace {

constexpr std::size_t kMaxCopiedBytes = 3UL << 20;
constexpr std::size_t kMaxTouchedValues = 50'000'000;

using Kind = PatchOperation::Kind;
using Outcome = StatusOr<void>;

// Rejects an operation that cannot be applied.
tl::unexpected<Status> rejected(const PatchOperation& operation, std::string_view why) {
  return tl::unexpected(rejected_operation(
      operation.index, fmt::format("({} \"{}\"): {}", operation.name,
                                   model::printable_and_short(operation.path_text), why)));
}

bool is_double(const json::value& a, const json::value& b) {
  return (a.is_double() && b.is_number()) || (b.is_double() && a.is_number());
}

// Equality as in RFC 6902: numbers by value, objects regardless of field order.
bool same(const json::value& a, const json::value& b) {
  if (is_double(a, b)) return a.to_number<double>() == b.to_number<double>();
  if (a.is_array() && b.is_array()) {
    const json::array& left = a.get_array();
    const json::array& right = b.get_array();
    return std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
  }
  if (a.is_object() && b.is_object()) {
    const json::object& left = a.get_object();
    const json::object& right = b.get_object();
    return left.size() == right.size() &&
           std::all_of(left.begin(), left.end(), [&](const json::key_value_pair& field) {
             const json::value* other = right.if_contains(field.key());
             return other != nullptr && same(field.value(), *other);
           });
  }
  return a == b;
}

bool is_prefix(const Pointer& prefix, const Pointer& path) {
  return prefix.size() < path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

class Application {
 public:
  explicit Application(json::value document) : document_(std::move(document)) {}

  Outcome apply(const PatchOperation& operation) {
    switch (operation.kind) {
      case Kind::kAdd:
        return add(operation, *operation.value);
      case Kind::kRemove:
        return take(operation, operation.path).map([](const json::value&) {});
      case Kind::kReplace:
        return replace(operation);
      case Kind::kMove:
        return move(operation);
      case Kind::kCopy:
        return copy(operation);
      case Kind::kTest:
        return test(operation);
    }
    return {};
  }

  json::value result() && { return std::move(document_); }

 private:
  json::value* find(const Pointer& path) { return resolve(document_, path); }
  json::value* find_parent(const Pointer& path) {
    return resolve(document_, std::span(path).first(path.size() - 1));
  }

  Outcome touch(const PatchOperation& operation, std::size_t values) {
    touched_ += values;
    if (touched_ <= kMaxTouchedValues) return {};
    return tl::unexpected(model::too_large(
        fmt::format("The JSON patch is too expensive: it moves or visits more than {} values by "
                    "operation {}",
                    kMaxTouchedValues, operation.index)));
  }

  // Inserts the value at `path`, or replaces the existing one.
  Outcome add(const PatchOperation& operation, json::value value) {
    const Extent extent = extent_of(value);
    EBB_RETURN_IF_ERROR(touch(operation, extent.values));
    if (operation.path.size() + extent.depth > kMaxDepth) {
      return rejected(operation,
                      fmt::format("the document would be more than {} levels deep", kMaxDepth));
    }
    if (operation.path.empty()) {
      document_ = std::move(value);
      return {};
    }
    json::value* parent = find_parent(operation.path);
    if (parent == nullptr) return rejected(operation, "the path does not exist");
    const std::string& last = operation.path.back();
    if (json::object* object = parent->if_object()) {
      (*object)[last] = std::move(value);
      return {};
    }
    if (json::array* array = parent->if_array()) {
      return insert(operation, *array, last, std::move(value));
    }
    return rejected(operation,
                    "the path leads through a value that is neither an object nor a list");
  }

  Outcome insert(const PatchOperation& operation, json::array& array, std::string_view step,
                 json::value value) {
    const auto index = step == "-" ? array.size() : parse_index(step);
    if (!index) return rejected(operation, fmt::format("\"{}\" is not a valid index", step));
    if (*index > array.size()) {
      return rejected(operation, fmt::format("index {} is beyond the end of a list of {}", *index,
                                             array.size()));
    }
    EBB_RETURN_IF_ERROR(touch(operation, array.size() - *index));
    array.insert(array.begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    return {};
  }

  // Removes and returns the value at a path.
  StatusOr<json::value> take(const PatchOperation& operation, const Pointer& path) {
    if (path.empty()) return rejected(operation, "the whole document cannot be removed");
    json::value* found = find(path);
    if (found == nullptr) return rejected(operation, "there is nothing to remove");
    json::value taken = std::move(*found);
    json::value* parent = find_parent(path);
    if (json::object* object = parent->if_object()) {
      EBB_RETURN_IF_ERROR(touch(operation, object->size()));
      object->stable_erase(object->find(path.back()));
      return taken;
    }
    json::array& array = parent->get_array();
    const std::size_t index = parse_index(path.back()).value_or(0);
    EBB_RETURN_IF_ERROR(touch(operation, array.size() - index));
    array.erase(array.begin() + static_cast<std::ptrdiff_t>(index));
    return taken;
  }

  Outcome replace(const PatchOperation& operation) {
    json::value* found = find(operation.path);
    if (found == nullptr) {
      // Kubernetes adds an absent field, and clients rely on it when they do not know the object.
      const json::value* parent = find_parent(operation.path);
      if (parent != nullptr && parent->is_object()) return add(operation, *operation.value);
      return rejected(operation, "the path does not exist");
    }
    const Extent extent = extent_of(*operation.value);
    if (operation.path.size() + extent.depth > kMaxDepth) {
      return rejected(operation,
                      fmt::format("the document would be more than {} levels deep", kMaxDepth));
    }
    *found = *operation.value;
    return {};
  }

  Outcome move(const PatchOperation& operation) {
    if (is_prefix(operation.from, operation.path)) {
      return rejected(operation, "a value cannot be moved into itself");
    }
    if (operation.from == operation.path && find(operation.from) != nullptr) return {};
    EBB_ASSIGN_OR_RETURN(auto value, take(operation, operation.from));
    return add(operation, std::move(value));
  }

  Outcome copy(const PatchOperation& operation) {
    const json::value* found = find(operation.from);
    if (found == nullptr) return rejected(operation, "there is nothing to copy");
    copied_bytes_ += json::serialize(*found).size();
    if (copied_bytes_ > kMaxCopiedBytes) {
      return tl::unexpected(model::too_large(fmt::format(
          "Unable to complete the copy of operation {}, the accumulated size increase of copy is "
          "{}, exceeding the limit {}",
          operation.index, copied_bytes_, kMaxCopiedBytes)));
    }
    return add(operation, *found);
  }

  Outcome test(const PatchOperation& operation) {
    const json::value* found = find(operation.path);
    if (found == nullptr) {
      // In Kubernetes null matches an absent field, and clients use this to test for absence.
      json::value* parent = operation.path.empty() ? nullptr : find_parent(operation.path);
      if (operation.value->is_null() && parent != nullptr && parent->is_object()) return {};
      return rejected(operation, "the path does not exist");
    }
    if (!same(*found, *operation.value)) return rejected(operation, "the test failed");
    return {};
  }

  json::value document_;
  std::size_t copied_bytes_ = 0;
  std::size_t touched_ = 0;
};

}  // namespace

StatusOr<json::value> json_patch(json::value document, const json::value& patch) {
  EBB_ASSIGN_OR_RETURN(auto operations, read_patch_operations(patch));
  Application application(std::move(document));
  for (const PatchOperation& operation : operations) {
    EBB_RETURN_IF_ERROR(application.apply(operation));
  }
  return std::move(application).result();
}

}  // namespace ebb::apiserver
