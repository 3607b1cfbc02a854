#include "support/apiserver/fake_api.h"

#include <algorithm>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "schema/core/json.h"
#include "schema/core/time.h"

namespace ebb::testing {
namespace {

using apiserver::Route;
using boost::json::array;
using boost::json::object;
using boost::json::value;
using model::ApiResponse;
using model::Method;
using model::ObjectEvent;
using schema::text_at;

ApiResponse answer(int code, const object& body = {}) {
  ApiResponse response;
  response.code = code;
  response.body = model::Bytes(boost::json::serialize(body));
  return response;
}

// Conditions are merged by their type, other lists replaced.
void merge_conditions(array& into, const array& changes) {
  for (const value& change : changes) {
    const std::string_view type = text_at(change.get_object(), {"type"});
    const auto same = std::find_if(into.begin(), into.end(), [&](const value& each) {
      return text_at(each.get_object(), {"type"}) == type;
    });
    if (same == into.end()) {
      into.push_back(change);
    } else {
      for (const auto& field : change.get_object()) same->get_object()[field.key()] = field.value();
    }
  }
}

void merge(object& into, const object& changes) {
  for (const auto& field : changes) {
    value& mine = into[field.key()];
    if (field.value().is_null()) {
      into.stable_erase(into.find(field.key()));
    } else if (field.value().is_object()) {
      if (!mine.is_object()) mine = object();
      merge(mine.get_object(), field.value().get_object());
    } else if (field.key() == "conditions" && mine.is_array()) {
      merge_conditions(mine.get_array(), field.value().get_array());
    } else {
      mine = field.value();
    }
  }
}

bool has_finalizers(const object& stored) {
  const array* finalizers = schema::array_at(stored, {"metadata", "finalizers"});
  const array* spec = schema::array_at(stored, {"spec", "finalizers"});
  return (finalizers != nullptr && !finalizers->empty()) || (spec != nullptr && !spec->empty());
}

// Terminating, and nothing left to wait for.
bool is_through(const object& stored) {
  return !text_at(stored, {"metadata", "deletionTimestamp"}).empty() && !has_finalizers(stored) &&
         schema::integer_at(stored, {"metadata", "deletionGracePeriodSeconds"}).value_or(0) == 0;
}

std::int64_t grace_of(const Route& route, const object& stored, const object& options) {
  const std::string_view phase = text_at(stored, {"status", "phase"});
  if (route.kind->plural != "pods" || text_at(stored, {"spec", "nodeName"}).empty() ||
      phase == "Succeeded" || phase == "Failed") {
    return 0;
  }
  return schema::integer_at(options, {"gracePeriodSeconds"})
      .value_or(schema::integer_at(stored, {"spec", "terminationGracePeriodSeconds"}).value_or(30));
}

}  // namespace

FakeApi::Key FakeApi::key_of(const Route& route) {
  return {route.kind->plural, route.namespace_name, route.name};
}

std::vector<ObjectEvent> FakeApi::take_events() { return std::exchange(events_, {}); }

std::vector<FakeApi::Object> FakeApi::list(std::string_view plural) const {
  std::vector<Object> found;
  for (const auto& entry : objects_) {
    if (std::get<0>(entry.first) == plural) found.push_back(entry.second.second);
  }
  return found;
}

std::vector<ObjectEvent> FakeApi::everything() const {
  std::vector<ObjectEvent> events;
  for (const auto& entry : objects_) {
    events.push_back({ObjectEvent::Type::kAdded, entry.second.first, entry.second.second});
  }
  return events;
}

ApiResponse FakeApi::handle(const model::ApiRequest& request, Timestamp now) {
  const std::optional<Route> route = apiserver::route(request.path);
  if (!route.has_value()) return answer(404);
  boost::json::error_code error;
  value body = request.body.empty() ? value(object()) : boost::json::parse(request.body, error);
  if (error || !body.is_object()) return answer(400);
  const object& given = body.get_object();
  if (request.method == Method::kGet) return read(*route);
  if (request.method == Method::kPost && route->subresource == "binding") {
    return bind(*route, given);
  }
  if (request.method == Method::kPost) return create(*route, given, now);
  if (request.method == Method::kDelete && route->name.empty()) {
    std::vector<Route> all;
    for (const auto& entry : objects_) {
      if (std::get<0>(entry.first) != route->kind->plural) continue;
      if (std::get<1>(entry.first) != route->namespace_name) continue;
      all.push_back({route->kind, route->namespace_name, std::get<2>(entry.first), {}});
    }
    for (const Route& each : all) static_cast<void>(remove(each, given, now));
    return answer(200);
  }
  if (!objects_.contains(key_of(*route))) return answer(404);
  if (request.method == Method::kPatch) return patch(*route, given);
  if (request.method == Method::kPut) return finalize(*route, given);
  return remove(*route, given, now);
}

ApiResponse FakeApi::store(const Route& route, object stored, int code) {
  stored["kind"] = route.kind->name;
  stored["apiVersion"] = route.kind->api_version();
  schema::ensure_object(stored, {"metadata"})["resourceVersion"] = std::to_string(++revision_);
  const Key key = key_of(route);
  const bool existed = objects_.contains(key);
  auto shared = std::make_shared<const object>(std::move(stored));
  auto type = existed ? ObjectEvent::Type::kModified : ObjectEvent::Type::kAdded;
  if (is_through(*shared)) {
    objects_.erase(key);
    type = ObjectEvent::Type::kDeleted;
  } else {
    objects_[key] = {route.kind, shared};
  }
  events_.push_back({type, route.kind, shared});
  return answer(code, *shared);
}

ApiResponse FakeApi::create(const Route& route, object given, Timestamp now) {
  Route named = route;
  named.name = text_at(given, {"metadata", "name"});
  if (objects_.contains(key_of(named))) return answer(409);
  object& metadata = schema::ensure_object(given, {"metadata"});
  if (route.kind->namespaced) metadata["namespace"] = route.namespace_name;
  if (!metadata.contains("uid")) metadata["uid"] = fmt::format("uid-{}", revision_ + 1);
  metadata["creationTimestamp"] = schema::format_time(now);
  if (route.kind->plural == "pods") schema::ensure_object(given, {"status"})["phase"] = "Pending";
  return store(named, std::move(given), 201);
}

ApiResponse FakeApi::bind(const Route& route, const object& binding) {
  const auto found = objects_.find(key_of(route));
  if (found == objects_.end()) return answer(404);
  object changed = *found->second.second;
  if (!text_at(changed, {"spec", "nodeName"}).empty()) return answer(409);
  if (!text_at(changed, {"metadata", "deletionTimestamp"}).empty()) return answer(409);
  schema::ensure_object(changed, {"spec"})["nodeName"] = text_at(binding, {"target", "name"});
  Route plain = route;
  plain.subresource.clear();
  return store(plain, std::move(changed), 201);
}

ApiResponse FakeApi::patch(const Route& route, const object& changes) {
  object changed = *objects_.at(key_of(route)).second;
  for (const std::string_view field : {"uid", "resourceVersion"}) {
    const std::string_view wanted = text_at(changes, {"metadata", field});
    if (!wanted.empty() && wanted != text_at(changed, {"metadata", field})) return answer(409);
  }
  merge(changed, changes);
  return store(route, std::move(changed), 200);
}

ApiResponse FakeApi::finalize(const Route& route, const object& given) {
  object changed = *objects_.at(key_of(route)).second;
  const std::string_view wanted = text_at(given, {"metadata", "resourceVersion"});
  if (!wanted.empty() && wanted != text_at(changed, {"metadata", "resourceVersion"})) {
    return answer(409);
  }
  const array* finalizers = schema::array_at(given, {"spec", "finalizers"});
  schema::ensure_object(changed, {"spec"})["finalizers"] =
      finalizers == nullptr ? array() : *finalizers;
  return store(route, std::move(changed), 200);
}

ApiResponse FakeApi::remove(const Route& route, const object& options, Timestamp now) {
  object changed = *objects_.at(key_of(route)).second;
  for (const std::string_view field : {"uid", "resourceVersion"}) {
    const std::string_view wanted = text_at(options, {"preconditions", field});
    if (!wanted.empty() && wanted != text_at(changed, {"metadata", field})) return answer(409);
  }
  object& metadata = schema::ensure_object(changed, {"metadata"});
  const std::string_view policy = text_at(options, {"propagationPolicy"});
  if (policy == "Foreground" || policy == "Orphan") {
    if (!metadata.contains("finalizers")) metadata["finalizers"] = array();
    metadata["finalizers"].get_array().push_back(policy == "Orphan" ? "orphan"
                                                                    : "foregroundDeletion");
  }
  const std::int64_t grace = grace_of(route, changed, options);
  if (!metadata.contains("deletionTimestamp")) {
    metadata["deletionTimestamp"] = schema::format_time(now);
  }
  metadata["deletionGracePeriodSeconds"] = grace;
  return store(route, std::move(changed), 200);
}

ApiResponse FakeApi::read(const Route& route) const {
  if (!route.name.empty()) {
    const auto found = objects_.find(key_of(route));
    return found == objects_.end() ? answer(404) : answer(200, *found->second.second);
  }
  array items;
  for (const auto& entry : objects_) {
    if (std::get<0>(entry.first) != route.kind->plural) continue;
    if (!route.namespace_name.empty() && std::get<1>(entry.first) != route.namespace_name) continue;
    items.push_back(*entry.second.second);
  }
  return answer(200, {{"items", std::move(items)}});
}

}  // namespace ebb::testing
