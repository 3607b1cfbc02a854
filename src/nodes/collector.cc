#include "nodes/collector.h"

#include <algorithm>
#include <limits>
#include <set>

#include <boost/json/parse.hpp>

#include "schema/json.h"

namespace ebb::nodes {
namespace {

using model::ObjectEvent;
using schema::text_at;

constexpr std::string_view kForeground = "foregroundDeletion";
constexpr std::string_view kOrphan = "orphan";

}  // namespace

std::vector<const schema::Kind*> Collector::watched() const {
  std::vector<const schema::Kind*> all;
  for (const schema::Kind& kind : schema::kinds()) all.push_back(&kind);
  return all;
}

void Collector::observe(const ObjectEvent& event, Timestamp now) {
  const boost::json::object& given = *event.object;
  // There are many events, they own nothing, and hardly ever have an owner.
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
    agenda_.erase(uid);
    attend_dependents(uid, now);
  } else {
    const OwnedObject& object = graph_.set(event.kind, given);
    forget_inquiries(uid);
    const bool waits = object.has_finalizer(kForeground) || object.has_finalizer(kOrphan);
    attend(uid, now);
    if (waits) attend_dependents(uid, now);
  }
  // An owner may have waited for this.
  for (const std::string& owner : owners) {
    if (graph_.dependents(owner).empty()) forget_inquiries(owner);
    const OwnedObject* object = graph_.find(owner);
    if (object != nullptr && object->deleting) attend(owner, now);
  }
}

void Collector::forget_inquiries(const std::string& owner) {
  const auto first = inquiries_.lower_bound({owner, ""});
  auto last = first;
  while (last != inquiries_.end() && last->first.first == owner) ++last;
  inquiries_.erase(first, last);
}

void Collector::synced(Timestamp now) {
  synced_ = true;
  wake(now);
}

void Collector::wake(Timestamp now) {
  if (!synced_) return;
  for (const std::string& uid : agenda_.take_due(now, std::numeric_limits<std::size_t>::max())) {
    attend(uid, now);
  }
}

void Collector::attend_dependents(const std::string& uid, Timestamp now) {
  const std::set<std::string> dependents = graph_.dependents(uid);
  for (const std::string& dependent : dependents) attend(dependent, now);
}

void Collector::attend(const std::string& uid, Timestamp now) {
  OwnedObject* object = graph_.find(uid);
  if (object == nullptr) return;
  if (!synced_) {
    const bool matters = !object->owners.empty() || !object->finalizers.empty();
    if (matters) agenda_.set(uid, now);
    return;
  }
  if (object->request_under_way || object->handled_version == object->version) return;
  const bool leaves_orphans = std::any_of(
      object->owners.begin(), object->owners.end(), [&](const OwnerReference& reference) {
        return standing(*object, reference) == Standing::kOrphans;
      });
  if (object->deleting && !leaves_orphans) {
    attend_dying(*object);
  } else if (!object->owners.empty()) {
    attend_owned(*object);
  }
}

void Collector::attend_dying(OwnedObject& object) {
  // Dependents see to themselves; the last one that matters brings us back here.
  if (object.has_finalizer(kOrphan)) {
    if (!awaits(object, Standing::kOrphans)) drop_finalizer(object, kOrphan);
  } else if (object.has_finalizer(kForeground)) {
    if (!awaits(object, Standing::kWaiting)) drop_finalizer(object, kForeground);
  }
}

bool Collector::awaits(const OwnedObject& owner, Standing wanted) {
  for (const std::string& uid : graph_.dependents(owner.uid)) {
    const OwnedObject* dependent = graph_.find(uid);
    if (dependent == nullptr) continue;
    for (const OwnerReference& reference : dependent->owners) {
      if (reference.owner->uid != owner.uid || standing(*dependent, reference) != wanted) continue;
      // In the foreground only those are waited for who say so.
      if (wanted == Standing::kOrphans || reference.blocks_deletion.value_or(false)) return true;
    }
  }
  return false;
}

void Collector::attend_owned(OwnedObject& object) {
  std::vector<Standing> standings;
  std::set<std::string_view> asked_about;
  for (const OwnerReference& reference : object.owners) {
    standings.push_back(standing(object, reference));
    if (standings.back() == Standing::kAsked) asked_about.insert(reference.owner->uid);
  }
  object.owners_asked_about = asked_about.size();
  const auto any = [&](Standing wanted) {
    return std::find(standings.begin(), standings.end(), wanted) != standings.end();
  };
  if (any(Standing::kAsked)) return;
  if (any(Standing::kOrphans)) return cut_loose(object, standings);
  if (any(Standing::kSolid)) {
    if (any(Standing::kGone) || any(Standing::kWaiting)) cut_loose(object, standings);
    return;
  }
  // Its own dependents go before it if somebody waits for all of them.
  const bool foreground = any(Standing::kWaiting) && !graph_.dependents(object.uid).empty();
  send(object, model::delete_request(model::object_path(*object.kind, object.name),
                                     {.uid = object.uid,
                                      .resource_version = object.version,
                                      .propagation = foreground ? "Foreground" : "Background"}));
}

