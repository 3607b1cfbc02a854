// Computes the row of a table for tests.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "schema/core/kind.h"
#include "schema/core/time.h"

namespace ebb::schema {

inline constexpr std::string_view kTestNow = "2026-11-01T12:00:00Z";

// The cells as JSON, those for -o wide after a bar: `"web","1/1" | "10.0.0.1"`.
inline std::string row_of(std::span<const PrinterColumn> columns, std::string_view object) {
  const boost::json::value value = boost::json::parse(object);
  std::string narrow;
  std::string wide;
  for (const PrinterColumn& column : columns) {
    std::string& row = column.priority == 0 ? narrow : wide;
    if (!row.empty()) row += ' ';
    row += boost::json::serialize(column.cell(value.as_object(), *parse_time(kTestNow)));
  }
  return wide.empty() ? narrow : narrow + " | " + wide;
}

}  // namespace ebb::schema
