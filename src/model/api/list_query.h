// Queries for lists and watches, and the status codes that mean a server does not support one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ebb::model {

// For one segment of a path, or a value in a query.
[[nodiscard]] std::string percent_encoded(std::string_view text);

// One page of a consistent list; an empty token requests the first page. Never sends a
// resourceVersion: an inexact one allows any old state that the server happens to have.
[[nodiscard]] std::string page_query(std::string_view continue_token);

// Requests all existing objects, then a bookmark, then changes. The server ends the stream after
// `timeout_seconds`; 0 leaves that to the server, here and below.
[[nodiscard]] std::string streaming_list_query(std::uint64_t timeout_seconds);
[[nodiscard]] std::string watch_query(std::string_view after_revision,
                                      std::uint64_t timeout_seconds);

// The server does not support the request. Other failures may not recur.
[[nodiscard]] constexpr bool refuses_request(int code) {
  return code >= 400 && code < 500 && code != 401 && code != 403 && code != 404 && code != 408 &&
         code != 410 && code != 429;
}

}  // namespace ebb::model
