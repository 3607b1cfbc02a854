#include "picker/settings.h"

#include <set>

#include <fmt/format.h>

#include "model/records/section.h"
#include "schema/core/name_rules.h"
#include "schema/core/picker_rules.h"
#include "schema/schemas/schemas_ebb.h"

namespace ebb::picker {

namespace json = boost::json;

using model::Problem;
using model::Section;

namespace {

void decode_address(const Section& endpoint, Settings& settings) {
  // Limits and breakers are keyed by the server, so it has one spelling.
  settings.host = schema::lower_case(endpoint.text("host"));
  endpoint.check(schema::is_picker_host(settings.host), "host",
                 "must be a host name or an IP address, without scheme, port or path");
  settings.port = settings.tls ? 443 : 80;
  if (const json::value* value = endpoint.find("port")) {
    const auto port = schema::picker_port(*value);
    endpoint.check(port.has_value(), "port",
                   "must be a number between 1 and 65535, or such a number in quotes");
    settings.port = port.value_or(settings.port);
  }
}

SecretKey decode_secret_key(const Section& source) {
  const Section reference = source.section("secretKeyRef");
  source.check(source.find("secretKeyRef") != nullptr, "secretKeyRef", "must be given");
  SecretKey key{.secret = std::string(reference.text("name")),
                .key = std::string(reference.text("key")),
                .optional = reference.flag("optional")};
  reference.check(schema::dns_subdomain_errors(key.secret).empty(), "name",
                  "must be the name of a Secret");
  reference.check(schema::config_key_errors(key.key).empty(), "key", "must be a key of a Secret");
  return key;
}

Header decode_header(const Section& section, Protocol protocol) {
  const bool is_http = protocol == Protocol::kHttp;
  Header header{.name = std::string(section.text("name")),
                .value = std::string(section.text("value"))};
  section.check(
      is_http ? schema::is_header_name(header.name) : schema::is_metadata_name(header.name), "name",
      is_http ? "must be the name of a header, such as 'Authorization'"
              : "must consist of lower-case letters, digits, '-', '_' or '.', and must not end "
                "with '-bin'");
  section.check(may_set_header(header.name, protocol), "name", "is set by the client itself");
  section.check(valid_header_value(header.value), "value",
                "must consist of printable ASCII characters");
  if (section.find("valueFrom") != nullptr) {
    section.check(header.value.empty(), "valueFrom", "must not be given together with value");
    header.from = decode_secret_key(section.section("valueFrom"));
  } else {
    section.check(section.find("value") != nullptr, "value", "must be given, or valueFrom instead");
  }
  return header;
}

void decode_headers(const Section& endpoint, std::string_view field, Settings& settings) {
  std::size_t bytes = 0;
  std::set<std::string_view> secrets;
  endpoint.each(field, [&](const Section& section) {
    Header header = decode_header(section, settings.protocol);
    bytes += header.name.size() + header.value.size();
    endpoint.check(settings.headers.size() < schema::kMaxPickerHeaders, field,
                   fmt::format("must have at most {} items", schema::kMaxPickerHeaders));
    endpoint.check(bytes <= schema::kMaxPickerHeaderBytes, field,
                   fmt::format("must have at most {} bytes", schema::kMaxPickerHeaderBytes));
    settings.headers.push_back(std::move(header));
  });
  for (const Header& header : settings.headers) {
    if (header.from) secrets.insert(header.from->secret);
  }
  endpoint.check(secrets.size() <= schema::kMaxPickerSecrets, field,
                 fmt::format("must name at most {} Secrets", schema::kMaxPickerSecrets));
}

void decode_tls(const Section& endpoint, std::string_view when, Settings& settings) {
  for (const std::string_view field : {"caBundle", "serverName", "clientCertificate"}) {
    endpoint.check(settings.tls || endpoint.find(field) == nullptr, field,
                   fmt::format("must only be given when {}", when));
  }
  if (const std::string_view bundle = endpoint.text("caBundle"); !bundle.empty()) {
    auto pem = schema::decode_ca_bundle(bundle);
    if (pem) {
      settings.ca_pem = std::move(*pem);
    } else {
      endpoint.check(false, "caBundle", pem.error().message);
    }
  }
  settings.server_name = endpoint.text("serverName");
  endpoint.check(settings.server_name.empty() || schema::is_dns_name(settings.server_name),
                 "serverName", "must be a host name");
  if (endpoint.find("clientCertificate") != nullptr) {
    const Section reference = endpoint.section("clientCertificate").section("secretRef");
    settings.client_certificate = reference.text("name");
    reference.check(schema::dns_subdomain_errors(settings.client_certificate).empty(), "name",
                    "must be the name of a Secret");
  }
}

void decode_http(const Section& http, Settings& settings) {
  const std::string scheme = schema::lower_case(http.text("scheme"));
  http.check(scheme.empty() || scheme == "http" || scheme == "https", "scheme",
             "must be http or https");
  settings.tls = scheme == "https";
  decode_address(http, settings);
  if (const std::string_view path = http.text("path"); !path.empty()) settings.path = path;
  http.check(schema::is_picker_path(settings.path), "path",
             fmt::format("must start with '/', and must consist of at most {} visible ASCII "
                         "characters without '#'",
                         schema::kMaxPickerPathBytes));
  decode_headers(http, "httpHeaders", settings);
  decode_tls(http, "scheme is https", settings);
}

void decode_grpc(const Section& grpc, Settings& settings) {
  settings.protocol = Protocol::kGrpc;
  settings.tls = grpc.flag("tls");
  decode_address(grpc, settings);
  decode_headers(grpc, "metadata", settings);
  decode_tls(grpc, "tls is true", settings);
}

void decode_limits(const Section& picker, Settings& settings) {
  const std::string_view context = picker.text("context");
  picker.check(context.empty() || context == "names" || context == "full", "context",
               "must be names or full");
  settings.context = context == "full" ? Context::kFull : Context::kNames;
  // The limits are in the field table.
  const auto limited = [&](std::string_view field, std::int64_t fallback) {
    const schema::Field& limits = *schema::kPodPicker.find(field);
    return picker.integer(field, limits.minimum, limits.maximum, fallback);
  };
  settings.timeout_ns = limited("timeoutSeconds", 1) * kNanosecondsPerSecond;
  settings.max_retries = static_cast<int>(limited("maxRetries", settings.max_retries));
}

}  // namespace

std::string Settings::endpoint() const {
  const bool bracketed = host.find(':') != std::string::npos;
  const std::string_view scheme =
      protocol == Protocol::kHttp ? (tls ? "https" : "http") : (tls ? "grpcs" : "grpc");
  return bracketed ? fmt::format("{}://[{}]:{}", scheme, host, port)
                   : fmt::format("{}://{}:{}", scheme, host, port);
}

Result<Settings> decode_settings(const json::value& picker, std::string_view where) {
  Problem problem;
  const Section section(&picker, std::string(where), problem);
  const bool has_http = section.find("http") != nullptr;
  const bool has_grpc = section.find("grpc") != nullptr;
  if (!problem && has_http == has_grpc) {
    problem = fmt::format("{}: must have exactly one of http and grpc", where);
  }
  Settings settings;
  if (has_http) decode_http(section.section("http"), settings);
  if (has_grpc) decode_grpc(section.section("grpc"), settings);
  decode_limits(section, settings);
  if (problem) return fail(ErrorCode::kInvalidInput, std::move(*problem));
  return settings;
}

bool may_set_header(std::string_view name, Protocol protocol) {
  return protocol == Protocol::kHttp
             ? schema::is_header_name(name) && !schema::is_reserved_header(name)
             : schema::is_metadata_name(name) && !schema::is_reserved_metadata(name);
}

bool valid_header_value(std::string_view value) { return schema::is_header_value(value); }

}  // namespace ebb::picker
