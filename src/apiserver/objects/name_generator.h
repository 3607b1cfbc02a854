// Generates names and uids.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace ebb::apiserver {

// A random (version 4) UUID.
[[nodiscard]] std::string generate_uid(std::mt19937_64& random);

// Returns the base and five random characters, 63 characters at most.
[[nodiscard]] std::string generate_name(std::string_view base, std::mt19937_64& random);

}  // namespace ebb::apiserver
