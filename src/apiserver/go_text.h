// JSON values as Go prints them in the messages that Kubernetes has for them:
// `map[image:web:2 ports:[80 443]]`.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/kind.hpp>
#include <boost/json/value.hpp>

namespace ebb::apiserver {

// Very long values are cut off: it is for messages.
[[nodiscard]] std::string go_text(const boost::json::value& value);

// The type that such a value has in Go: map[string]interface {}.
[[nodiscard]] std::string_view go_type(boost::json::kind kind);

}  // namespace ebb::apiserver
