// The picker settings of spec.downscalePodPicker, or of spec.podPicker of a DownscalePolicy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/value.hpp>

#include "base/result.h"
#include "base/timestamp.h"

namespace ebb::picker {

// A key of a Secret in the ReplicaSet's own namespace.
struct SecretKey {
  std::string secret;
  std::string key;
  bool optional = false;  // if missing, the header is left out
};

// An HTTP header or an item of gRPC metadata: either `value` or `from`.
struct Header {
  std::string name;
  std::string value{};
  std::optional<SecretKey> from{};
};

enum class Protocol : std::uint8_t { kHttp, kGrpc };
enum class Context : std::uint8_t { kNames, kFull };

struct Settings {
  Protocol protocol = Protocol::kHttp;
  bool tls = false;
  std::string host{};  // a name or an address, IPv6 without brackets
  std::uint16_t port = 80;
  std::string path = "/";  // of HTTP
  std::vector<Header> headers{};
  std::string ca_pem{};              // trusted in addition to the system's authorities
  std::string server_name{};         // expected in the certificate; empty: the host
  std::string client_certificate{};  // name of a kubernetes.io/tls Secret; empty: none
  Context context = Context::kNames;
  Nanoseconds timeout_ns = kNanosecondsPerSecond;  // of all attempts together
  int max_retries = 3;

  // The picker's address, without path and headers: https://picker.shop.svc:443, grpc://...,
  // grpcs://... Limits are keyed by it, and messages show only this much.
  [[nodiscard]] std::string endpoint() const;
};

// `where` is the field that holds the settings: an error names the path below it and what would be
// right. Everything is checked, including rules that an API server enforces: settings from a
// cluster with another schema must never stop a scale-down or reach the wire.
[[nodiscard]] Result<Settings> decode_settings(const boost::json::value& picker,
                                               std::string_view where);

// Framing headers, hop-by-hop headers and ebb's own headers cannot be set, in any case.
[[nodiscard]] bool may_set_header(std::string_view name, Protocol protocol);
// Only visible text; no CR, LF or NUL.
[[nodiscard]] bool valid_header_value(std::string_view value);

}  // namespace ebb::picker
