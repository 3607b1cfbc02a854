// Formats a call as HTTP/1.1.
#pragma once

#include <string>
#include <string_view>

#include "net/client/http_client.h"

namespace ebb::net {

// scheme://host:port, the part of a URL that identifies the connection.
[[nodiscard]] std::string_view server_of(std::string_view url);

// Whether the URL is http or https and can be sent unchanged: no user names, fragments or
// characters that are invalid in a URL.
[[nodiscard]] bool is_plain_url(std::string_view url);

// Appends the request of a call with a plain URL. Appending lets the caller reuse the buffer.
void append_request(const HttpCall& call, std::string& text);

// Replaces line breaks, which would start another header.
[[nodiscard]] std::string one_line(std::string text);

}  // namespace ebb::net
