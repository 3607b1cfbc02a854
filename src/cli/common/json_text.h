// Prints JSON values as kubectl does.
#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace ebb::cli {

// Indented by four spaces, members in the order in which they were added.
[[nodiscard]] std::string to_json_text(const boost::json::value& value);
// The same document as YAML.
[[nodiscard]] std::string to_yaml_text(const boost::json::value& value);

}  // namespace ebb::cli
