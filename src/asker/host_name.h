// What a picker's host may look like.
#pragma once

#include <string_view>

namespace ebb::asker {

// A DNS name, with or without a dot at its end. Not what other programs might take for an
// address (127.1, 0x7f000001, 2130706433): those who mean an address write one.
[[nodiscard]] bool is_host_name(std::string_view text);

}  // namespace ebb::asker
