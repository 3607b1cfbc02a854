// metadata, which all kinds have in common.
#include <algorithm>
#include <set>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/checks.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::text_at;

namespace {

constexpr FieldPath kMetadata{.name = "metadata"};

constexpr FieldPath in_metadata(std::string_view field) {
  return {.parent = &kMetadata, .name = field};
}

const json::object& metadata_of(const json::object& object) {
  static const json::object kEmpty;
  const json::object* metadata = schema::object_at(object, {"metadata"});
  return metadata == nullptr ? kEmpty : *metadata;
}

// What is generated from `web-` goes on after the dash, so the dash may stand at the end.
schema::Complaints prefix_complaints(NameRule rule, std::string_view prefix) {
  if (prefix.size() < 2 || !prefix.ends_with('-')) return rule(prefix);
  std::string name(prefix.substr(0, prefix.size() - 2));
  return rule(name += 'a');
}

void check_name(const json::object& metadata, NameRule rule, Findings& findings) {
  const std::string_view prefix = text_at(metadata, {"generateName"});
  if (!prefix.empty()) {
    findings.complain(in_metadata("generateName"), prefix, prefix_complaints(rule, prefix));
  }
  const std::string_view name = text_at(metadata, {"name"});
  if (name.empty()) {
    findings.required("metadata.name", "name or generateName is required");
  } else {
    findings.complain(in_metadata("name"), name, rule(name));
  }
}

void check_namespace_name(const Write& write, const json::object& metadata, Findings& findings) {
  const std::string_view name = text_at(metadata, {"namespace"});
  if (!write.kind.namespaced) {
    if (!name.empty()) findings.forbidden("metadata.namespace", "not allowed on this type");
  } else if (name.empty()) {
    findings.required("metadata.namespace");
  } else {
    findings.complain(in_metadata("namespace"), name, schema::dns_label_complaints(name));
  }
}

// Fields that nobody may set to something else. Where one is left out, the old one stays; the name
// is what the path says, and can be missing only because a webhook took it away.
void check_unchanged(const json::object& metadata, const json::object& old, Findings& findings) {
  const json::value no_name = "";
  for (const std::string_view field :
       {"name", "namespace", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    const json::value* now = metadata.if_contains(field);
    const json::value* before = old.if_contains(field);
    if (now == nullptr && field == "name") now = &no_name;
    if (now == nullptr || (before != nullptr && *now == *before)) continue;
    findings.immutable(below(kMetadata, field), json_text(now));
  }
}

void check_owners(const json::object& metadata, Findings& findings) {
  std::string controller;
  each_entry(metadata, "ownerReferences", kMetadata,
             [&](const json::object& owner, const FieldPath& path) {
               const std::string_view kind = text_at(owner, {"kind"});
               const std::string_view version = text_at(owner, {"apiVersion"});
               if (std::count(version.begin(), version.end(), '/') > 1 || version.ends_with('/')) {
                 findings.invalid(below(path, "apiVersion"), quoted(version),
                                  "must be <group>/<version> or <version>");
               }
               if (kind == "Event" && version == "v1") {
                 findings.invalid(path.text(), json::serialize(owner),
                                  "/v1, Kind=Event is disallowed from being an owner");
               }
               if (!schema::is_true_at(owner, {"controller"})) return;
               std::string name = fmt::format("{}/{}", kind, text_at(owner, {"name"}));
               if (controller.empty()) {
                 controller = std::move(name);
                 return;
               }
               findings.invalid(
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

void check_finalizers(const json::object& metadata, const json::object* old, Findings& findings) {
  const std::vector<std::string_view> names = finalizers_of(metadata);
  if (names.empty()) return;
  for (const std::string_view name : names) {
    const schema::Complaints complaints = schema::qualified_name_complaints(name);
    findings.complain(in_metadata("finalizers"), name, complaints);
    const bool standard = name == "orphan" || name == "foregroundDeletion" || name == "kubernetes";
    if (complaints.empty() && !standard && name.find('/') == std::string_view::npos) {
      findings.invalid("metadata.finalizers", quoted(name),
                       "name is neither a standard finalizer name nor is it fully qualified");
    }
  }
  if (contains(names, "orphan") && contains(names, "foregroundDeletion")) {
    findings.invalid("metadata.finalizers", json_text(metadata.if_contains("finalizers")),
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
  findings.forbidden("metadata.finalizers",
                     fmt::format("no new finalizers can be added if the object is being deleted, "
                                 "found new finalizers []string{{{}}}",
                                 fmt::join(added, ", ")));
}

}  // namespace

void check_metadata(const Write& write, NameRule name_rule, Findings& findings) {
  const json::object& metadata = metadata_of(write.object);
  const json::object* old = write.old == nullptr ? nullptr : &metadata_of(*write.old);
  if (old == nullptr) {
    check_name(metadata, name_rule, findings);
    check_namespace_name(write, metadata, findings);
  } else {
    check_unchanged(metadata, *old, findings);
  }
  check_labels(schema::object_at(metadata, {"labels"}), in_metadata("labels"), findings);
  check_annotations(schema::object_at(metadata, {"annotations"}), in_metadata("annotations"),
                    findings);
  check_owners(metadata, findings);
  check_finalizers(metadata, old, findings);
}

}  // namespace ebb::apiserver
