// How a pod picker is reached: spec.downscalePodPicker of workloads, spec.podPicker of policies.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "apiserver/checks.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::object_at;
using schema::text_at;

namespace {

std::string lower(std::string_view text) {
  std::string copy(text);
  std::transform(copy.begin(), copy.end(), copy.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return copy;
}

// Names and IPv4 addresses look like subdomains; IPv6 addresses are told by their colons.
void check_host(const json::object& endpoint, const FieldPath& path, Findings& findings) {
  const std::string_view host = text_at(endpoint, {"host"});
  if (host.empty()) return;
  const bool is_ipv6 =
      host.find("::") != std::string_view::npos || std::count(host.begin(), host.end(), ':') > 1;
  const bool fine =
      is_ipv6 ? host.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos
              : schema::dns_subdomain_complaints(lower(host)).empty();
  if (!fine) {
    findings.invalid(below(path, "host"), quoted(host),
                     "must be a host name or an IP address, without scheme, port or path");
  }
}

void check_port(const json::object& endpoint, const FieldPath& path, Findings& findings) {
  const json::value* port = endpoint.if_contains("port");
  if (port == nullptr) return;
  std::int64_t number = 0;
  if (port->is_int64()) {
    number = port->get_int64();
  } else if (port->is_string()) {
    const std::string_view text = port->get_string();
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
      findings.invalid(below(path, "port"), quoted(text),
                       "must be a number, or a number in quotes; a pod's port names are not known");
      return;
    }
  }
  if (number < 1 || number > 65535) {
    findings.invalid(below(path, "port"), json_text(port),
                     "must be between 1 and 65535, inclusive");
  }
}

// RFC 9110 calls this a token.
bool is_token(std::string_view text) {
  constexpr std::string_view kAllowed =
      "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !text.empty() && text.find_first_not_of(kAllowed) == std::string_view::npos;
}

// Headers that say how the message is framed or sent on are the client's own.
bool is_reserved(std::string_view name) {
  static constexpr std::string_view kReserved[] = {
      "connection", "content-length",    "expect",  "host", "keep-alive", "te",
      "trailer",    "transfer-encoding", "upgrade",
  };
  const std::string folded = lower(name);
  return folded.starts_with("proxy-") ||
         std::find(std::begin(kReserved), std::end(kReserved), folded) != std::end(kReserved);
}

void check_header_value(const json::object& header, const FieldPath& path, Findings& findings) {
  const json::value* value = header.if_contains("value");
  const json::object* source = object_at(header, {"valueFrom"});
  const std::string_view text = text_at(header, {"value"});
  if (value == nullptr && source == nullptr) {
    findings.required(below(path, "value"), "one of `value` and `valueFrom` must be specified");
  } else if (source != nullptr && !text.empty()) {
    findings.forbidden(below(path, "valueFrom"), "may not be specified when `value` is not empty");
  }
  constexpr std::string_view kBreaks("\r\n\0", 3);
  if (text.find_first_of(kBreaks) != std::string_view::npos) {
    // The value may be a secret, so it is not shown.
    findings.invalid(below(path, "value"), R"("<value omitted>")",
                     "must not contain line breaks or NUL");
  }
  const std::string_view key = text_at(header, {"valueFrom", "secretKeyRef", "key"});
  if (!key.empty()) {
    const FieldPath source_path{.parent = &path, .name = "valueFrom"};
    const FieldPath reference_path{.parent = &source_path, .name = "secretKeyRef"};
    findings.complain(FieldPath{.parent = &reference_path, .name = "key"}, key,
                      schema::config_key_complaints(key));
  }
}

void check_headers(const json::object& endpoint, std::string_view field, const FieldPath& path,
                   Findings& findings) {
  each_entry(endpoint, field, path, [&](const json::object& header, const FieldPath& header_path) {
    const std::string_view name = text_at(header, {"name"});
    if (!name.empty() && !is_token(name)) {
      findings.invalid(below(header_path, "name"), quoted(name),
                       "must be a valid HTTP header name, such as 'Authorization'");
    } else if (is_reserved(name)) {
      findings.forbidden(below(header_path, "name"),
                         fmt::format("header {} is set by the client itself", quoted(name)));
    }
    check_header_value(header, header_path, findings);
  });
}

// The beginning of a certificate in PEM, found in base64 at any of the three places where
// a group of bytes can begin. Whether the certificate is good shows when it is used.
bool holds_certificate(std::string_view base64) {
  static constexpr std::string_view kBegin[] = {
      "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t",
      "0tLS0tQkVHSU4gQ0VSVElGSUNBVEUtLS0tL",
      "tLS0tLUJFR0lOIENFUlRJRklDQVRFLS0tLS",
  };
  return std::any_of(std::begin(kBegin), std::end(kBegin), [&](std::string_view begin) {
    return base64.find(begin) != std::string_view::npos;
  });
}

// Settings of TLS, which make no sense without it.
void check_tls(const json::object& endpoint, bool uses_tls, std::string_view how,
               const FieldPath& path, Findings& findings) {
  for (const std::string_view field : {"caBundle", "serverName", "clientCertificate"}) {
    if (!uses_tls && endpoint.contains(field)) {
      findings.forbidden(below(path, field), fmt::format("may only be specified when {}", how));
    }
  }
  const std::string_view bundle = text_at(endpoint, {"caBundle"});
  if (!bundle.empty() && !holds_certificate(bundle)) {
    findings.invalid(below(path, "caBundle"), R"("<value omitted>")",
                     "must be certificates in PEM format");
  }
  const std::string_view name = text_at(endpoint, {"serverName"});
  if (!name.empty()) {
    findings.complain(FieldPath{.parent = &path, .name = "serverName"}, name,
                      schema::dns_subdomain_complaints(lower(name)));
  }
}

void check_http(const json::object& http, const FieldPath& path, Findings& findings) {
  const std::string scheme = lower(text_at(http, {"scheme"}));
  if (!scheme.empty() && scheme != "http" && scheme != "https") {
    findings.unsupported(below(path, "scheme"), quoted(text_at(http, {"scheme"})), "http https");
  }
  check_host(http, path, findings);
  check_port(http, path, findings);
  const std::string_view where = text_at(http, {"path"});
  const bool is_path = where.empty() || where.starts_with('/');
  const bool is_clean = std::all_of(where.begin(), where.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != 0x7f && c != '#';
  });
  if (!is_path || !is_clean) {
    findings.invalid(
        below(path, "path"), quoted(where),
        is_path ? "must not contain spaces, control characters or '#'" : "must start with '/'");
  }
  check_headers(http, "httpHeaders", path, findings);
  check_tls(http, scheme == "https", "`scheme` is 'https'", path, findings);
}

void check_grpc(const json::object& grpc, const FieldPath& path, Findings& findings) {
  check_host(grpc, path, findings);
  check_port(grpc, path, findings);
  check_headers(grpc, "metadata", path, findings);
  check_tls(grpc, schema::is_true_at(grpc, {"tls"}), "`tls` is true", path, findings);
}

}  // namespace

void check_picker(const json::object& picker, const FieldPath& path, Findings& findings) {
  const json::object* http = object_at(picker, {"http"});
  const json::object* grpc = object_at(picker, {"grpc"});
  if (http == nullptr && grpc == nullptr) {
    findings.required(path.text(), "one of `http` and `grpc` must be specified");
  } else if (http != nullptr && grpc != nullptr) {
    findings.forbidden(below(path, "grpc"), "may not be specified when `http` is specified");
  }
  if (http != nullptr) check_http(*http, FieldPath{.parent = &path, .name = "http"}, findings);
  if (grpc != nullptr) check_grpc(*grpc, FieldPath{.parent = &path, .name = "grpc"}, findings);
}

}  // namespace ebb::apiserver
