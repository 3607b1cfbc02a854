// Validates pods, and the changes that an update may make.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/validation/checks.h"
#include "schema/core/fast_equality.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::array_at;
using schema::integer_at;
using schema::object_at;
using schema::text_at;

namespace {

constexpr FieldPath kAnnotations{.parent = &kMetadata, .name = "annotations"};

constexpr std::string_view kUpdatable =
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
    "`spec.tolerations` (only additions to existing tolerations),"
    "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

void check_cost(const Write& write, FieldErrors& errors) {
  check_deletion_cost(
      object_at(write.object, {"metadata", "annotations"}),
      write.old == nullptr ? nullptr : object_at(*write.old, {"metadata", "annotations"}),
      write.gates, kAnnotations, errors);
}

std::size_t size_of(const json::array* list) { return list == nullptr ? 0 : list->size(); }

// Returns true if the containers differ only in their images.
bool check_container_changes(const Write& write, std::string_view field, FieldErrors& errors) {
  if (size_of(array_at(write.spec(), {field})) != size_of(array_at(*write.old_spec(), {field}))) {
    errors.forbidden(below(kSpec, field), "pod updates may not add or remove containers");
    return false;
  }
  each_entry(write.spec(), field, kSpec, [&](const json::object& one, const FieldPath& path) {
    const std::string_view image = text_at(one, {"image"});
    constexpr std::string_view kBlank = " \t\n\v\f\r";
    if (image.empty() || (kBlank.find(image.front()) == std::string_view::npos &&
                          kBlank.find(image.back()) == std::string_view::npos)) {
      return;
    }
    errors.invalid(below(path, "image"), quoted(image),
                   "must not have leading or trailing whitespace");
  });
  return true;
}

void check_deadline_change(const Write& write, FieldErrors& errors) {
  const auto now = integer_at(write.spec(), {"activeDeadlineSeconds"});
  const auto before = integer_at(*write.old_spec(), {"activeDeadlineSeconds"});
  if (!before) return;
  if (!now) {
    errors.invalid("spec.activeDeadlineSeconds", "null",
                   "must not update from a positive integer to nil value");
  } else if (*now > *before) {
    errors.invalid("spec.activeDeadlineSeconds", fmt::format("{}", *now),
                   "must be less than or equal to previous value");
  }
}

// Tolerations may be added, and their tolerationSeconds may change.
void check_toleration_changes(const Write& write, FieldErrors& errors) {
  const auto but_seconds = [](const json::value& toleration) {
    json::value copy = toleration;
    if (json::object* object = copy.if_object()) object->stable_erase("tolerationSeconds");
    return copy;
  };
  const json::array* before = array_at(*write.old_spec(), {"tolerations"});
  const json::array* now = array_at(write.spec(), {"tolerations"});
  if (before == nullptr) return;
  for (const json::value& one : *before) {
    const json::value wanted = but_seconds(one);
    const bool kept = now != nullptr &&
                      std::any_of(now->begin(), now->end(),
                                  [&](const auto& other) { return but_seconds(other) == wanted; });
    if (kept) continue;
    errors.forbidden("spec.tolerations",
                     "existing toleration can not be modified except its tolerationSeconds");
    return;
  }
}

void check_gate_changes(const Write& write, FieldErrors& errors) {
  const json::array* before = array_at(*write.old_spec(), {"schedulingGates"});
  each_entry(
      write.spec(), "schedulingGates", kSpec, [&](const json::object& gate, const FieldPath& path) {
        const json::value value(gate);
        if (before != nullptr &&
            std::find(before->begin(), before->end(), value) != before->end()) {
          return;
        }
        errors.forbidden(below(path, "name"),
                         fmt::format("only deletion is allowed, but found new scheduling gate '{}'",
                                     text_at(gate, {"name"})));
      });
}

void keep_old(json::object& spec, const json::object& old, std::string_view field) {
  if (const json::value* before = old.if_contains(field)) {
    spec[field] = *before;
  } else {
    spec.stable_erase(field);
  }
}

void keep_old_images(json::object& spec, const json::object& old, std::string_view field) {
  json::array* now = schema::array_at(spec, {field});
  const json::array* before = array_at(old, {field});
  if (now == nullptr || before == nullptr) return;
  for (std::size_t i = 0; i < now->size() && i < before->size(); ++i) {
    json::object* container = (*now)[i].if_object();
    const json::object* old_container = (*before)[i].if_object();
    if (container && old_container) keep_old(*container, *old_container, "image");
  }
}

// The names of the fields in which two specs differ.
std::vector<std::string> differences(const json::object& a, const json::object& b) {
  std::vector<std::string> names;
  for (const auto& member : a) {
    const json::value* other = b.if_contains(member.key());
    if (other == nullptr || *other != member.value()) names.emplace_back(member.key());
  }
  for (const auto& member : b) {
    if (!a.contains(member.key())) names.emplace_back(member.key());
  }
  return names;
}

// All other fields must stay the same. Mutable fields are reset before the comparison.
void check_rest_unchanged(const json::object& spec, const json::object& old, FieldErrors& errors) {
  json::object rest = spec;
  keep_old_images(rest, old, "containers");
  keep_old_images(rest, old, "initContainers");
  for (const std::string_view field : {"activeDeadlineSeconds", "schedulingGates", "tolerations"}) {
    keep_old(rest, old, field);
  }
  if (integer_at(old, {"terminationGracePeriodSeconds"}).value_or(0) < 0 &&
      integer_at(rest, {"terminationGracePeriodSeconds"}) == 1) {
    keep_old(rest, old, "terminationGracePeriodSeconds");
  }
  if (schema::fast_equal(rest, old)) return;
  errors.forbidden("spec",
                   fmt::format("pod updates may not change fields other than {}\nchanged: {}",
                               kUpdatable, fmt::join(differences(rest, old), ", ")));
}

void check_pod_create(const json::object& spec, FieldErrors& errors) {
  if (size_of(array_at(spec, {"ephemeralContainers"})) > 0) {
    errors.forbidden("spec.ephemeralContainers", "cannot be set on create");
  }
  if (!text_at(spec, {"nodeName"}).empty() && size_of(array_at(spec, {"schedulingGates"})) > 0) {
    errors.forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared");
  }
}

}  // namespace

void check_pod(const Write& write, FieldErrors& errors) {
  const json::object& spec = write.spec();
  check_cost(write, errors);
  check_pod_spec(spec, kSpec, errors);
  if (write.old == nullptr) {
    check_pod_create(spec, errors);
  } else {
    check_pod_update(write, errors);
  }
}

void check_pod_update(const Write& write, FieldErrors& errors) {
  if (schema::fast_equal(write.spec(), *write.old_spec())) return;
  if (!check_container_changes(write, "containers", errors)) return;
  if (!check_container_changes(write, "initContainers", errors)) return;
  check_deadline_change(write, errors);
  check_toleration_changes(write, errors);
  check_gate_changes(write, errors);
  check_rest_unchanged(write.spec(), *write.old_spec(), errors);
}

void check_pod_status(const Write& write, FieldErrors& errors) {
  check_cost(write, errors);
  const std::string_view quality = text_at(write.object, {"status", "qosClass"});
  const std::string_view before = text_at(*write.old, {"status", "qosClass"});
  if (!before.empty() && !quality.empty() && quality != before) {
    errors.immutable("status.qosClass", quoted(quality));
  }
}

}  // namespace ebb::apiserver