Collector::Standing Collector::standing(const OwnedObject& object,
                                        const OwnerReference& reference) {
  const std::string& uid = reference.owner->uid;
  const OwnedObject* owner = graph_.find(uid);
  if (owner == nullptr) {
    return graph_.is_gone(uid) ? Standing::kGone : ask(object, reference);
  }
  if (owner->kind->namespaced && owner->name.namespace_name != object.name.namespace_name) {
    // Of no use to somebody in another namespace; but what has no namespace cannot be owned
    // by what has one, and is left alone.
    return object.kind->namespaced ? Standing::kGone : Standing::kSolid;
  }
  if (owner->deleting && owner->has_finalizer(kOrphan)) return Standing::kOrphans;
  if (owner->deleting && owner->has_finalizer(kForeground)) return Standing::kWaiting;
  return Standing::kSolid;
}

Collector::Standing Collector::ask(const OwnedObject& object, const OwnerReference& reference) {
  const OwnerIdentity& owner = *reference.owner;
  const schema::Kind* kind = schema::find_kind(owner.api_version, owner.kind);
  // Owners of kinds that are not served here may live elsewhere.
  if (kind == nullptr || owner.name.empty()) return Standing::kSolid;
  if (kind->namespaced && !object.kind->namespaced) return Standing::kSolid;
  const model::ObjectName name{.namespace_name = kind->namespaced ? object.name.namespace_name : "",
                               .name = owner.name};
  const auto [inquiry, fresh] = inquiries_.try_emplace({owner.uid, name.namespace_name});
  if (fresh) {
    outbox_.send(model::get_request(model::object_path(*kind, name)),
                 {.uid = owner.uid, .question = true, .namespace_name = name.namespace_name});
  }
  if (!inquiry->second.answered) return Standing::kAsked;
  return inquiry->second.exists ? Standing::kSolid : Standing::kGone;
}

void Collector::cut_loose(OwnedObject& object, const std::vector<Standing>& standings) {
  // An owner that leaves orphans comes first: what the others mean is seen afterwards.
  const bool orphaned =
      std::find(standings.begin(), standings.end(), Standing::kOrphans) != standings.end();
  boost::json::array kept;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const bool keep =
        orphaned ? standings[i] != Standing::kOrphans : standings[i] == Standing::kSolid;
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

void Collector::drop_finalizer(OwnedObject& object, std::string_view finalizer) {
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

void Collector::send(OwnedObject& object, model::ApiRequest request) {
  object.request_under_way = true;
  outbox_.send(std::move(request), {.uid = object.uid, .version = object.version});
}

void Collector::answered(model::EffectId id, const model::ApiResponse& response, Timestamp now) {
  const std::optional<Purpose> purpose = outbox_.answered(id);
  if (!purpose.has_value()) return;
  if (purpose->question) return hear_about_owner(*purpose, response, now);
  OwnedObject* object = graph_.find(purpose->uid);
  if (object == nullptr) return;
  object->request_under_way = false;
  if (model::succeeded(response)) {
    object->failures = 0;
    // Unless it has changed since, it is about to.
    object->handled_version = purpose->version;
    attend(purpose->uid, now);
  } else {
    agenda_.set(purpose->uid, later_by(now, retry_delay_ns(object->failures++)));
  }
}

void Collector::hear_about_owner(const Purpose& purpose, const model::ApiResponse& response,
                                 Timestamp now) {
  const auto inquiry = inquiries_.find({purpose.uid, purpose.namespace_name});
  if (inquiry == inquiries_.end()) return;
  if (graph_.dependents(purpose.uid).empty()) {
    inquiries_.erase(inquiry);
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
    inquiries_.erase(inquiry);
    const Timestamp again = later_by(now, retry_delay_ns(failed_inquiries_++));
    for (const std::string& uid : graph_.dependents(purpose.uid)) agenda_.set(uid, again);
    return;
  }
  failed_inquiries_ = 0;
  // An object with thousands of owners is looked at when all of them are known, not for
  // each answer.
  const std::set<std::string> dependents = graph_.dependents(purpose.uid);
  for (const std::string& uid : dependents) {
    OwnedObject* dependent = graph_.find(uid);
    if (dependent != nullptr && dependent->owners_asked_about > 1) {
      --dependent->owners_asked_about;
    } else {
      attend(uid, now);
    }
  }
}

}  // namespace ebb::nodes
