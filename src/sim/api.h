// The API server of the world: the real src/apiserver, whose writes are durable at once.
//
// Whoever wants to hear of changes is told of each, in order, from within the request that made
// it: listeners take note and act later.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "apiserver/api_server.h"
#include "apiserver/watch.h"
#include "model/machine.h"
#include "sim/timeline.h"

namespace ebb::sim {

class Api {
 public:
  Api(Timeline& time, const apiserver::Settings& settings);

  using Listener = std::function<void(const model::ObjectEvent& event, model::Revision revision)>;
  void listen(Listener listener) { listeners_.push_back(std::move(listener)); }

  [[nodiscard]] apiserver::Reply handle(model::ApiRequest request);
  [[nodiscard]] apiserver::Frames follow(apiserver::WatchCursor& cursor, std::size_t most_bytes);
  [[nodiscard]] model::Revision revision() const { return server_.published(); }

  // The requests of those to whom nothing happens on the way.
  model::ApiResponse request(const model::ApiRequest& request);

 private:
  void publish();

  Timeline& time_;
  apiserver::ApiServer server_;
  std::vector<Listener> listeners_;
  std::set<std::tuple<const schema::Kind*, std::string, std::string>> exists_;
};

}  // namespace ebb::sim
