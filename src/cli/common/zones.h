// The zone of each node.
#pragma once

#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/records/snapshot.h"

namespace ebb::cli {

using Zones = boost::unordered_flat_map<model::Interned, std::string_view>;

// Covers the nodes in the input; refers to the snapshot.
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
