// Label selectors as text: `app=web,tier in (a,b),!canary`.
#pragma once

#include <optional>
#include <string>

#include <boost/json/object.hpp>

namespace ebb::schema {

// The text of a metav1 LabelSelector, requirements sorted by key. Empty for a selector that is
// absent or without requirements; nothing for an invalid one.
[[nodiscard]] std::optional<std::string> selector_text(const boost::json::object* selector);

// The same for humans: `<none>` for empty and `<error>` for invalid.
[[nodiscard]] std::string printed_selector(const boost::json::object* selector);

// A plain map of labels: `app=web,tier=a`, or `<none>`.
[[nodiscard]] std::string printed_labels(const boost::json::object* labels);

}  // namespace ebb::schema
