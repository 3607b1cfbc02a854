// JSON as people write it: 0.478, where Boost.JSON would print 4.78E-1. For what people read:
// decision records, plans, reports.
#pragma once

#include <string>

#include <boost/json/value.hpp>

namespace ebb::schema {

// In one line, without blanks.
[[nodiscard]] std::string plain_json(const boost::json::value& value);

}  // namespace ebb::schema
