#include "model/json/decode_metadata.h"

#include <fmt/format.h>

#include "model/records/pod_text.h"
#include "schema/core/kind.h"

namespace ebb::model {
namespace {

const ControllerRef* decode_controller(const JsonValue& references, Pool& pool) {
  const ControllerRef* controller = nullptr;
  references.each_item([&](const JsonValue& reference) {
    const auto [is_controller, version, kind, name, uid] =
        reference.members({"controller", "apiVersion", "kind", "name", "uid"});
    if (!is_controller.boolean()) return;
    // The first one counts, as in Kubernetes.
    if (controller != nullptr) {
      return reference.remark("is a second controller; an object has at most one");
    }
    controller =
        pool.intern(ControllerRef{.group = pool.intern(schema::api_group(version.string())),
                                  .kind = kind.required(),
                                  .name = name.required(),
                                  .uid = uid.required()});
  });
  return controller;
}

void check_length(const JsonValue& name) {
  const std::size_t size = name.string().size();
  if (size > kLongestName) {
    name.report(fmt::format("has {} bytes; Kubernetes allows {}", size, kLongestName));
  }
}

Metadata decode(const JsonValue& metadata, Pool& pool, bool needs_uid) {
  const auto [name, namespace_name, uid, created, version, generation, deleted, labels, owners,
              annotations] = metadata.members({"name", "namespace", "uid", "creationTimestamp",
                                               "resourceVersion", "generation", "deletionTimestamp",
                                               "labels", "ownerReferences", "annotations"});
  for (const JsonValue* text : {&name, &namespace_name, &uid}) check_length(*text);
  return {.name = name.required(),
          .namespace_name =
              pool.intern(namespace_name.string().empty() ? "default" : namespace_name.string()),
          .uid = needs_uid ? uid.required() : uid.interned(),
          .created = created.time(),
          .revision = parse_revision(version.string()),
          .generation = generation.int64().value_or(0),
          .deleting = deleted.present() && !deleted.time().is_zero(),
          .labels = labels.labels(),
          .controller = decode_controller(owners, pool),
          .annotations = annotations};
}

}  // namespace

Metadata decode_metadata(const JsonValue& metadata) {
  return decode(metadata, metadata.pool(), false);
}

Metadata decode_metadata_with_uid(const JsonValue& metadata) {
  return decode(metadata, metadata.pool(), true);
}

}  // namespace ebb::model
