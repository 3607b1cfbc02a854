// Small tools around secrets.
#pragma once

#include <string>
#include <string_view>

namespace ebb::net {

// 256 random bits as hexadecimal digits.
[[nodiscard]] std::string random_token();

// Takes the same time whatever the texts are, so that nobody can feel their way.
[[nodiscard]] bool equal_secrets(std::string_view a, std::string_view b);

[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace ebb::net
