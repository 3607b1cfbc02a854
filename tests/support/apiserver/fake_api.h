// A minimal API server for components: objects in a map, and a list of changes. It implements
// deletion (grace, finalizers, preconditions) but validates nothing.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/request/route.h"
#include "model/component/component.h"

namespace ebb::testing {

class FakeApi {
 public:
  [[nodiscard]] model::ApiResponse handle(const model::ApiRequest& request, Timestamp now);

  // Changes since the last call, in order.
  [[nodiscard]] std::vector<model::ObjectEvent> take_events();

  using Object = std::shared_ptr<const boost::json::object>;
  [[nodiscard]] std::vector<Object> list(std::string_view plural) const;
  // All objects, as events of their addition.
  [[nodiscard]] std::vector<model::ObjectEvent> everything() const;

 private:
  using Key = std::tuple<std::string_view, std::string, std::string>;  // plural, namespace, name

  [[nodiscard]] static Key key_of(const apiserver::Route& route);
  model::ApiResponse create(const apiserver::Route& route, boost::json::object object,
                            Timestamp now);
  model::ApiResponse bind(const apiserver::Route& route, const boost::json::object& binding);
  model::ApiResponse patch(const apiserver::Route& route, const boost::json::object& changes);
  model::ApiResponse finalize(const apiserver::Route& route, const boost::json::object& object);
  model::ApiResponse remove(const apiserver::Route& route, const boost::json::object& options,
                            Timestamp now);
  model::ApiResponse read(const apiserver::Route& route) const;
  model::ApiResponse store(const apiserver::Route& route, boost::json::object object, int code);

  std::map<Key, std::pair<const schema::Kind*, Object>> objects_;
  std::vector<model::ObjectEvent> events_;
  std::uint64_t revision_ = 0;
};

}  // namespace ebb::testing
