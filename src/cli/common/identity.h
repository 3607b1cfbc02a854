// What distinguishes this process from all others: a random number, and its name in a lease.
#pragma once

#include <cstdint>
#include <string>

namespace ebb::cli {

[[nodiscard]] std::uint64_t random_number();

// Different for each start, so that no process takes a predecessor's lease for its own.
[[nodiscard]] std::string process_identity();

}  // namespace ebb::cli
