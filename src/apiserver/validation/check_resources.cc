// Validates the resource requests and limits of containers.
#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"
#include "schema/core/quantity.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::object_at;
using schema::Quantity;

namespace {

bool is_huge_page(std::string_view name) { return name.starts_with("hugepages-"); }

// Returns true for Kubernetes' own resources, as opposed to example.com/gpu.
bool is_native(std::string_view name) {
  const std::size_t slash = name.find('/');
  return slash == std::string_view::npos ||
         name.substr(0, slash).find("kubernetes.io") != std::string_view::npos;
}

// Returns true if nodes may overcommit the resource.
bool can_be_overcommitted(std::string_view name) { return is_native(name) && !is_huge_page(name); }

Quantity quantity_of(const json::value& value) {
  if (!value.is_string()) return {};
  // A malformed quantity was refused before.
  return Quantity::parse(value.get_string()).value_or(Quantity());
}

void check_name(std::string_view name, const FieldPath& path, FieldErrors& errors) {
  if (name == "cpu" || name == "memory" || name == "ephemeral-storage") return;
  const schema::ErrorMessages complaints = schema::qualified_name_errors(name);
  for (const std::string& complaint : complaints) {
    errors.invalid(keyed(path, name), quoted(name), complaint);
  }
  if (!complaints.empty() || is_huge_page(name) || name.find('/') != std::string_view::npos) return;
  errors.invalid(keyed(path, name), quoted(name),
                 "must be a standard resource type or fully qualified");
  errors.invalid(keyed(path, name), quoted(name), "must be a standard resource for containers");
}

void check_amount(std::string_view name, const Quantity& amount, const FieldPath& path,
                  FieldErrors& errors) {
  if (amount.is_negative()) {
    errors.invalid(keyed(path, name), quoted(amount.canonical()), kNotNegative);
  }
  if (!is_native(name) && amount.milli_value() % 1000 != 0) {
    errors.invalid(keyed(path, name), quoted(amount.canonical()), "must be an integer");
  }
}

void check_against_limit(std::string_view name, const Quantity& request, const json::value* limit,
                         const FieldPath& path, FieldErrors& errors) {
  if (limit == nullptr) {
    if (can_be_overcommitted(name)) return;
    errors.required(below(path, "limits"), "Limit must be set for non overcommitable resources");
    return;
  }
  const Quantity most = quantity_of(*limit);
  if (request == most) return;
  const bool only_equal = !can_be_overcommitted(name);
  if (!only_equal && request < most) return;
  errors.invalid(below(path, "requests"), quoted(request.canonical()),
                 fmt::format("must be {}equal to {} limit of {}", only_equal ? "" : "less than or ",
                             name, most.canonical()));
}

}  // namespace

void check_container_resources(const json::object& resources, const FieldPath& path,
                               FieldErrors& errors) {
  const json::object* limits = object_at(resources, {"limits"});
  for (const std::string_view field : {"limits", "requests"}) {
    const json::object* amounts = object_at(resources, {field});
    if (amounts == nullptr) continue;
    const FieldPath amounts_path{.parent = &path, .name = field};
    for (const auto& entry : *amounts) {
      const std::string_view name = entry.key();
      const Quantity amount = quantity_of(entry.value());
      check_name(name, amounts_path, errors);
      check_amount(name, amount, amounts_path, errors);
      if (field == "limits") continue;
      const json::value* limit = limits == nullptr ? nullptr : limits->if_contains(name);
      check_against_limit(name, amount, limit, path, errors);
    }
  }
}

}  // namespace ebb::apiserver
