// Validates the host name of a picker.
#pragma once

#include <string_view>

namespace ebb::picker_client {

// A DNS name, with or without a trailing dot. Not a text that other programs might take for an
// address (127.1, 0x7f000001, 2130706433): addresses must be written as such.
[[nodiscard]] bool is_host_name(std::string_view text);

}  // namespace ebb::picker_client
