// In which zone each node is.
#pragma once

#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/snapshot.h"

namespace ebb::cli {

using Zones = boost::unordered_flat_map<model::Interned, std::string_view>;

// Of the nodes that the input told of; refers to the snapshot.
[[nodiscard]] inline Zones find_zones(const model::Snapshot& snapshot) {
  constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";
  Zones zones;
  for (const model::Node& node : snapshot.nodes) {
    for (const model::Label& label : node.labels->labels) {
      if (label.key.view() == kZoneLabel) zones.emplace(node.name, label.value.view());
    }
  }
  return zones;
}

}  // namespace ebb::cli
