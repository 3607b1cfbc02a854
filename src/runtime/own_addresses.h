// The addresses that pickers must not be at, because they are ours: those of the API server and of
// the machine or pod that we run on, whichever of them our own server is bound to.
//
// Loopback is left out of the addresses. It is forbidden by default, and where an operator allows
// it, as `ebb up` does, our own servers are on it beside the pickers: there it goes by ports.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/egress_policy.h"

namespace ebb::runtime {

// Of `https://host:port/path`, resolved now.
[[nodiscard]] Result<std::vector<net::IpAddress>> addresses_of_server(std::string_view url);

// Its port, or the one that its scheme stands for.
[[nodiscard]] std::uint16_t port_of_server(std::string_view url);

// Of all interfaces, now.
[[nodiscard]] std::vector<net::IpAddress> addresses_of_machine();

}  // namespace ebb::runtime
