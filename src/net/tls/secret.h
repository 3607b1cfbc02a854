// Helpers for secrets.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace ebb::net {

// 256 random bits as hexadecimal digits.
[[nodiscard]] std::string random_token();

// Takes the same time for all texts, to prevent timing attacks.
[[nodiscard]] bool equal_secrets(std::string_view a, std::string_view b);

// A key to store facts about a secret without storing the secret.
using Digest = std::array<unsigned char, 32>;
[[nodiscard]] Digest sha256(std::string_view text);

}  // namespace ebb::net
