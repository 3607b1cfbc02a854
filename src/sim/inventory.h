// The objects that exist at the API server, as they are there, for who has to read them whole.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "control/store.h"
#include "model/machine.h"
#include "schema/kind.h"

namespace ebb::sim {

class Inventory {
 public:
  using Object = std::shared_ptr<const boost::json::object>;

  void apply(const model::ObjectEvent& event);

  // Of the world's one namespace, or of none; null if there is no such object.
  [[nodiscard]] Object find(const schema::Kind& kind, std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names(const schema::Kind& kind) const;
  // The store, which must be empty, then shows what a process would see that has seen everything.
  void fill(control::Store& store) const;

 private:
  std::map<const schema::Kind*, std::map<std::string, Object, std::less<>>> objects_;
};

}  // namespace ebb::sim
