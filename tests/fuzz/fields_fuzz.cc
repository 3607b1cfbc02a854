// FieldsV1 of any content: what is read can be written and read again, and sets of it behave.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/field_set.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace json = boost::json;
  using namespace ebb::apiserver;
  json::parse_options options;
  options.max_depth = 1000;
  json::error_code error;
  const json::value value =
      json::parse(json::string_view(reinterpret_cast<const char*>(data), size), error, {}, options);
  if (error || !value.is_object()) return -1;
  const auto set = parse_fields_v1(value.get_object());
  if (!set) return 0;
  const auto again = parse_fields_v1(to_fields_v1(*set));
  EBB_CHECK(again && *again == *set);
  EBB_CHECK(united(*set, *set) == *set && intersection(*set, *set) == *set);
  EBB_CHECK(difference(*set, *set).empty() && recursive_difference(*set, *set).empty());
  for (const std::string& path : path_texts(*set)) EBB_CHECK(!path.empty());
  return 0;
}
