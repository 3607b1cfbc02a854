// JSON for human readers (decision records, plans, reports): 0.478, where Boost.JSON prints
// 4.78E-1.
#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace ebb::schema {

// Prints one line without blanks.
[[nodiscard]] std::string plain_json(const boost::json::value& value);

}  // namespace ebb::schema
