// The rules for the settings of a pod picker. The API server refuses settings that break them, and
// the controller checks them again, because it may run against another API server.
//
// Custom headers could subvert a request, so headers that frame or route it, and headers that ebb
// sets itself, are reserved, in any case of letters. Hosts are names or plain addresses. A spelling
// that some resolvers read as an address (0177.0.0.1, 0x7f.1, 2130706433) is refused.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

#include "base/result.h"

namespace ebb::schema {

inline constexpr std::size_t kMaxPickerHeaders = 64;
// Secrets are read for each request, under one shared rate limit.
inline constexpr std::size_t kMaxPickerSecrets = 4;
// Names and values together, including those from Secrets.
inline constexpr std::size_t kMaxPickerHeaderBytes = 16'384;
inline constexpr std::size_t kMaxHeaderNameBytes = 256;
inline constexpr std::size_t kMaxPickerPathBytes = 2048;
inline constexpr std::size_t kMaxCaBundleBytes = 262'144;  // of base64
// They are parsed for each connection, about ten in a millisecond, on the one thread of all picker
// calls. The system's authorities are trusted anyway, so a bundle needs only a few of its own.
inline constexpr std::size_t kMaxCaCertificates = 32;
// The limit for tls.crt and tls.key each: a chain of four certificates has about 8 KiB.
inline constexpr std::size_t kMaxClientCertificateBytes = 65'536;

[[nodiscard]] std::string lower_case(std::string_view text);

// A DNS name that no resolver reads as an address.
[[nodiscard]] bool is_dns_name(std::string_view text);
// A DNS name, an IPv4 address in decimal, or an IPv6 address without brackets and zone.
[[nodiscard]] bool is_picker_host(std::string_view text);

// 1..65535, as a number or as decimal digits.
[[nodiscard]] std::optional<std::uint16_t> picker_port(const boost::json::value& port);

// The path and query of a request in encoded form: `/pick?zone=a`.
[[nodiscard]] bool is_picker_path(std::string_view text);

// A token as defined in RFC 9110.
[[nodiscard]] bool is_header_name(std::string_view name);
// Lower-case letters, digits, `-`, `_`, `.`. Names that end in `-bin` are refused: they carry
// bytes, which settings cannot contain.
[[nodiscard]] bool is_metadata_name(std::string_view name);
// The HTTP headers and gRPC metadata that settings must not set: this list, `proxy-*`, and `grpc-*`
// in metadata.
[[nodiscard]] std::span<const std::string_view> reserved_headers();
[[nodiscard]] bool is_reserved_header(std::string_view name);
[[nodiscard]] bool is_reserved_metadata(std::string_view name);
// Printable ASCII.
[[nodiscard]] bool is_header_value(std::string_view value);

// Decodes a caBundle: PEM in base64. Only the format and the number of certificates are checked; an
// invalid certificate fails when it is used. Other blocks, such as keys, are refused. The error is
// the rule that the field breaks: "must ...".
[[nodiscard]] Result<std::string> decode_ca_bundle(std::string_view base64);

}  // namespace ebb::schema
