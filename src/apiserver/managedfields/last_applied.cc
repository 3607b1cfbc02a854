#include "apiserver/managedfields/last_applied.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/managedfields/field_walks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

std::string_view last_applied(const json::object& object) {
  return schema::text_at(object, {"metadata", "annotations", kAnnotation});
}

// Sorts keys, as Go does when it writes maps.
json::value in_order(const json::value& value) {
  if (const json::array* list = value.if_array()) {
    json::array copy;
    for (const json::value& entry : *list) copy.push_back(in_order(entry));
    return copy;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  std::vector<const json::key_value_pair*> members;
  for (const json::key_value_pair& member : *object) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const auto* a, const auto* b) { return a->key() < b->key(); });
  json::object copy;
  for (const json::key_value_pair* member : members) {
    copy.emplace(member->key(), in_order(member->value()));
  }
  return copy;
}

}  // namespace

FieldConflicts without_last_applied(const schema::Kind& kind, const json::object& live,
                                    FieldConflicts conflicts) {
  json::error_code error;
  const json::value value = json::parse(last_applied(live), error);
  const json::object* last = error ? nullptr : value.if_object();
  if (last == nullptr || schema::text_at(*last, {"apiVersion"}) != kind.api_version() ||
      !check_applied(*kind.schema, *last)) {
    return conflicts;
  }
  const FieldChanges since = compare_fields(*kind.schema, *last, live);
  const FieldSet changed = united(united(since.added, since.modified), since.removed);
  const FieldSet allowed = difference(fields_of(*kind.schema, *last), changed);
  for (FieldConflict& conflict : conflicts) conflict.fields = difference(conflict.fields, allowed);
  std::erase_if(conflicts, [](const FieldConflict& conflict) { return conflict.fields.empty(); });
  return conflicts;
}

void renew_last_applied(json::object configuration, json::object& object) {
  if (last_applied(object).empty()) return;
  if (json::object* annotations = schema::object_at(configuration, {"metadata", "annotations"})) {
    annotations->stable_erase(kAnnotation);
  }
  schema::ensure_object(object, {"metadata", "annotations"})[kAnnotation] =
      json::serialize(in_order(configuration)) + "\n";
}

}  // namespace ebb::apiserver
