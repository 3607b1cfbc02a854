#include "hollow/garbage_collector.h"

#include <algorithm>
#include <set>

#include <boost/json/parse.hpp>

#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using model::ObjectEvent;
using schema::text_at;

constexpr std::string_view kForeground = "foregroundDeletion";
constexpr std::string_view kOrphan = "orphan";

// nullptr if the kind is not served here.
const schema::Kind* owner_kind(const OwnerReference& reference) {
  return schema::find_kind(reference.owner->api_version, reference.owner->kind);
}

}  // namespace

std::vector<const schema::Kind*> GarbageCollector::watched() const {
  std::vector<const schema::Kind*> all;
  for (const schema::Kind& kind : schema::kinds()) all.push_back(&kind);
  return all;
}

void GarbageCollector::observe(const ObjectEvent& event, Timestamp now) {
  const boost::json::object& given = *event.object;
  // Events are many, own nothing, and hardly ever have an owner.
  if (event.kind == model::event_kind() &&
      schema::array_at(given, {"metadata", "ownerReferences"}) == nullptr) {
    return;
  }
  const std::string uid(text_at(given, {"metadata", "uid"}));
  std::vector<std::string> owners;
  if (const OwnedObject* before = graph_.find(uid); before != nullptr) {
    for (const OwnerReference& each : before->owners) owners.push_back(each.owner->uid);
  }
  if (event.type == ObjectEvent::Type::kDeleted) {
    graph_.erase(uid);
    deadlines_.erase(uid);
    reconcile_dependents(uid, now);
  } else {
    const OwnedObject& object = graph_.set(event.kind, given);
    forget_lookups(uid);
    const bool waits = object.has_finalizer(kForeground) || object.has_finalizer(kOrphan);
    reconcile(uid, now);
    if (waits) reconcile_dependents(uid, now);
  }
  // An owner may have waited for this.
  for (const std::string& owner : owners) {
    if (graph_.dependents(owner).empty()) forget_lookups(owner);
    const OwnedObject* object = graph_.find(owner);
    if (object != nullptr && object->deleting) reconcile(owner, now);
  }
}

void GarbageCollector::forget_lookups(const std::string& owner) {
  const auto first = owner_lookups_.lower_bound({owner, ""});
  auto last = first;
  while (last != owner_lookups_.end() && last->first.first == owner) ++last;
  owner_lookups_.erase(first, last);
}

void GarbageCollector::synced(Timestamp now) {
  synced_ = true;
  wake(now);
}

void GarbageCollector::wake(Timestamp now) {
  if (!synced_) return;
  for (const std::string& uid : deadlines_.take_due(now)) {
    reconcile(uid, now);
  }
}

void GarbageCollector::reconcile_dependents(const std::string& uid, Timestamp now) {
  const std::set<std::string> dependents = graph_.dependents(uid);
  for (const std::string& dependent : dependents) reconcile(dependent, now);
}

void GarbageCollector::reconcile(const std::string& uid, Timestamp now) {
  OwnedObject* object = graph_.find(uid);
  if (object == nullptr) return;
  if (!synced_) {
    const bool matters = !object->owners.empty() || !object->finalizers.empty();
    if (matters) deadlines_.set(uid, now);
    return;
  }
  if (object->request_in_flight || object->handled_version == object->version) return;
  const bool leaves_orphans = std::any_of(
      object->owners.begin(), object->owners.end(), [&](const OwnerReference& reference) {
        return owner_state(*object, reference) == OwnerState::kOrphans;
      });
  if (object->deleting && !leaves_orphans) {
    reconcile_dying(*object);
  } else if (!object->owners.empty()) {
    reconcile_owned(*object);
  }
}

void GarbageCollector::reconcile_dying(OwnedObject& object) {
  // Dependents are synced on their own; the last relevant one queues this object again.
  if (object.has_finalizer(kOrphan)) {
    if (!awaits(object, OwnerState::kOrphans)) drop_finalizer(object, kOrphan);
  } else if (object.has_finalizer(kForeground)) {
    if (!awaits(object, OwnerState::kWaiting)) drop_finalizer(object, kForeground);
  }
}

