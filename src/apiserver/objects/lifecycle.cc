#include "apiserver/objects/lifecycle.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "apiserver/objects/kind_specifics.h"
#include "schema/core/json.h"
#include "schema/core/time.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kForeground = "foregroundDeletion";
constexpr std::string_view kOrphan = "orphan";
// Longer than any useful grace period, and safe to add to any date.
constexpr std::int64_t kLongestGrace = std::numeric_limits<std::int32_t>::max();

std::string in_whole_seconds(Timestamp time) {
  return schema::format_time(
      Timestamp::from_seconds(time.since_epoch_ns() / kNanosecondsPerSecond));
}

// Removes metadata fields that clients may send but cannot set.
void drop_transient_metadata(json::object& metadata) {
  for (const std::string_view name : {"selfLink", "managedFields"}) metadata.stable_erase(name);
}

// Restores a field to its old value, which may be absent.
void keep(json::object& object, const json::object& old, std::string_view name) {
  if (const json::value* value = old.if_contains(name)) {
    object[name] = *value;
  } else {
    object.stable_erase(name);
  }
}

void keep_if_absent(json::object& object, const json::object& old, std::string_view name) {
  if (!object.contains(name)) keep(object, old, name);
}

bool differs_beside_metadata(const json::object& a, const json::object& b) {
  const auto counts = [](const json::key_value_pair& member) {
    return member.key() != "metadata" && member.key() != "status";
  };
  const auto is_same_in_b = [&](const json::key_value_pair& member) {
    const json::value* other = b.if_contains(member.key());
    return !counts(member) || (other != nullptr && *other == member.value());
  };
  return std::count_if(a.begin(), a.end(), counts) != std::count_if(b.begin(), b.end(), counts) ||
         !std::all_of(a.begin(), a.end(), is_same_in_b);
}

bool differ(const json::object& a, const json::object& b, std::string_view name) {
  const json::value* left = a.if_contains(name);
  const json::value* right = b.if_contains(name);
  if (left == nullptr || right == nullptr) return left != right;
  return *left != *right;
}

void count_generation_up(const schema::Kind& kind, json::object& metadata) {
  if (!kind.has_generation) return;
  metadata["generation"] = schema::integer_at(metadata, {"generation"}).value_or(0) + 1;
}

void remove_finalizer(json::object& metadata, std::string_view name) {
  json::array* list = schema::array_at(metadata, {"finalizers"});
  if (list == nullptr) return;
  json::array left;
  for (json::value& entry : *list) {
    if (!entry.is_string() || entry.get_string() != name) left.push_back(std::move(entry));
  }
  if (left.empty()) {
    metadata.stable_erase("finalizers");
  } else {
    *list = std::move(left);
  }
}

void add_finalizer(json::object& metadata, std::string_view name) {
  remove_finalizer(metadata, name);
  json::value& list = metadata["finalizers"];
  if (!list.is_array()) list.emplace_array();
  list.get_array().emplace_back(name);
}

void set_propagation(json::object& metadata, Propagation propagation) {
  if (propagation == Propagation::kUnset) return;
  remove_finalizer(metadata, kForeground);
  remove_finalizer(metadata, kOrphan);
  if (propagation == Propagation::kForeground) add_finalizer(metadata, kForeground);
  if (propagation == Propagation::kOrphan) add_finalizer(metadata, kOrphan);
}

// Only pods that are bound to a node terminate gracefully.
std::int64_t grace_of(const schema::Kind& kind, const json::object& object,
                      const DeleteOptions& options) {
  if (!is_pod(kind)) return 0;
  const std::string_view phase = schema::text_at(object, {"status", "phase"});
  if (schema::text_at(object, {"spec", "nodeName"}).empty() || phase == "Succeeded" ||
      phase == "Failed") {
    return 0;
  }
  const std::int64_t grace = options.grace_seconds.value_or(
      schema::integer_at(object, {"spec", "terminationGracePeriodSeconds"}).value_or(30));
  return grace < 0 ? 1 : std::min(grace, kLongestGrace);
}

}  // namespace

