#include "schema/core/picker_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "base/base64.h"
#include "schema/core/name_rules.h"

namespace ebb::schema {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

bool consists_of(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

// Resolvers and URL parsers decide by the last part whether a host is an address.
bool is_number(std::string_view label) {
  if (label.starts_with("0x")) return consists_of(label.substr(2), kHexDigits);
  return consists_of(label, kDigits);
}

bool has_long_label(std::string_view name) {
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    if (dot > kMaxLabelBytes) return true;
    name.remove_prefix(dot + 1);
  }
  return name.size() > kMaxLabelBytes;
}

// glibc's function accepts only decimal numbers without leading zeros, and no zones.
bool is_address(int family, std::string_view text) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return inet_pton(family, std::string(text).c_str(), address.data()) == 1;
}

// Headers that frame or route the message, then those that describe the request, the accepted
// answers, and the client.
constexpr std::string_view kReserved[] = {
    "connection",
    "content-length",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "accept",
    "accept-encoding",
    "content-encoding",
    "content-type",
    "idempotency-key",
    "ebb-shadow",
    "user-agent",
};

constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----";
constexpr std::string_view kAnyBegin = "-----BEGIN ";

// Removes a PEM block, and any text before it, from the front; false if there is none or it is not
// a certificate.
bool take_certificate(std::string_view& pem) {
  const std::size_t begin = pem.find(kAnyBegin);
  if (begin == std::string_view::npos) return false;
  pem.remove_prefix(begin);
  if (!pem.starts_with(kBegin)) return false;
  pem.remove_prefix(kBegin.size());
  const std::size_t end = pem.find(kEnd);
  if (end == std::string_view::npos) return false;
  const auto bytes = decode_base64(pem.substr(0, end));
  pem.remove_prefix(end + kEnd.size());
  return bytes && !bytes->empty();
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return copy;
}

bool is_dns_name(std::string_view text) {
  const std::string folded = lower_case(text);
  if (!dns_subdomain_errors(folded).empty() || has_long_label(folded)) return false;
  const std::string_view name = folded;
  return !is_number(name.substr(name.rfind('.') + 1));
}

bool is_picker_host(std::string_view text) {
  if (is_dns_name(text)) return true;
  if (!consists_of(text, "0123456789abcdefABCDEF:.")) return false;
  return is_address(text.find(':') == std::string_view::npos ? AF_INET : AF_INET6, text);
}

std::optional<std::uint16_t> picker_port(const boost::json::value& port) {
  std::int64_t number = 0;
  if (port.is_int64()) {
    number = port.get_int64();
  } else if (port.is_string()) {
    const std::string_view text = port.get_string();
    if (text.empty() || text.front() == '0' || !consists_of(text, kDigits)) return std::nullopt;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec != std::errc()) return std::nullopt;
  }
  if (number < 1 || number > 65535) return std::nullopt;
  return static_cast<std::uint16_t>(number);
}

bool is_picker_path(std::string_view text) {
  return text.starts_with('/') && text.size() <= kMaxPickerPathBytes &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return c > ' ' && c <= '~' && c != '#'; });
}

bool is_header_name(std::string_view name) {
  constexpr std::string_view kAllowed =
      "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !name.empty() && name.size() <= kMaxHeaderNameBytes && consists_of(name, kAllowed);
}

bool is_metadata_name(std::string_view name) {
  return is_header_name(name) && consists_of(name, "abcdefghijklmnopqrstuvwxyz0123456789-_.") &&
         !name.ends_with("-bin");
}

std::span<const std::string_view> reserved_headers() { return kReserved; }

bool is_reserved_header(std::string_view name) {
  const std::string folded = lower_case(name);
  return folded.starts_with("proxy-") ||
         std::find(std::begin(kReserved), std::end(kReserved), folded) != std::end(kReserved);
}

bool is_reserved_metadata(std::string_view name) {
  return is_reserved_header(name) || lower_case(name).starts_with("grpc-");
}

bool is_header_value(std::string_view value) {
  return value.size() <= kMaxPickerHeaderBytes &&
         std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

Result<std::string> decode_ca_bundle(std::string_view base64) {
  constexpr auto kInvalid = ErrorCode::kInvalidInput;
  constexpr const char* kForm = "must be certificates in PEM format, in base64";
  if (base64.size() > kMaxCaBundleBytes) {
    return fail(kInvalid, fmt::format("must have at most {} bytes", kMaxCaBundleBytes));
  }
  auto pem = decode_base64(base64);
  if (!pem) return fail(kInvalid, kForm);
  std::string_view rest = *pem;
  std::size_t certificates = 0;
  do {
    if (!take_certificate(rest)) return fail(kInvalid, kForm);
    ++certificates;
  } while (rest.find(kAnyBegin) != std::string_view::npos);
  if (certificates > kMaxCaCertificates) {
    return fail(kInvalid, fmt::format("must have at most {} certificates; it has {}",
                                      kMaxCaCertificates, certificates));
  }
  return std::move(*pem);
}

}  // namespace ebb::schema
