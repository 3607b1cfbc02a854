// Reads the head of a response.
#pragma once

#include <string>
#include <string_view>

#include "net/client/http_client.h"

namespace ebb::net {

// Takes one line of the head, the status line first. Each status line starts over, because interim
// responses (1xx) precede the final one.
void take_head_line(std::string_view line, HttpReply& reply);

// The text of a Warning header, such as: 299 - "policy/v1beta1 is deprecated". Empty if it has
// another form.
[[nodiscard]] std::string warning_text(std::string_view value);

}  // namespace ebb::net
