// A fast comparison of documents.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace ebb::schema {

// Returns the same as operator==. Documents that follow a schema have their fields in the same
// order, so comparing fields pairwise avoids lookups; another order costs a search.
[[nodiscard]] bool fast_equal(const boost::json::value& a, const boost::json::value& b);
[[nodiscard]] bool fast_equal(const boost::json::object& a, const boost::json::object& b);

}  // namespace ebb::schema
