// Checks whether a process listens at an address of this machine.
#pragma once

#include <string_view>

namespace ebb::net {

// `127.0.0.1:7443` or `[::1]:7443`. Waits a moment at most; false if unclear.
[[nodiscard]] bool is_listening(std::string_view address_and_port);

}  // namespace ebb::net
