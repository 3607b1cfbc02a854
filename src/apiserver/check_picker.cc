// How a pod picker is reached: spec.downscalePodPicker of workloads, spec.podPicker of policies.
#include <fmt/format.h>

#include "apiserver/checks.h"
#include "schema/json.h"
#include "schema/picker_rules.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::object_at;
using schema::text_at;

namespace {

void check_host(const json::object& endpoint, const FieldPath& path, Findings& findings) {
  const std::string_view host = text_at(endpoint, {"host"});
  if (host.empty()) return;
  if (!schema::is_picker_host(host)) {
    findings.invalid(below(path, "host"), quoted(host),
                     "must be a host name or an IP address, without scheme, port or path");
  }
}

void check_port(const json::object& endpoint, const FieldPath& path, Findings& findings) {
  const json::value* port = endpoint.if_contains("port");
  if (port == nullptr || schema::picker_port(*port)) return;
  const json::string* text = port->if_string();
  const bool is_number =
      text == nullptr || (!text->empty() && text->find_first_not_of("-0123456789") == text->npos);
  findings.invalid(below(path, "port"), json_text(port),
                   is_number ? "must be between 1 and 65535, inclusive"
                             : "must be a number, or a number in quotes; a pod's port names are "
                               "not known");
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
  if (!schema::is_header_value(text)) {
    // The value may be a secret, so it is not shown.
    findings.invalid(below(path, "value"), R"("<value omitted>")",
                     "must consist of printable ASCII characters");
  }
  const std::string_view key = text_at(header, {"valueFrom", "secretKeyRef", "key"});
  if (!key.empty()) {
    const FieldPath source_path{.parent = &path, .name = "valueFrom"};
    const FieldPath reference_path{.parent = &source_path, .name = "secretKeyRef"};
    findings.complain(FieldPath{.parent = &reference_path, .name = "key"}, key,
                      schema::config_key_complaints(key));
  }
}

// What a header and an item of metadata may be called.
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
                   const FieldPath& path, Findings& findings) {
  std::size_t count = 0;
  std::size_t bytes = 0;
  each_entry(endpoint, field, path, [&](const json::object& header, const FieldPath& header_path) {
    const std::string_view name = text_at(header, {"name"});
    ++count;
    bytes += name.size() + text_at(header, {"value"}).size();
    if (!name.empty() && !rules.is_name(name)) {
      findings.invalid(below(header_path, "name"), quoted(name), rules.rule);
    } else if (rules.is_reserved(name)) {
      findings.forbidden(below(header_path, "name"),
                         fmt::format("header {} is set by the client itself", quoted(name)));
    }
    check_header_value(header, header_path, findings);
  });
  if (count > schema::kMostPickerHeaders) {
    findings.forbidden(below(path, field),
                       fmt::format("must have at most {} items", schema::kMostPickerHeaders));
  } else if (bytes > schema::kMostPickerHeaderBytes) {
    findings.forbidden(below(path, field),
                       fmt::format("must have at most {} bytes", schema::kMostPickerHeaderBytes));
  }
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
  if (!bundle.empty() && !schema::decode_ca_bundle(bundle)) {
    findings.invalid(below(path, "caBundle"), R"("<value omitted>")",
                     "must be certificates in PEM format");
  }
  const std::string_view name = text_at(endpoint, {"serverName"});
  if (!name.empty() && !schema::is_dns_name(name)) {
    findings.invalid(below(path, "serverName"), quoted(name), "must be a host name");
  }
}

void check_http(const json::object& http, const FieldPath& path, Findings& findings) {
  const std::string scheme = schema::lower_case(text_at(http, {"scheme"}));
  if (!scheme.empty() && scheme != "http" && scheme != "https") {
    findings.unsupported(below(path, "scheme"), quoted(text_at(http, {"scheme"})), "http https");
  }
  check_host(http, path, findings);
  check_port(http, path, findings);
  const std::string_view where = text_at(http, {"path"});
  if (!where.empty() && !schema::is_picker_path(where)) {
    findings.invalid(below(path, "path"), quoted(where),
                     where.starts_with('/')
                         ? fmt::format("must consist of at most {} visible ASCII characters "
                                       "without '#'",
                                       schema::kMostPickerPathBytes)
                         : "must start with '/'");
  }
  check_headers(http, "httpHeaders", kHeaderRules, path, findings);
  check_tls(http, scheme == "https", "`scheme` is 'https'", path, findings);
}

void check_grpc(const json::object& grpc, const FieldPath& path, Findings& findings) {
  check_host(grpc, path, findings);
  check_port(grpc, path, findings);
  check_headers(grpc, "metadata", kMetadataRules, path, findings);
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
