// The real API server, without HTTP, as the backend of a world of machines: requests are
// handled and published at once, and what machines hear of comes from its watches.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/api_server.h"
#include "apiserver/watch.h"
#include "support/machine_world.h"

namespace ebb::testing {

class ServedWorld {
 public:
  explicit ServedWorld(Timestamp start = kNow);

  // The machine sees everything that exists.
  void add(std::unique_ptr<model::Machine> machine);

  // The objects of a kind, in all namespaces.
  [[nodiscard]] std::vector<std::shared_ptr<const boost::json::object>> list(
      std::string_view plural);
  // Nothing if there is no such object.
  [[nodiscard]] std::shared_ptr<const boost::json::object> find(std::string_view plural,
                                                                std::string_view name);

  MachineWorld world;

 private:
  struct Stream {
    const schema::Kind* kind = nullptr;
    std::shared_ptr<apiserver::WatchCursor> cursor{};
    std::string revision{};  // seen up to here
  };

  model::ApiResponse handle(const model::ApiRequest& request, Timestamp now);
  void publish(Timestamp now);
  std::vector<model::ObjectEvent> take_events(Timestamp now);
  // Appends what a watch has to tell; false if it has ended.
  bool follow(Stream& stream, std::vector<model::ObjectEvent>& events, Timestamp now);

  apiserver::ApiServer server_;
  std::vector<Stream> streams_;
  std::vector<std::unique_ptr<model::Machine>> machines_;
};

}  // namespace ebb::testing
