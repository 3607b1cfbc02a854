#include "hollow/namespace_deleter.h"

#include <boost/json/parse.hpp>

#include "model/api/requests.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

using schema::text_at;

constexpr std::string_view kFinalizer = "kubernetes";

bool holds_finalizer(const boost::json::object& object) {
  const boost::json::array* all = schema::array_at(object, {"spec", "finalizers"});
  if (all == nullptr) return false;
  for (const boost::json::value& each : *all) {
    if (each.is_string() && each.get_string() == kFinalizer) return true;
  }
  return false;
}

bool lists_nothing(const model::ApiResponse& response) {
  boost::json::error_code error;
  const boost::json::value body = boost::json::parse(response.body.str(), error);
  if (error || !body.is_object()) return false;
  const boost::json::array* items = schema::array_at(body.get_object(), {"items"});
  return items == nullptr || items->empty();
}

}  // namespace

std::vector<const schema::Kind*> NamespaceDeleter::watched() const {
  return {model::namespace_kind()};
}

void NamespaceDeleter::observe(const model::ObjectEvent& event, Timestamp now) {
  const boost::json::object& object = *event.object;
  const std::string namespace_name(text_at(object, {"metadata", "name"}));
  if (event.type == model::ObjectEvent::Type::kDeleted) {
    namespaces_.erase(namespace_name);
    deadlines_.erase(namespace_name);
    return;
  }
  if (text_at(object, {"metadata", "deletionTimestamp"}).empty() || !holds_finalizer(object))
    return;
  Terminating& state = namespaces_[namespace_name];
  const std::string_view uid = text_at(object, {"metadata", "uid"});
  if (state.uid == uid) return;
  state = {.uid = std::string(uid)};
  deadlines_.set(namespace_name, now);
  wake(now);
}

void NamespaceDeleter::synced(Timestamp now) {
  synced_ = true;
  wake(now);
}

void NamespaceDeleter::wake(Timestamp now) {
  if (!synced_) return;
  for (const std::string& due : deadlines_.take_due(now)) {
    const auto found = namespaces_.find(due);
    if (found != namespaces_.end() && found->second.step == Step::kIdle) begin(due, found->second);
  }
}

void NamespaceDeleter::send(const std::string& namespace_name, Terminating& state,
                            model::ApiRequest request) {
  ++state.answers_due;
  outbox_.send(std::move(request), {.namespace_name = namespace_name, .uid = state.uid});
}

void NamespaceDeleter::begin(const std::string& namespace_name, Terminating& state) {
  state.step = Step::kDelete;
  state.clean = true;
  for (const schema::Kind& kind : schema::kinds()) {
    if (!kind.namespaced) continue;
    send(namespace_name, state,
         model::delete_request(model::collection_path(kind, namespace_name), {}));
  }
}

void NamespaceDeleter::answered(model::EffectId id, const model::ApiResponse& response,
                                Timestamp now) {
  const std::optional<Purpose> purpose = outbox_.answered(id);
  if (!purpose.has_value()) return;
  const auto found = namespaces_.find(purpose->namespace_name);
  if (found == namespaces_.end() || found->second.uid != purpose->uid) return;
  Terminating& state = found->second;
  --state.answers_due;
  if (!model::succeeded(response)) state.clean = false;
  if (state.step == Step::kCount && state.clean) state.clean = lists_nothing(response);
  if (state.step == Step::kRead && state.clean) {
    release(found->first, state, response);
  } else if (state.answers_due == 0) {
    go_on(found->first, state, now);
  }
}

void NamespaceDeleter::go_on(const std::string& namespace_name, Terminating& state, Timestamp now) {
  if (state.clean && state.step == Step::kDelete) {
    state.step = Step::kCount;
    for (const schema::Kind& kind : schema::kinds()) {
      if (!kind.namespaced) continue;
      model::ApiRequest request = model::get_request(model::collection_path(kind, namespace_name));
      request.query = "limit=1";
      send(namespace_name, state, std::move(request));
    }
  } else if (state.clean && state.step == Step::kCount) {
    state.step = Step::kRead;
    send(
        namespace_name, state,
        model::get_request(model::object_path(*model::namespace_kind(), {.name = namespace_name})));
  } else {
    // Pods may still be terminating, so start another round later. After a successful release only
    // the deletion of the namespace remains.
    state.step = Step::kIdle;
    deadlines_.set(namespace_name, later_by(now, retry_delay_ns(state.rounds++)));
  }
}

void NamespaceDeleter::release(const std::string& namespace_name, Terminating& state,
                               const model::ApiResponse& response) {
  state.step = Step::kRelease;
  boost::json::error_code error;
  boost::json::value body = boost::json::parse(response.body.str(), error);
  if (error || !body.is_object()) body = boost::json::object();
  boost::json::object& object = body.get_object();
  boost::json::array kept;
  if (const auto* all = schema::array_at(object, {"spec", "finalizers"}); all != nullptr) {
    for (const boost::json::value& each : *all) {
      if (!each.is_string() || each.get_string() != kFinalizer) kept.push_back(each);
    }
  }
  schema::ensure_object(object, {"spec"})["finalizers"] = std::move(kept);
  send(namespace_name, state,
       model::replace_request(
           model::object_path(*model::namespace_kind(), {.name = namespace_name}, "finalize"),
           object));
}

}  // namespace ebb::hollow
