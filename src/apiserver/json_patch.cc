// RFC 6902. A patch takes effect as a whole or not at all.
//
// What a patch may cost is bounded in three ways, because each of its ten thousand small
// operations may shift, copy or deepen everything that is there: by the bytes that all
// copies add, by the number of values touched, and by the depth of the result.
#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/json_edit.h"
#include "apiserver/json_patch_operation.h"
#include "apiserver/json_pointer.h"
#include "apiserver/patch.h"
#include "model/printable.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::Status;
using model::StatusOr;

namespace {

constexpr std::size_t kMostCopiedBytes = 3UL << 20;
constexpr std::size_t kMostTouchedValues = 50'000'000;

using Kind = PatchOperation::Kind;
using Outcome = StatusOr<void>;

// An operation that cannot be done.
tl::unexpected<Status> rejected(const PatchOperation& operation, std::string_view why) {
  return tl::unexpected(rejected_operation(
      operation.index, fmt::format("({} \"{}\"): {}", operation.name,
                                   model::printable_and_short(operation.path_text), why)));
}

bool is_double(const json::value& a, const json::value& b) {
  return (a.is_double() && b.is_number()) || (b.is_double() && a.is_number());
}

// Equality of RFC 6902: numbers by their value, objects whatever the order of their fields.
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
    if (touched_ <= kMostTouchedValues) return {};
    return tl::unexpected(model::too_large(fmt::format(
        "The JSON patch is too much work: it has to move or visit more than {} values by "
        "operation {}",
        kMostTouchedValues, operation.index)));
  }

  // Room is made at `path`, or what is there is replaced.
  Outcome add(const PatchOperation& operation, json::value value) {
    const Extent extent = extent_of(value);
    if (auto ok = touch(operation, extent.values); !ok) return ok;
    if (operation.path.size() + extent.depth > kMostDepth) {
      return rejected(operation,
                      fmt::format("the document would be more than {} levels deep", kMostDepth));
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
    return rejected(operation, "the path leads through something that is no object or list");
  }

  Outcome insert(const PatchOperation& operation, json::array& array, std::string_view step,
                 json::value value) {
    const auto index = step == "-" ? array.size() : parse_index(step);
    if (!index) return rejected(operation, fmt::format("\"{}\" is no index", step));
    if (*index > array.size()) {
      return rejected(operation, fmt::format("index {} is beyond the end of a list of {}", *index,
                                             array.size()));
    }
    if (auto ok = touch(operation, array.size() - *index); !ok) return ok;
    array.insert(array.begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    return {};
  }

  // Removes and returns what is at a path of the operation.
  StatusOr<json::value> take(const PatchOperation& operation, const Pointer& path) {
    if (path.empty()) return rejected(operation, "the whole document cannot be removed");
    json::value* found = find(path);
    if (found == nullptr) return rejected(operation, "there is nothing to remove");
    json::value taken = std::move(*found);
    json::value* parent = find_parent(path);
    if (json::object* object = parent->if_object()) {
      if (auto ok = touch(operation, object->size()); !ok) return tl::unexpected(ok.error());
      object->stable_erase(object->find(path.back()));
      return taken;
    }
    json::array& array = parent->get_array();
    const std::size_t index = parse_index(path.back()).value_or(0);
    if (auto ok = touch(operation, array.size() - index); !ok) return tl::unexpected(ok.error());
    array.erase(array.begin() + static_cast<std::ptrdiff_t>(index));
    return taken;
  }

  Outcome replace(const PatchOperation& operation) {
    json::value* found = find(operation.path);
    if (found == nullptr) {
      // Kubernetes adds the field, and people rely on it where they do not know what is there.
      const json::value* parent = find_parent(operation.path);
      if (parent != nullptr && parent->is_object()) return add(operation, *operation.value);
      return rejected(operation, "the path does not exist");
    }
    const Extent extent = extent_of(*operation.value);
    if (operation.path.size() + extent.depth > kMostDepth) {
      return rejected(operation,
                      fmt::format("the document would be more than {} levels deep", kMostDepth));
    }
    *found = *operation.value;
    return {};
  }

  Outcome move(const PatchOperation& operation) {
    if (is_prefix(operation.from, operation.path)) {
      return rejected(operation, "a value cannot be moved into itself");
    }
    if (operation.from == operation.path && find(operation.from) != nullptr) return {};
    auto value = take(operation, operation.from);
    if (!value) return tl::unexpected(std::move(value.error()));
    return add(operation, std::move(*value));
  }

  Outcome copy(const PatchOperation& operation) {
    const json::value* found = find(operation.from);
    if (found == nullptr) return rejected(operation, "there is nothing to copy");
    copied_bytes_ += json::serialize(*found).size();
    if (copied_bytes_ > kMostCopiedBytes) {
      return tl::unexpected(model::too_large(fmt::format(
          "Unable to complete the copy of operation {}, the accumulated size increase of copy is "
          "{}, exceeding the limit {}",
          operation.index, copied_bytes_, kMostCopiedBytes)));
    }
    return add(operation, *found);
  }

  Outcome test(const PatchOperation& operation) {
    const json::value* found = find(operation.path);
    if (found == nullptr) {
      // Kubernetes takes null for "is not there", and people rely on it to test just that.
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
  auto operations = read_patch_operations(patch);
  if (!operations) return tl::unexpected(std::move(operations.error()));
  Application application(std::move(document));
  for (const PatchOperation& operation : *operations) {
    if (auto done = application.apply(operation); !done) {
      return tl::unexpected(std::move(done.error()));
    }
  }
  return std::move(application).result();
}

}  // namespace ebb::apiserver
