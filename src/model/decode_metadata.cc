#include "model/decode_metadata.h"

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

Metadata decode(const JsonValue& metadata, Pool& pool, bool needs_uid) {
  const auto [name, name_space, uid, created, deleted, labels, owners, annotations] =
      metadata.members({"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
                        "labels", "ownerReferences", "annotations"});
  return {.name = name.required(),
          .name_space = pool.intern(name_space.string().empty() ? "default" : name_space.string()),
          .uid = needs_uid ? uid.required() : uid.interned(),
          .created = created.time(),
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
