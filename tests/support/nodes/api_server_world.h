// The real API server, without HTTP, as the backend of a world of components: requests are handled
// and published at once, and components receive events from its watches.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/api_server.h"
#include "apiserver/response/watch.h"
#include "support/nodes/component_world.h"

namespace ebb::testing {

class ApiServerWorld {
 public:
  explicit ApiServerWorld(Timestamp start = kNow);

  // The component first receives all existing objects.
  void add(std::unique_ptr<model::Component> component);

  // The objects of a kind, in all namespaces.
  [[nodiscard]] std::vector<std::shared_ptr<const boost::json::object>> list(
      std::string_view plural);
  // Returns nothing if there is no such object.
  [[nodiscard]] std::shared_ptr<const boost::json::object> find(std::string_view plural,
                                                                std::string_view name);

  ComponentWorld world;

 private:
  struct Stream {
    const schema::Kind* kind = nullptr;
    std::shared_ptr<apiserver::WatchCursor> cursor{};
    std::string revision{};  // seen up to here
  };

  model::ApiResponse handle(const model::ApiRequest& request, Timestamp now);
  void publish(Timestamp now);
  std::vector<model::ObjectEvent> take_events(Timestamp now);
  // Appends the new events of a watch; returns false if it has ended.
  bool follow(Stream& stream, std::vector<model::ObjectEvent>& events, Timestamp now);

  apiserver::ApiServer server_;
  std::vector<Stream> streams_;
  std::vector<std::unique_ptr<model::Component>> components_;
};

}  // namespace ebb::testing
