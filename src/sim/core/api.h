// The API server of the world: the real src/apiserver, whose writes are durable at once.
//
// Listeners are notified of each change, in order, from within the request that made it, so they
// record it and act later.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/api_server.h"
#include "apiserver/response/watch.h"
#include "model/component/component.h"
#include "sim/core/timeline.h"

namespace ebb::sim {

class Api {
 public:
  Api(Timeline& time, const apiserver::Settings& settings);

  using Listener = std::function<void(const model::ObjectEvent& event, model::Revision revision)>;
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }

  // `session`: of the last reply to this request, if webhooks review it.
  [[nodiscard]] apiserver::Reply handle(model::ApiRequest request,
                                        std::shared_ptr<apiserver::WebhookSession> session = {});
  [[nodiscard]] apiserver::Frames follow(apiserver::WatchCursor& cursor, std::size_t max_bytes);
  [[nodiscard]] model::Revision revision() const { return server_.published(); }

  // A request without faults. Webhooks that review it are answered by `answer_at_once`.
  model::ApiResponse request(const model::ApiRequest& request);
  std::function<void(const std::shared_ptr<apiserver::WebhookSession>& session)> answer_at_once;

 private:
  void publish();

  Timeline& time_;
  apiserver::ApiServer server_;
  std::vector<Listener> listeners_;
  std::set<std::tuple<const schema::Kind*, std::string, std::string>> exists_;
};

}  // namespace ebb::sim
