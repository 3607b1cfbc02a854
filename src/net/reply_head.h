// What a client wants to know from the head of an answer.
#pragma once

#include <string>
#include <string_view>

#include "net/http_client.h"

namespace ebb::net {

// One line of the head, the status line first. Each status line begins anew, because
// preliminary answers (1xx) come before the real one.
void take_head_line(std::string_view line, HttpReply& reply);

// The text of a Warning header, such as: 299 - "policy/v1beta1 is deprecated". Empty if it is
// not of that form.
[[nodiscard]] std::string warning_text(std::string_view value);

}  // namespace ebb::net
