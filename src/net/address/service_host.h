// Services as picker hosts, if pickers are limited to their workload's namespace.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ebb::net {

// The full DNS name, without a trailing dot, of the Service in this namespace that the host refers
// to: `picker`, `picker.shop`, `picker.shop.svc` and `picker.shop.svc.cluster.local` in namespace
// shop. Nothing for any other host, including addresses and Services of other namespaces.
//
// Only the full name may be looked up: relative names would be searched for in the controller's own
// namespace first, and then beyond the cluster.
[[nodiscard]] std::optional<std::string> service_host(std::string_view host,
                                                      std::string_view namespace_name,
                                                      std::string_view cluster_domain);

}  // namespace ebb::net
