// Prints JSON values as Go does in Kubernetes' messages: `map[image:web:2 ports:[80 443]]`.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/kind.hpp>
#include <boost/json/value.hpp>

namespace ebb::apiserver {

// For messages: very long values are truncated.
[[nodiscard]] std::string go_text(const boost::json::value& value);

// The Go type of such a value: map[string]interface {}.
[[nodiscard]] std::string_view go_type(boost::json::kind kind);

}  // namespace ebb::apiserver
