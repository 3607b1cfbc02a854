// Everything that is served in one document, as clients since Kubernetes 1.26 ask for it first
// (apidiscovery.k8s.io/v2).
#pragma once

#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

namespace ebb::apiserver {

inline constexpr std::string_view kAggregatedMediaType =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

// The APIResourceLists of the versions of one group.
struct DiscoveredGroup {
  std::string_view name{};
  std::vector<boost::json::object> lists{};
};

[[nodiscard]] boost::json::object aggregated_discovery(const std::vector<DiscoveredGroup>& groups);

}  // namespace ebb::apiserver