void prepare_create(const schema::Kind& kind, json::object& object, std::string_view uid,
                    Timestamp now) {
  json::object& metadata = schema::ensure_object(object, {"metadata"});
  drop_transient_metadata(metadata);
  for (const std::string_view name :
       {"resourceVersion", "generation", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    metadata.stable_erase(name);
  }
  metadata["uid"] = uid;
  metadata["creationTimestamp"] = in_whole_seconds(now);
  count_generation_up(kind, metadata);
  // A kubelet registers its node together with the status.
  const bool brings_status = kind.group.empty() && kind.name == "Node";
  if (kind.has_status && !brings_status) object.stable_erase("status");
  set_first_state(kind, object);
}

void prepare_update(const schema::Kind& kind, json::object& object, const json::object& old) {
  json::object& metadata = schema::ensure_object(object, {"metadata"});
  const json::object& old_metadata = *schema::object_at(old, {"metadata"});
  drop_transient_metadata(metadata);
  for (const std::string_view name : {"uid", "namespace"}) {
    keep_if_absent(metadata, old_metadata, name);
  }
  for (const std::string_view name : {"resourceVersion", "generation", "creationTimestamp",
                                      "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    keep(metadata, old_metadata, name);
  }
  if (kind.has_status) keep(object, old, "status");
  if (is_namespace(kind)) keep(object, old, "spec");  // its finalizers change only by /finalize
  if (differs_beside_metadata(object, old) ||
      (kind.generation_counts_annotations && differ(metadata, old_metadata, "annotations"))) {
    count_generation_up(kind, metadata);
  }
}

json::object prepare_status_update(const schema::Kind& kind, const json::object& object,
                                   const json::object& old) {
  json::object result = old;
  keep(result, object, "status");
  if (is_pod(kind)) {
    // Computed once, from the spec.
    const std::string_view quality = schema::text_at(old, {"status", "qosClass"});
    if (!quality.empty()) schema::ensure_object(result, {"status"})["qosClass"] = quality;
  }
  json::object& metadata = schema::ensure_object(result, {"metadata"});
  if (const json::object* given = schema::object_at(object, {"metadata"})) {
    if (kind.status_keeps_labels) keep(metadata, *given, "labels");
    if (kind.status_keeps_annotations) keep(metadata, *given, "annotations");
  }
  return result;
}

Deletion begin_deletion(const schema::Kind& kind, json::object object, const DeleteOptions& options,
                        Timestamp now) {
  json::object& metadata = schema::ensure_object(object, {"metadata"});
  set_propagation(metadata, options.propagation);
  const std::int64_t grace = grace_of(kind, object, options);
  const std::int64_t now_seconds = now.since_epoch_ns() / kNanosecondsPerSecond;
  const auto set_end = [&](std::int64_t start_seconds) {
    metadata["deletionTimestamp"] =
        schema::format_time(Timestamp::from_seconds(start_seconds + grace));
    metadata["deletionGracePeriodSeconds"] = grace;
  };

  if (!metadata.contains("deletionTimestamp")) {
    set_end(now_seconds);
    count_generation_up(kind, metadata);
    if (is_namespace(kind)) schema::ensure_object(object, {"status"})["phase"] = "Terminating";
  } else if (const std::int64_t left =
                 schema::integer_at(metadata, {"deletionGracePeriodSeconds"}).value_or(0);
             grace < left && (options.grace_seconds || grace == 0)) {
    // A second delete can only shorten the grace period.
    const Result<Timestamp> end =
        schema::parse_time(schema::text_at(metadata, {"deletionTimestamp"}));
    set_end(end ? end->since_epoch_ns() / kNanosecondsPerSecond - left : now_seconds);
  }
  const bool gone = is_at_its_end(object);
  return {.object = std::move(object), .gone = gone};
}

bool is_at_its_end(const json::object& object) {
  const json::object* metadata = schema::object_at(object, {"metadata"});
  if (metadata == nullptr || !metadata->contains("deletionTimestamp")) return false;
  const auto holds = [](const json::array* finalizers) {
    return finalizers != nullptr && !finalizers->empty();
  };
  if (holds(schema::array_at(*metadata, {"finalizers"}))) return false;
  // Namespaces also have finalizers in their spec. Other kinds do not have this field.
  if (holds(schema::array_at(object, {"spec", "finalizers"}))) return false;
  return schema::integer_at(*metadata, {"deletionGracePeriodSeconds"}).value_or(0) == 0;
}

}  // namespace ebb::apiserver
