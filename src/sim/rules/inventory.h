// The complete objects that exist at the API server.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "control/cache/store.h"
#include "model/component/component.h"
#include "schema/core/kind.h"

namespace ebb::sim {

class Inventory {
 public:
  using Object = std::shared_ptr<const boost::json::object>;

  void apply(const model::ObjectEvent& event);

  // Finds an object of the world's one namespace, or a cluster-scoped one; null if there is none.
  [[nodiscard]] Object find(const schema::Kind& kind, std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names(const schema::Kind& kind) const;
  // Fills the store, which must be empty, with the state that a synced process would see.
  void fill(control::Store& store) const;

 private:
  std::map<const schema::Kind*, std::map<std::string, Object, std::less<>>> objects_;
};

}  // namespace ebb::sim
