// How many files and sockets the process may have open.
#pragma once

#include <cstddef>

namespace ebb::net {

// Raises the limit as far as the system lets anybody, and says what it is now.
std::size_t raise_descriptor_limit();

}  // namespace ebb::net
