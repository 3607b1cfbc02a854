// Validates pod pickers: spec.downscalePodPicker of workloads, spec.podPicker of policies.
#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"
#include "schema/core/picker_rules.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::object_at;
using schema::text_at;

namespace {

void check_host(const json::object& endpoint, const FieldPath& path, FieldErrors& errors) {
  const std::string_view host = text_at(endpoint, {"host"});
  if (host.empty()) return;
  if (!schema::is_picker_host(host)) {
    errors.invalid(below(path, "host"), quoted(host),
                   "must be a host name or an IP address, without scheme, port or path");
  }
}

void check_port(const json::object& endpoint, const FieldPath& path, FieldErrors& errors) {
  const json::value* port = endpoint.if_contains("port");
  if (port == nullptr || schema::picker_port(*port)) return;
  const json::string* text = port->if_string();
  const bool is_number =
      text == nullptr || (!text->empty() && text->find_first_not_of("-0123456789") == text->npos);
  errors.invalid(below(path, "port"), json_text(port),
                 is_number ? "must be between 1 and 65535, inclusive"
                           : "must be a number, or a number in quotes; port names are not "
                             "supported");
}

void check_header_value(const json::object& header, const FieldPath& path, FieldErrors& errors) {
  const json::value* value = header.if_contains("value");
  const json::object* source = object_at(header, {"valueFrom"});
  const std::string_view text = text_at(header, {"value"});
  if (value == nullptr && source == nullptr) {
    errors.required(below(path, "value"), "one of `value` and `valueFrom` must be specified");
  } else if (source != nullptr && !text.empty()) {
    errors.forbidden(below(path, "valueFrom"), "may not be specified when `value` is not empty");
  }
  if (!schema::is_header_value(text)) {
    // The value may be a secret, so it is not printed.
    errors.invalid(below(path, "value"), R"("<value omitted>")",
                   "must consist of printable ASCII characters");
  }
  const std::string_view key = text_at(header, {"valueFrom", "secretKeyRef", "key"});
  if (!key.empty()) {
    const FieldPath source_path{.parent = &path, .name = "valueFrom"};
    const FieldPath reference_path{.parent = &source_path, .name = "secretKeyRef"};
    errors.complain(FieldPath{.parent = &reference_path, .name = "key"}, key,
                    schema::config_key_errors(key));
  }
}

// The rules for names of headers and metadata.
struct NameRules {
  bool (*is_name)(std::string_view name);
  bool (*is_reserved)(std::string_view name);
  std::string_view rule;
};
constexpr NameRules kHeaderRules{schema::is_header_name, schema::is_reserved_header,
                                 "must be a valid HTTP header name, such as 'Authorization'"};
constexpr NameRules kMetadataRules{
    schema::is_metadata_name, schema::is_reserved_metadata,
    "must consist of lower-case letters, digits, '-', '_' or '.', and must not end with '-bin'"};

void check_headers(const json::object& endpoint, std::string_view field, const NameRules& rules,
                   const FieldPath& path, FieldErrors& errors) {
  std::size_t count = 0;
  std::size_t bytes = 0;
  each_entry(endpoint, field, path, [&](const json::object& header, const FieldPath& header_path) {
    const std::string_view name = text_at(header, {"name"});
    ++count;
    bytes += name.size() + text_at(header, {"value"}).size();
    if (!name.empty() && !rules.is_name(name)) {
      errors.invalid(below(header_path, "name"), quoted(name), rules.rule);
    } else if (rules.is_reserved(name)) {
      errors.forbidden(below(header_path, "name"),
                       fmt::format("header {} is set by the client itself", quoted(name)));
    }
    check_header_value(header, header_path, errors);
  });
  if (count > schema::kMaxPickerHeaders) {
    errors.forbidden(below(path, field),
                     fmt::format("must have at most {} items", schema::kMaxPickerHeaders));
  } else if (bytes > schema::kMaxPickerHeaderBytes) {
    errors.forbidden(below(path, field),
                     fmt::format("must have at most {} bytes", schema::kMaxPickerHeaderBytes));
  }
}

// Checks TLS settings, which are invalid without TLS.
void check_tls(const json::object& endpoint, bool uses_tls, std::string_view how,
               const FieldPath& path, FieldErrors& errors) {
  for (const std::string_view field : {"caBundle", "serverName", "clientCertificate"}) {
    if (!uses_tls && endpoint.contains(field)) {
      errors.forbidden(below(path, field), fmt::format("may only be specified when {}", how));
    }
  }
  const std::string_view bundle = text_at(endpoint, {"caBundle"});
  if (!bundle.empty()) {
    if (const auto pem = schema::decode_ca_bundle(bundle); !pem) {
      errors.invalid(below(path, "caBundle"), R"("<value omitted>")", pem.error().message);
    }
  }
  const std::string_view name = text_at(endpoint, {"serverName"});
  if (!name.empty() && !schema::is_dns_name(name)) {
    errors.invalid(below(path, "serverName"), quoted(name), "must be a host name");
  }
}

void check_http(const json::object& http, const FieldPath& path, FieldErrors& errors) {
  const std::string scheme = schema::lower_case(text_at(http, {"scheme"}));
  if (!scheme.empty() && scheme != "http" && scheme != "https") {
    errors.unsupported(below(path, "scheme"), quoted(text_at(http, {"scheme"})), "http https");
  }
  check_host(http, path, errors);
  check_port(http, path, errors);
  const std::string_view where = text_at(http, {"path"});
  if (!where.empty() && !schema::is_picker_path(where)) {
    errors.invalid(below(path, "path"), quoted(where),
                   where.starts_with('/')
                       ? fmt::format("must consist of at most {} visible ASCII characters "
                                     "without '#'",
                                     schema::kMaxPickerPathBytes)
                       : "must start with '/'");
  }
  check_headers(http, "httpHeaders", kHeaderRules, path, errors);
  check_tls(http, scheme == "https", "`scheme` is 'https'", path, errors);
}

void check_grpc(const json::object& grpc, const FieldPath& path, FieldErrors& errors) {
  check_host(grpc, path, errors);
  check_port(grpc, path, errors);
  check_headers(grpc, "metadata", kMetadataRules, path, errors);
  check_tls(grpc, schema::is_true_at(grpc, {"tls"}), "`tls` is true", path, errors);
}

}  // namespace

void check_picker(const json::object& picker, const FieldPath& path, FieldErrors& errors) {
  const json::object* http = object_at(picker, {"http"});
  const json::object* grpc = object_at(picker, {"grpc"});
  if (http == nullptr && grpc == nullptr) {
    errors.required(path.text(), "one of `http` and `grpc` must be specified");
  } else if (http != nullptr && grpc != nullptr) {
    errors.forbidden(below(path, "grpc"), "may not be specified when `http` is specified");
  }
  if (http != nullptr) check_http(*http, FieldPath{.parent = &path, .name = "http"}, errors);
  if (grpc != nullptr) check_grpc(*grpc, FieldPath{.parent = &path, .name = "grpc"}, errors);
}

}  // namespace ebb::apiserver
