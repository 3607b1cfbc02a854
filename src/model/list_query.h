// How lists and watches are asked for, and which refusals say that a server has no sense for
// the question.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ebb::model {

// For one segment of a path, or a value in a query.
[[nodiscard]] std::string percent_encoded(std::string_view text);

// A page of a consistent list; an empty token asks for the first one. Never from a revision:
// what is not asked for exactly may be any old state that the server happens to have.
[[nodiscard]] std::string page_query(std::string_view continue_token);

// Everything there is, then a bookmark, then what changes. The server ends it after so many
// seconds; 0 leaves that to the server, here and below.
[[nodiscard]] std::string streaming_list_query(std::uint64_t timeout_seconds);
[[nodiscard]] std::string watch_query(std::string_view after_revision,
                                      std::uint64_t timeout_seconds);

// The server has no sense for what was asked. Everything else may be different the next time.
[[nodiscard]] constexpr bool refuses_request(int code) {
  return code >= 400 && code < 500 && code != 401 && code != 403 && code != 404 && code != 408 &&
         code != 410 && code != 429;
}

}  // namespace ebb::model
