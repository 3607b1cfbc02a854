// Whether a client addressed this machine by a loopback name.
#pragma once

#include <string_view>

namespace ebb::net {

// `host` is the value of a Host header: localhost, an address of 127.0.0.0/8 or [::1], with or
// without a port. A web page whose name resolves to 127.0.0.1 (DNS rebinding) sends its own name.
[[nodiscard]] bool is_loopback_host(std::string_view host);

}  // namespace ebb::net
