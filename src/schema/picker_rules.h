// What the settings of a pod picker may look like. An API server refuses what breaks these rules,
// and the controller does not trust that one did: both ask here.
//
// Headers are the way out of a request, so nothing that frames or routes it, and nothing that we
// say ourselves, can be set, in any case of letters. Hosts are names or plain addresses:
// a spelling that some resolver reads as an address (0177.0.0.1, 0x7f.1, 2130706433) is neither.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <boost/json/value.hpp>

namespace ebb::schema {

inline constexpr std::size_t kMostPickerHeaders = 64;
// Secrets are read for each question, through the one limit that all of them share.
inline constexpr std::size_t kMostPickerSecrets = 4;
// Of names and values together, those from Secrets included.
inline constexpr std::size_t kMostPickerHeaderBytes = 16'384;
inline constexpr std::size_t kMostHeaderNameBytes = 256;
inline constexpr std::size_t kMostPickerPathBytes = 2048;
inline constexpr std::size_t kMostCaBundleBytes = 262'144;  // of base64

[[nodiscard]] std::string lower_case(std::string_view text);

// A DNS name that no resolver takes for an address.
[[nodiscard]] bool is_dns_name(std::string_view text);
// A DNS name, four decimal numbers, or an IPv6 address without brackets and zone.
[[nodiscard]] bool is_picker_host(std::string_view text);

// 1..65535, as a number or as its decimal digits.
[[nodiscard]] std::optional<std::uint16_t> picker_port(const boost::json::value& port);

// The path and query of a request, ready to be sent: `/pick?zone=a`.
[[nodiscard]] bool is_picker_path(std::string_view text);

// A token in the sense of RFC 9110.
[[nodiscard]] bool is_header_name(std::string_view name);
// Lower-case letters, digits, `-`, `_`, `.`; a name in `-bin` stands for bytes, which settings
// cannot hold.
[[nodiscard]] bool is_metadata_name(std::string_view name);
// Headers of HTTP, and metadata of gRPC, that are not for settings to set: those of the list,
// `proxy-*`, and `grpc-*` of metadata.
[[nodiscard]] std::span<const std::string_view> reserved_headers();
[[nodiscard]] bool is_reserved_header(std::string_view name);
[[nodiscard]] bool is_reserved_metadata(std::string_view name);
// Printable ASCII.
[[nodiscard]] bool is_header_value(std::string_view value);

// The certificates of a caBundle: PEM in base64. Only the form is looked at; whether a
// certificate is any good shows when it is used. Other blocks, such as keys, are refused.
[[nodiscard]] std::optional<std::string> decode_ca_bundle(std::string_view base64);

}  // namespace ebb::schema
