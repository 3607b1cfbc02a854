#include <set>
#include <utility>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::text_at;

namespace {

void check_taints(const json::object& spec, FieldErrors& errors) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  each_entry(spec, "taints", kSpec, [&](const json::object& taint, const FieldPath& path) {
    if (seen.emplace(text_at(taint, {"key"}), text_at(taint, {"effect"})).second) return;
    errors.duplicate(path.text(), fmt::format("{}: taints must be unique by key and effect pair",
                                              json::serialize(taint)));
  });
}

}  // namespace

void check_node(const Write& write, FieldErrors& errors) {
  const json::object& spec = write.spec();
  check_taints(spec, errors);
  if (write.old == nullptr) return;

  const std::string_view before = text_at(*write.old_spec(), {"providerID"});
  const std::string_view now = text_at(spec, {"providerID"});
  if (!before.empty() && now != before) {
    errors.invalid(
        "spec.providerID", "null",
        now.empty() ? "field cannot be cleared once set" : "field cannot be modified once set");
  }
  const json::array* ranges = schema::array_at(*write.old_spec(), {"podCIDRs"});
  if (ranges == nullptr || ranges->empty()) return;
  const json::array* new_ranges = schema::array_at(spec, {"podCIDRs"});
  if (new_ranges == nullptr || *new_ranges != *ranges) {
    errors.forbidden("spec.podCIDRs",
                     "node updates may not change podCIDR except from \"\" to valid");
  }
}

}  // namespace ebb::apiserver
