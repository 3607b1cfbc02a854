// The continue token of a paginated list, read from the beginning of a page.
#pragma once

#include <string>
#include <string_view>

namespace ebb::bench {

// Empty after the last page. Throws if this is not the beginning of a list.
std::string continue_token_of_json(std::string_view beginning);
std::string continue_token_of_protobuf(std::string_view beginning);

}  // namespace ebb::bench
