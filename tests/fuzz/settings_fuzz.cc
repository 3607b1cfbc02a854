// Settings of a picker, as any API server may hand them over: what is taken follows the rules, and
// what is refused is refused with a place and without a value.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <boost/json/parse.hpp>
#include <simdjson.h>

#include "base/check.h"
#include "picker/settings.h"
#include "schema/picker_rules.h"

namespace {

using ebb::picker::Header;
using ebb::picker::Settings;

constexpr std::string_view kWhere = "spec.podPicker";

void check_header(const Header& header, const Settings& settings) {
  EBB_CHECK(ebb::picker::may_set_header(header.name, settings.protocol));
  EBB_CHECK(ebb::picker::valid_header_value(header.value));
  if (header.from) {
    EBB_CHECK(header.value.empty());
    EBB_CHECK(!header.from->secret.empty() && !header.from->key.empty());
    EBB_CHECK(header.from->secret.find('/') == std::string::npos);
  }
}

void check_settings(const Settings& settings) {
  EBB_CHECK(ebb::schema::is_picker_host(settings.host));
  EBB_CHECK(settings.port >= 1);
  EBB_CHECK(ebb::schema::is_picker_path(settings.path));
  EBB_CHECK(settings.timeout_ns >= ebb::kNanosecondsPerSecond);
  EBB_CHECK(settings.timeout_ns <= 30 * ebb::kNanosecondsPerSecond);
  EBB_CHECK(settings.max_retries >= 0 && settings.max_retries <= 10);
  EBB_CHECK(settings.headers.size() <= ebb::schema::kMostPickerHeaders);
  if (!settings.tls) {
    EBB_CHECK(settings.ca_pem.empty() && settings.server_name.empty() &&
              settings.client_certificate.empty());
  }
  std::size_t bytes = 0;
  for (const Header& header : settings.headers) {
    check_header(header, settings);
    bytes += header.name.size() + header.value.size();
  }
  EBB_CHECK(bytes <= ebb::schema::kMostPickerHeaderBytes);
  const std::string endpoint = settings.endpoint();
  EBB_CHECK(endpoint.find_first_of(" \r\n@#?%") == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  boost::system::error_code code;
  boost::json::parse_options options;
  options.max_depth = 64;
  const auto value =
      boost::json::parse({reinterpret_cast<const char*>(data), size}, code, {}, options);
  if (code) return 0;
  const auto settings = ebb::picker::decode_settings(value, kWhere);
  if (settings) {
    check_settings(*settings);
    return 0;
  }
  // Messages are made of the names of fields and of our own words alone.
  const std::string_view message = settings.error().message;
  EBB_CHECK(message.starts_with(kWhere));
  EBB_CHECK(message.size() < 400);
  EBB_CHECK(simdjson::validate_utf8(message.data(), message.size()));
  return 0;
}
