// RFC 7386: objects are merged field by field, null removes a field, and anything else
// (lists too) takes the place of what was there.
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/json_edit.h"
#include "apiserver/patch.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

struct Merge {
  json::object* target;
  const json::object* patch;
};

// Applies one level and adds what is to be merged below it to `open`. Fields come into
// being before any of them is pointed to: adding one moves the others.
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
      // What lies below is merged into nothing, which drops its nulls.
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
