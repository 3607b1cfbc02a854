#include "hollow/owner_graph.h"

#include <algorithm>

#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using schema::text_at;

std::optional<bool> flag_at(const boost::json::object& object, std::string_view field) {
  const boost::json::value* value = object.if_contains(field);
  if (value == nullptr || !value->is_bool()) return std::nullopt;
  return value->get_bool();
}

}  // namespace

boost::json::object OwnerReference::to_json() const {
  boost::json::object object{{"apiVersion", owner->api_version},
                             {"kind", owner->kind},
                             {"name", owner->name},
                             {"uid", owner->uid}};
  if (controller.has_value()) object["controller"] = *controller;
  if (blocks_deletion.has_value()) object["blockOwnerDeletion"] = *blocks_deletion;
  return object;
}

bool OwnedObject::has_finalizer(std::string_view finalizer) const {
  return std::find(finalizers.begin(), finalizers.end(), finalizer) != finalizers.end();
}

OwnedObject* OwnerGraph::find(const std::string& uid) {
  const auto found = objects_.find(uid);
  return found == objects_.end() ? nullptr : &found->second;
}

const std::set<std::string>& OwnerGraph::dependents(const std::string& uid) const {
  static const std::set<std::string> kNone;
  const auto found = dependents_.find(uid);
  return found == dependents_.end() ? kNone : found->second;
}

OwnedObject& OwnerGraph::set(const schema::Kind* kind, const boost::json::object& given) {
  const std::string uid(text_at(given, {"metadata", "uid"}));
  OwnedObject& object = objects_[uid];
  drop_owners(object);
  object.kind = kind;
  object.name = model::name_of(given);
  object.uid = uid;
  object.version = text_at(given, {"metadata", "resourceVersion"});
  object.deleting = !text_at(given, {"metadata", "deletionTimestamp"}).empty();
  object.finalizers.clear();
  if (const auto* all = schema::array_at(given, {"metadata", "finalizers"});
      all != nullptr && object.deleting) {
    for (const boost::json::value& each : *all) {
      if (each.is_string()) object.finalizers.emplace_back(each.get_string());
    }
  }
  const boost::json::array* owners = schema::array_at(given, {"metadata", "ownerReferences"});
  if (owners == nullptr) return object;
  for (const boost::json::value& entry : *owners) {
    if (!entry.is_object()) continue;
    const boost::json::object& each = entry.get_object();
    OwnerReference reference;
    reference.owner = identities_.share({.uid = std::string(text_at(each, {"uid"})),
                                         .api_version = std::string(text_at(each, {"apiVersion"})),
                                         .kind = std::string(text_at(each, {"kind"})),
                                         .name = std::string(text_at(each, {"name"}))});
    reference.controller = flag_at(each, "controller");
    reference.blocks_deletion = flag_at(each, "blockOwnerDeletion");
    dependents_[reference.owner->uid].insert(uid);
    object.owners.push_back(std::move(reference));
  }
  return object;
}

void OwnerGraph::drop_owners(OwnedObject& object) {
  for (OwnerReference& reference : object.owners) {
    const std::string owner = reference.owner->uid;
    const auto others = dependents_.find(owner);
    if (others != dependents_.end()) {
      others->second.erase(object.uid);
      if (others->second.empty()) {
        dependents_.erase(others);
        gone_.erase(owner);
      }
    }
    identities_.release(std::move(reference.owner));
  }
  object.owners.clear();
}

void OwnerGraph::erase(const std::string& uid) {
  const auto found = objects_.find(uid);
  if (found == objects_.end()) return;
  drop_owners(found->second);
  objects_.erase(found);
  if (dependents_.contains(uid)) gone_.insert(uid);
}

}  // namespace ebb::hollow
