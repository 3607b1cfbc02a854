#include "model/decode_metadata.h"

#include <fmt/format.h>

#include "model/pod_text.h"

namespace ebb::model {
namespace {

const ControllerRef* decode_controller(const JsonValue& references, Pool& pool) {
  const ControllerRef* controller = nullptr;
  references.each_item([&](const JsonValue& reference) {
    const auto [is_controller, kind, name, uid] =
        reference.members({"controller", "kind", "name", "uid"});
    if (!is_controller.boolean()) return;
    if (controller != nullptr) {
      reference.report("is a second controller; an object has one at most");
    }
    controller = pool.intern(ControllerRef{kind.required(), name.required(), uid.required()});
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
  const auto [name, name_space, uid, created, version, generation, deleted, labels, owners,
              annotations] = metadata.members({"name", "namespace", "uid", "creationTimestamp",
                                               "resourceVersion", "generation", "deletionTimestamp",
                                               "labels", "ownerReferences", "annotations"});
  for (const JsonValue* text : {&name, &name_space, &uid}) check_length(*text);
  return {.name = name.required(),
          .name_space = pool.intern(name_space.string().empty() ? "default" : name_space.string()),
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
