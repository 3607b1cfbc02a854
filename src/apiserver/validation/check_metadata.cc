// Validates metadata, which all kinds share.
#include <algorithm>
#include <set>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::text_at;

namespace {

constexpr FieldPath in_metadata(std::string_view field) {
  return {.parent = &kMetadata, .name = field};
}

const json::object& metadata_of(const json::object& object) {
  static const json::object kEmpty;
  const json::object* metadata = schema::object_at(object, {"metadata"});
  return metadata == nullptr ? kEmpty : *metadata;
}

// A generated name continues after the prefix, so the prefix may end with a dash.
schema::ErrorMessages prefix_errors(NameRule rule, std::string_view prefix) {
  if (prefix.size() < 2 || !prefix.ends_with('-')) return rule(prefix);
  std::string name(prefix.substr(0, prefix.size() - 2));
  return rule(name += 'a');
}

void check_name(const json::object& metadata, NameRule rule, FieldErrors& errors) {
  const std::string_view prefix = text_at(metadata, {"generateName"});
  if (!prefix.empty()) {
    errors.complain(in_metadata("generateName"), prefix, prefix_errors(rule, prefix));
  }
  const std::string_view name = text_at(metadata, {"name"});
  if (name.empty()) {
    errors.required("metadata.name", "name or generateName is required");
  } else {
    errors.complain(in_metadata("name"), name, rule(name));
  }
}

void check_namespace_name(const Write& write, const json::object& metadata, FieldErrors& errors) {
  const std::string_view name = text_at(metadata, {"namespace"});
  if (!write.kind.namespaced) {
    if (!name.empty()) errors.forbidden("metadata.namespace", "not allowed on this type");
  } else if (name.empty()) {
    errors.required("metadata.namespace");
  } else {
    errors.complain(in_metadata("namespace"), name, schema::dns_label_errors(name));
  }
}

// Checks fields that must not change. An omitted field keeps its old value. The name is that of the
// path, and can be missing only if a webhook removed it.
void check_unchanged(const json::object& metadata, const json::object& old, FieldErrors& errors) {
  const json::value no_name = "";
  for (const std::string_view field :
       {"name", "namespace", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    const json::value* now = metadata.if_contains(field);
    const json::value* before = old.if_contains(field);
    if (now == nullptr && field == "name") now = &no_name;
    if (now == nullptr || (before != nullptr && *now == *before)) continue;
    errors.immutable(below(kMetadata, field), json_text(now));
  }
}

void check_owners(const json::object& metadata, FieldErrors& errors) {
  std::string controller;
  each_entry(metadata, "ownerReferences", kMetadata,
             [&](const json::object& owner, const FieldPath& path) {
               const std::string_view kind = text_at(owner, {"kind"});
               const std::string_view version = text_at(owner, {"apiVersion"});
               if (std::count(version.begin(), version.end(), '/') > 1 || version.ends_with('/')) {
                 errors.invalid(below(path, "apiVersion"), quoted(version),
                                "must be <group>/<version> or <version>");
               }
               if (kind == "Event" && version == "v1") {
                 errors.invalid(path.text(), json::serialize(owner),
                                "/v1, Kind=Event is disallowed from being an owner");
               }
               if (!schema::is_true_at(owner, {"controller"})) return;
               std::string name = fmt::format("{}/{}", kind, text_at(owner, {"name"}));
               if (controller.empty()) {
                 controller = std::move(name);
                 return;
               }
               errors.invalid(
                   "metadata.ownerReferences", json_text(metadata.if_contains("ownerReferences")),
                   fmt::format("Only one reference can have Controller set to true. Found "
                               "\"true\" in references for {} and {}",
                               controller, name));
             });
}

std::vector<std::string_view> finalizers_of(const json::object& metadata) {
  std::vector<std::string_view> names;
  if (const json::array* list = schema::array_at(metadata, {"finalizers"})) {
    for (const json::value& one : *list) {
      if (one.is_string()) names.emplace_back(one.get_string());
    }
  }
  return names;
}

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_finalizers(const json::object& metadata, const json::object* old, FieldErrors& errors) {
  const std::vector<std::string_view> names = finalizers_of(metadata);
  if (names.empty()) return;
  for (const std::string_view name : names) {
    const schema::ErrorMessages complaints = schema::qualified_name_errors(name);
    errors.complain(in_metadata("finalizers"), name, complaints);
    const bool standard = name == "orphan" || name == "foregroundDeletion" || name == "kubernetes";
    if (complaints.empty() && !standard && name.find('/') == std::string_view::npos) {
      errors.invalid("metadata.finalizers", quoted(name),
                     "name is neither a standard finalizer name nor is it fully qualified");
    }
  }
  if (contains(names, "orphan") && contains(names, "foregroundDeletion")) {
    errors.invalid("metadata.finalizers", json_text(metadata.if_contains("finalizers")),
                   "finalizer orphan and foregroundDeletion cannot be both set");
  }
  if (old == nullptr || !old->contains("deletionTimestamp")) return;
  const std::vector<std::string_view> known = finalizers_of(*old);
  const std::set<std::string_view> before(known.begin(), known.end());
  std::vector<std::string> added;
  for (const std::string_view name : names) {
    if (!before.contains(name)) added.push_back(quoted(name));
  }
  std::sort(added.begin(), added.end());
  if (added.empty()) return;
  errors.forbidden("metadata.finalizers",
                   fmt::format("no new finalizers can be added if the object is being deleted, "
                               "found new finalizers []string{{{}}}",
                               fmt::join(added, ", ")));
}

}  // namespace

void check_metadata(const Write& write, NameRule name_rule, FieldErrors& errors) {
  const json::object& metadata = metadata_of(write.object);
  const json::object* old = write.old == nullptr ? nullptr : &metadata_of(*write.old);
  if (old == nullptr) {
    check_name(metadata, name_rule, errors);
    check_namespace_name(write, metadata, errors);
  } else {
    check_unchanged(metadata, *old, errors);
  }
  check_labels(schema::object_at(metadata, {"labels"}), in_metadata("labels"), errors);
  check_annotations(schema::object_at(metadata, {"annotations"}), in_metadata("annotations"),
                    errors);
  check_owners(metadata, errors);
  check_finalizers(metadata, old, errors);
}

}  // namespace ebb::apiserver
