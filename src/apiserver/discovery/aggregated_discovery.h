// All groups and resources in one document (apidiscovery.k8s.io/v2), which clients since Kubernetes
// 1.26 request first.
#pragma once  // private to its room

#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

namespace ebb::apiserver {

inline constexpr std::string_view kAggregatedMediaType =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

// One group with the APIResourceLists of its versions.
struct DiscoveredGroup {
  std::string_view name{};
  std::vector<boost::json::object> lists{};
};

[[nodiscard]] boost::json::object aggregated_discovery(const std::vector<DiscoveredGroup>& groups);

}  // namespace ebb::apiserver
