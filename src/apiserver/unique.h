// Names and uids that the server makes up.
#pragma once

#include <random>
#include <string>
#include <string_view>

namespace ebb::apiserver {

// A random (version 4) UUID.
[[nodiscard]] std::string generate_uid(std::mt19937_64& random);

// The base and five characters, at most 63 in all.
[[nodiscard]] std::string generate_name(std::string_view base, std::mt19937_64& random);

}  // namespace ebb::apiserver