bool GarbageCollector::awaits(const OwnedObject& owner, OwnerState wanted) {
  for (const std::string& uid : graph_.dependents(owner.uid)) {
    const OwnedObject* dependent = graph_.find(uid);
    if (dependent == nullptr) continue;
    for (const OwnerReference& reference : dependent->owners) {
      if (reference.owner->uid != owner.uid || owner_state(*dependent, reference) != wanted)
        continue;
      // Foreground deletion waits only for dependents with blockOwnerDeletion.
      if (wanted == OwnerState::kOrphans || reference.blocks_deletion.value_or(false)) return true;
    }
  }
  return false;
}

void GarbageCollector::reconcile_owned(OwnedObject& object) {
  std::vector<OwnerState> standings;
  std::set<std::string_view> asked_about;
  for (const OwnerReference& reference : object.owners) {
    standings.push_back(owner_state(object, reference));
    if (standings.back() == OwnerState::kAsked) asked_about.insert(reference.owner->uid);
  }
  object.owners_asked_about = asked_about.size();
  const auto any = [&](OwnerState wanted) {
    return std::find(standings.begin(), standings.end(), wanted) != standings.end();
  };
  if (any(OwnerState::kAsked)) return;
  if (any(OwnerState::kOrphans)) return cut_loose(object, standings);
  if (any(OwnerState::kSolid)) {
    if (any(OwnerState::kGone) || any(OwnerState::kWaiting)) cut_loose(object, standings);
    return;
  }
  // If an owner waits for this object in the foreground, the object's own dependents go first.
  const bool foreground = any(OwnerState::kWaiting) && !graph_.dependents(object.uid).empty();
  send(object, model::delete_request(model::object_path(*object.kind, object.name),
                                     {.uid = object.uid,
                                      .resource_version = object.version,
                                      .propagation = foreground ? "Foreground" : "Background"}));
}

GarbageCollector::OwnerState GarbageCollector::owner_state(const OwnedObject& object,
                                                           const OwnerReference& reference) {
  const std::string& uid = reference.owner->uid;
  const OwnedObject* owner = graph_.find(uid);
  if (owner == nullptr) {
    return graph_.is_gone(uid) ? OwnerState::kGone : ask(object, reference);
  }
  if (owner->kind->namespaced && owner->name.namespace_name != object.name.namespace_name) {
    // An owner in another namespace counts as gone; but a cluster-scoped object cannot have a
    // namespaced owner, and is not deleted.
    return object.kind->namespaced ? OwnerState::kGone : OwnerState::kSolid;
  }
  if (reference.owner->kind != owner->kind->name || reference.owner->name != owner->name.name) {
    // The uid belongs to another object, so the named owner does not exist, unless its kind is not
    // served here.
    return owner_kind(reference) == nullptr ? OwnerState::kSolid : OwnerState::kGone;
  }
  if (owner->deleting && owner->has_finalizer(kOrphan)) return OwnerState::kOrphans;
  if (owner->deleting && owner->has_finalizer(kForeground)) return OwnerState::kWaiting;
  return OwnerState::kSolid;
}

GarbageCollector::OwnerState GarbageCollector::ask(const OwnedObject& object,
                                                   const OwnerReference& reference) {
  const OwnerIdentity& owner = *reference.owner;
  const schema::Kind* kind = owner_kind(reference);
  // An owner of a kind that is not served here may exist elsewhere.
  if (kind == nullptr || owner.name.empty()) return OwnerState::kSolid;
  if (kind->namespaced && !object.kind->namespaced) return OwnerState::kSolid;
  const model::ObjectName name{.namespace_name = kind->namespaced ? object.name.namespace_name : "",
                               .name = owner.name};
  const auto [inquiry, fresh] = owner_lookups_.try_emplace({owner.uid, name.namespace_name});
  if (fresh) {
    outbox_.send(model::get_request(model::object_path(*kind, name)),
                 {.uid = owner.uid, .owner_lookup = true, .namespace_name = name.namespace_name});
  }
  if (!inquiry->second.answered) return OwnerState::kAsked;
  return inquiry->second.exists ? OwnerState::kSolid : OwnerState::kGone;
}

