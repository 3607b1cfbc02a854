// The limit on open files and sockets of the process.
#pragma once

#include <cstddef>

namespace ebb::net {

// Raises the limit as far as the system allows, and returns the new limit.
std::size_t raise_descriptor_limit();

}  // namespace ebb::net
