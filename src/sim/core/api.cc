#include "sim/core/api.h"

#include <boost/json/parse.hpp>

#include "base/check.h"
#include "model/json/managed_fields_text.h"

namespace ebb::sim {

Api::Api(Timeline& time, const apiserver::Settings& settings) : time_(time), server_(settings) {
  server_.bootstrap(time.now());
  publish();
}

apiserver::Reply Api::handle(model::ApiRequest request,
                             std::shared_ptr<apiserver::WebhookSession> session) {
  if (request.received.is_zero()) request.received = time_.now();
  if (request.user_agent.empty()) request.user_agent = "ebb";
  apiserver::Reply reply = server_.handle(request, time_.now(), std::move(session));
  publish();
  return reply;
}

model::ApiResponse Api::request(const model::ApiRequest& request) {
  apiserver::Reply reply = handle(request);
  while (reply.session) {
    EBB_CHECK(answer_at_once);
    answer_at_once(reply.session);
    reply = handle(request, reply.session);
  }
  return std::move(reply.response);
}

apiserver::Frames Api::follow(apiserver::WatchCursor& cursor, std::size_t max_bytes) {
  return server_.follow(cursor, time_.now(), max_bytes);
}

void Api::publish() {
  for (const apiserver::Change& change : server_.take_staged()) {
    server_.publish(change.revision, time_.now());
    boost::json::error_code error;
    // No client in the world reads managed fields.
    const auto cut = model::cut_managed_fields(change.json.text);
    boost::json::value value =
        boost::json::parse(cut ? std::string_view(cut->rest) : change.json.text, error);
    EBB_CHECK(!error && value.is_object());
    using Type = model::ObjectEvent::Type;
    std::tuple key(change.kind, change.namespace_name, change.name);
    Type type = Type::kDeleted;
    if (change.deleted) {
      exists_.erase(key);
    } else {
      type = exists_.insert(std::move(key)).second ? Type::kAdded : Type::kModified;
    }
    const model::ObjectEvent event{
        type, change.kind,
        std::make_shared<const boost::json::object>(std::move(value.get_object()))};
    for (const Listener& listener : listeners_) listener(event, change.revision);
  }
}

}  // namespace ebb::sim
