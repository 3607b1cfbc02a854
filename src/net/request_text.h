// A call as HTTP/1.1 has it.
#pragma once

#include <string>
#include <string_view>

#include "net/http_client.h"

namespace ebb::net {

// scheme://host:port, the part of a URL that says where a connection leads.
[[nodiscard]] std::string_view server_of(std::string_view url);

// Whether the URL is http or https and has nothing in it that would have to be rewritten before it
// is sent: user names, fragments, characters that have no place in a URL.
[[nodiscard]] bool is_plain_url(std::string_view url);

// Of a call with a plain URL: what is written to the connection. Appended, so that the room of an
// earlier one can be used again.
void append_request(const HttpCall& call, std::string& text);

// A line break in a header would begin another header.
[[nodiscard]] std::string one_line(std::string text);

}  // namespace ebb::net