void GarbageCollector::cut_loose(OwnedObject& object, const std::vector<OwnerState>& standings) {
  // Orphaning comes first; the other owners are checked afterwards.
  const bool orphaned =
      std::find(standings.begin(), standings.end(), OwnerState::kOrphans) != standings.end();
  boost::json::array kept;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const bool keep =
        orphaned ? standings[i] != OwnerState::kOrphans : standings[i] == OwnerState::kSolid;
    if (keep) kept.push_back(object.owners[i].to_json());
  }
  boost::json::value owners;
  if (!kept.empty()) owners = std::move(kept);
  send(object, model::merge_patch_request(model::object_path(*object.kind, object.name),
                                          {{"metadata",
                                            {{"uid", object.uid},
                                             {"resourceVersion", object.version},
                                             {"ownerReferences", std::move(owners)}}}}));
}

void GarbageCollector::drop_finalizer(OwnedObject& object, std::string_view finalizer) {
  boost::json::array kept;
  for (const std::string& each : object.finalizers) {
    if (each != finalizer) kept.push_back(boost::json::value(each));
  }
  boost::json::value finalizers;
  if (!kept.empty()) finalizers = std::move(kept);
  send(object, model::merge_patch_request(model::object_path(*object.kind, object.name),
                                          {{"metadata",
                                            {{"uid", object.uid},
                                             {"resourceVersion", object.version},
                                             {"finalizers", std::move(finalizers)}}}}));
}

void GarbageCollector::send(OwnedObject& object, model::ApiRequest request) {
  object.request_in_flight = true;
  outbox_.send(std::move(request), {.uid = object.uid, .version = object.version});
}

void GarbageCollector::answered(model::EffectId id, const model::ApiResponse& response,
                                Timestamp now) {
  const std::optional<Purpose> purpose = outbox_.answered(id);
  if (!purpose.has_value()) return;
  if (purpose->owner_lookup) return hear_about_owner(*purpose, response, now);
  OwnedObject* object = graph_.find(purpose->uid);
  if (object == nullptr) return;
  object->request_in_flight = false;
  if (model::succeeded(response)) {
    object->failures = 0;
    // Nothing is left to do for this version; the watch delivers the next one.
    object->handled_version = purpose->version;
    reconcile(purpose->uid, now);
  } else {
    deadlines_.set(purpose->uid, later_by(now, retry_delay_ns(object->failures++)));
  }
}

void GarbageCollector::hear_about_owner(const Purpose& purpose, const model::ApiResponse& response,
                                        Timestamp now) {
  const auto inquiry = owner_lookups_.find({purpose.uid, purpose.namespace_name});
  if (inquiry == owner_lookups_.end()) return;
  if (graph_.dependents(purpose.uid).empty()) {
    owner_lookups_.erase(inquiry);
    return;
  }
  if (response.code == 200) {
    boost::json::error_code error;
    const boost::json::value body = boost::json::parse(response.body.str(), error);
    inquiry->second.answered = !error && body.is_object();
    inquiry->second.exists =
        body.is_object() && text_at(body.get_object(), {"metadata", "uid"}) == purpose.uid;
  } else if (response.code == 404) {
    inquiry->second.answered = true;
  }
  if (!inquiry->second.answered) {
    owner_lookups_.erase(inquiry);
    const Timestamp again = later_by(now, retry_delay_ns(failed_lookups_++));
    for (const std::string& uid : graph_.dependents(purpose.uid)) deadlines_.set(uid, again);
    return;
  }
  failed_lookups_ = 0;
  // An object with thousands of owners is synced once when all of them are known, not after each
  // answer.
  const std::set<std::string> dependents = graph_.dependents(purpose.uid);
  for (const std::string& uid : dependents) {
    OwnedObject* dependent = graph_.find(uid);
    if (dependent != nullptr && dependent->owners_asked_about > 1) {
      --dependent->owners_asked_about;
    } else {
      reconcile(uid, now);
    }
  }
}

}  // namespace ebb::hollow
