#include "model/decode_metadata.h"

namespace ebb::model {
namespace {

const ControllerRef* decode_controller(const JsonValue& references, Pool& pool) {
  const ControllerRef* controller = nullptr;
  references.each_item([&](const JsonValue& reference) {
    const auto [is_controller, kind, name, uid] =
        reference.members({"controller", "kind", "name", "uid"});
    if (!is_controller.boolean()) return;
    if (controller != nullptr)
      reference.report("is a second controller; an object has one at most");
    controller = pool.intern(ControllerRef{kind.required(), name.required(), uid.required()});
  });
  return controller;
}

Metadata decode(const JsonValue& metadata, Pool& pool, bool needs_uid) {
  const auto [name, name_space, uid, created, deleted, labels, owners] =
      metadata.members({"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
                        "labels", "ownerReferences"});
  Metadata result;
  result.name = name.required();
  result.name_space = name_space.interned();
  if (result.name_space.empty()) result.name_space = pool.intern("default");
  result.uid = needs_uid ? uid.required() : uid.interned();
  result.created = created.time();
  result.deleting = deleted.present() && !deleted.time().is_zero();
  result.labels = labels.labels();
  result.controller = decode_controller(owners, pool);
  return result;
}

}  // namespace

Metadata decode_metadata(const JsonValue& metadata) {
  return decode(metadata, metadata.pool(), false);
}

Metadata decode_metadata_with_uid(const JsonValue& metadata) {
  return decode(metadata, metadata.pool(), true);
}

}  // namespace ebb::model
