// How lists and watches are asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "control/store.h"

namespace ebb::control {

// "/api/v1/pods": those of all namespaces.
[[nodiscard]] std::string list_path(Resource resource);
// What to accept; what comes may still be the other.
[[nodiscard]] std::string_view list_accept(bool protobuf);

// A page of a consistent list; an empty token asks for the first one. Never from a revision:
// what is not asked for exactly may be any old state that the server happens to have.
[[nodiscard]] std::string page_query(std::string_view continue_token);
// Everything there is, then a bookmark, then what changes.
[[nodiscard]] std::string streaming_list_query(std::uint64_t timeout_seconds);
[[nodiscard]] std::string watch_query(model::Revision after, std::uint64_t timeout_seconds);

}  // namespace ebb::control
