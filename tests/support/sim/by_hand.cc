#include "support/sim/by_hand.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "sim/core/objects.h"

namespace ebb::testing {

using control::Resource;

void list_into(sim::World& world, control::Store& store) {
  for (const auto& [kind, resource] : {std::pair(&sim::pods(), Resource::kPods),
                                       std::pair(&sim::replica_sets(), Resource::kReplicaSets)}) {
    const auto list =
        world.request("user", model::get_request(model::collection_path(*kind, sim::kNamespace)));
    const auto body = boost::json::parse(list.body.str()).as_object();
    store.begin_listing(resource);
    for (const auto& item : body.at("items").as_array()) {
      EXPECT_TRUE(
          store.upsert(resource, control::Store::Format::kJson, boost::json::serialize(item)));
    }
    store.end_listing(resource);
  }
}

std::vector<control::Decision::Victim> victims(const sim::World& world,
                                               const std::vector<std::string>& names) {
  std::vector<control::Decision::Victim> victims;
  for (const std::string& name : names) {
    victims.push_back({.name = name,
                       .uid = world.truth.pod(sim::kNamespace, name)->uid,
                       .node = {},
                       .rule = {},
                       .because = {},
                       .outcome = {}});
  }
  return victims;
}

}  // namespace ebb::testing
