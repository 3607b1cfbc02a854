#include "apiserver/patch/patch_directives.h"

#include <fmt/format.h>

#include "apiserver/decode/go_text.h"
#include "model/json/printable.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::bad_request;
using model::Status;
using model::StatusOr;

namespace {

constexpr std::string_view kPatch = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kSetElementOrder = "$setElementOrder";
constexpr std::string_view kDeleteFromPrimitiveList = "$deleteFromPrimitiveList";

tl::unexpected<Status> bad_format(std::string_view of) {
  return tl::unexpected(bad_request(fmt::format("invalid patch format of {}", of)));
}

StatusOr<PatchDirective> read_patch(const json::value& value, const json::object& map) {
  if (value == "merge") return PatchDirective::kMerge;
  if (value == "replace") return PatchDirective::kReplace;
  if (value == "delete") return PatchDirective::kDelete;
  return tl::unexpected(bad_request(model::printable_and_short(
      fmt::format("unknown patch type: {} in map: {}", go_text(value), go_text(map)))));
}

// `prefix/F: [...]`.
StatusOr<void> read_list(const json::key_value_pair& field, std::string_view prefix,
                         std::string_view of, Directives::Lists& lists) {
  const std::string_view name = field.key();
  if (name.size() <= prefix.size() + 1 || name[prefix.size()] != '/') return bad_format(of);
  if (!field.value().is_array()) return bad_format(of);
  lists[name.substr(prefix.size() + 1)] = &field.value().get_array();
  return {};
}

StatusOr<void> read_one(const json::key_value_pair& field, const json::object& map,
                        Directives& directives) {
  const std::string_view name = field.key();
  if (name == kPatch) {
    EBB_ASSIGN_OR_RETURN(directives.patch, read_patch(field.value(), map));
  } else if (name == kRetainKeys) {
    directives.retained = field.value().if_array();
    if (directives.retained == nullptr) return bad_format("retainKeys");
  } else if (name.starts_with(kSetElementOrder)) {
    return read_list(field, kSetElementOrder, "setElementOrder list", directives.orders);
  } else if (name.starts_with(kDeleteFromPrimitiveList)) {
    return read_list(field, kDeleteFromPrimitiveList, "primitive list", directives.deletions);
  }
  return {};
}

}  // namespace

StatusOr<Directives> read_directives(const json::object& patch) {
  Directives directives;
  for (const auto& field : patch) {
    if (!field.key().starts_with('$')) continue;
    EBB_RETURN_IF_ERROR(read_one(field, patch, directives));
  }
  return directives;
}

bool is_directive(std::string_view name) {
  return name.starts_with('$') &&
         (name == kPatch || name == kRetainKeys || name.starts_with(kSetElementOrder) ||
          name.starts_with(kDeleteFromPrimitiveList));
}

Status no_merge_key(const json::object& map, std::string_view key) {
  return bad_request(fmt::format("map: {} does not contain declared merge key: {}",
                                 model::printable_and_short(go_text(map)), key));
}

Status bad_type(json::kind expected, const json::value& received) {
  return bad_request(
      fmt::format("expected a {}, but received a {}", go_type(expected), go_type(received.kind())));
}

}  // namespace ebb::apiserver
