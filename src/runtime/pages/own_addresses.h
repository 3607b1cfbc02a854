// The addresses where pickers must not be, because ebb itself uses them: the API server's addresses
// and those of the machine or pod that this process runs on, whichever of them the health server is
// bound to.
//
// Loopback addresses are left out. They are forbidden by default, and where an operator allows
// them, as `ebb up` does, ebb's own servers and the pickers share them: there the ports decide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/address/egress_policy.h"

namespace ebb::runtime {

// The addresses of `https://host:port/path`, resolved now.
[[nodiscard]] Result<std::vector<net::IpAddress>> addresses_of_server(std::string_view url);

// The URL's port, or the default port of its scheme.
[[nodiscard]] std::uint16_t port_of_server(std::string_view url);

// The address of the Service `kubernetes`, from the environment of the pod: it leads to the API
// server too, under a different address. Nothing outside a cluster.
[[nodiscard]] std::optional<net::IpAddress> address_of_service();

// The addresses of all interfaces, read now.
[[nodiscard]] std::vector<net::IpAddress> addresses_of_machine();

}  // namespace ebb::runtime
