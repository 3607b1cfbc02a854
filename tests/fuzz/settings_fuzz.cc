// Fuzzes the settings of pickers, which may come from any API server. Accepted settings follow
// the rules, and errors name the field without quoting its value.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "input.h"
#include "picker/settings.h"
#include "schema/core/picker_rules.h"
#include "section.h"

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
  EBB_CHECK(settings.headers.size() <= ebb::schema::kMaxPickerHeaders);
  if (!settings.tls) {
    EBB_CHECK(settings.ca_pem.empty() && settings.server_name.empty() &&
              settings.client_certificate.empty());
  }
  std::size_t bytes = 0;
  for (const Header& header : settings.headers) {
    check_header(header, settings);
    bytes += header.name.size() + header.value.size();
  }
  EBB_CHECK(bytes <= ebb::schema::kMaxPickerHeaderBytes);
  const std::string endpoint = settings.endpoint();
  EBB_CHECK(endpoint.find_first_of(" \r\n@#?%") == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ebb::fuzz::check_section(ebb::fuzz::as_text(data, size), kWhere, ebb::picker::decode_settings,
                           check_settings);
  return 0;
}
