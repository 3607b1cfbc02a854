// Formats the head of a response.
#pragma once

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>

#include "net/server/http.h"

namespace ebb::net {

enum class Framing {
  kLength,      // Content-Length
  kChunks,      // Transfer-Encoding: chunked
  kUntilClose,  // neither: HTTP/1.0 streams end with the connection
};

[[nodiscard]] std::string_view reason_phrase(int code);

// `length` is for kLength only.
[[nodiscard]] std::string response_head(const HttpHead& head, Framing framing, std::size_t length,
                                        bool keep_alive, std::time_t now);

}  // namespace ebb::net
