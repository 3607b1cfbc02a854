// Sections of a DownscalePolicy, as any API server may hand them over.
#pragma once

#include <string_view>

#include <boost/json/parse.hpp>
#include <simdjson.h>

#include "base/check.h"

namespace ebb::fuzz {

// Decodes a section and checks the accepted settings. An error names the field.
template <class Decode, class Check>
void check_section(std::string_view text, std::string_view where, Decode decode, Check check) {
  boost::system::error_code code;
  boost::json::parse_options options;
  options.max_depth = 64;
  const auto value = boost::json::parse(text, code, {}, options);
  if (code) return;
  const auto settings = decode(value, where);
  if (settings) return check(*settings);
  // Messages are made of the names of fields and of our own words alone.
  const std::string_view message = settings.error().message;
  EBB_CHECK(message.starts_with(where));
  EBB_CHECK(message.size() < 400);
  EBB_CHECK(simdjson::validate_utf8(message.data(), message.size()));
}

}  // namespace ebb::fuzz
