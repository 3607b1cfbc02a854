// RFC 7386: objects are merged field by field, null removes a field, and any other value (lists
// included) replaces the old one.
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/patch/json_edit.h"
#include "apiserver/patch/patch.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

struct Merge {
  json::object* target;
  const json::object* patch;
};

// Merges one level and appends the levels below it to `open`. All fields are added before any is
// referenced, because adding a field moves the others.
void merge_level(const Merge& merge, std::vector<Merge>& open) {
  json::object& target = *merge.target;
  std::vector<std::string_view> gone;
  for (const auto& field : *merge.patch) {
    if (field.value().is_null()) {
      gone.push_back(field.key());
      continue;
    }
    json::value& old = target[field.key()];
    if (!field.value().is_object()) {
      old = field.value();
    } else if (!old.is_object()) {
      // The value below is merged into an empty object, which drops its nulls.
      old.emplace_object();
    }
  }
  erase_fields(target, gone);
  for (const auto& field : *merge.patch) {
    if (!field.value().is_object()) continue;
    open.push_back({&target.at(field.key()).get_object(), &field.value().get_object()});
  }
}

}  // namespace

json::value merge_patch(json::value document, const json::value& patch) {
  if (!patch.is_object()) return patch;
  if (!document.is_object()) document.emplace_object();
  std::vector<Merge> open{{&document.get_object(), &patch.get_object()}};
  while (!open.empty()) {
    const Merge next = open.back();
    open.pop_back();
    merge_level(next, open);
  }
  return document;
}

}  // namespace ebb::apiserver
