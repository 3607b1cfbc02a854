// Where a webhook is: an https URL, or a service.
#include <fmt/format.h>

#include "apiserver/checks.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::text_at;

namespace {

constexpr std::string_view kForm = "; desired format: https://host[/path]";
constexpr std::int64_t kHighestPort = 65535;

// The parts of a URL as far as they matter here. What is no URL at all has no host.
struct Url {
  std::string_view scheme{};
  std::string_view user{};
  std::string_view host{};
  std::string_view query{};
  std::string_view fragment{};
  bool has_user = false;
};

std::string_view cut_off(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + 1);
  text = text.substr(0, at);
  return rest;
}

Url take_apart(std::string_view text) {
  Url url;
  url.fragment = cut_off(text, '#');
  url.query = cut_off(text, '?');
  const std::size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return url;
  url.scheme = text.substr(0, scheme);
  url.host = text.substr(scheme + 3);
  url.host = url.host.substr(0, url.host.find('/'));
  const std::size_t at = url.host.rfind('@');
  url.has_user = at != std::string_view::npos;
  if (url.has_user) {
    url.user = url.host.substr(0, at);
    url.host.remove_prefix(at + 1);
  }
  return url;
}

void check_url(std::string_view text, const std::string& field, Findings& findings) {
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) > ' ' && letter != 0x7f) continue;
    return findings.required(
        field, fmt::format("url must be a valid URL: parse {}: net/url: invalid control character "
                           "in URL{}",
                           quoted(text), kForm));
  }
  const Url url = take_apart(text);
  if (url.scheme != "https") {
    findings.invalid(field, quoted(url.scheme),
                     fmt::format("'https' is the only allowed URL scheme{}", kForm));
  }
  if (url.host.empty()) {
    findings.invalid(field, quoted(url.host), fmt::format("host must be specified{}", kForm));
  }
  if (url.has_user) {
    findings.invalid(field, quoted(url.user), "user information is not permitted in the URL");
  }
  if (!url.fragment.empty()) {
    findings.invalid(field, quoted(url.fragment), "fragments are not permitted in the URL");
  }
  if (!url.query.empty()) {
    findings.invalid(field, quoted(url.query), "query parameters are not permitted in the URL");
  }
}

void check_path(std::string_view path, const std::string& field, Findings& findings) {
  if (path.empty() || path == "/") return;
  if (path == "//") return findings.invalid(field, quoted(path), "segment[0] may not be empty");
  if (!path.starts_with('/')) findings.invalid(field, quoted(path), "must start with a '/'");
  std::string_view rest = path.substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (std::size_t i = 0;; ++i) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    if (segment.empty()) {
      findings.invalid(field, quoted(path), fmt::format("segment[{}] may not be empty", i));
    } else {
      for (const std::string& complaint : schema::dns_subdomain_complaints(segment)) {
        findings.invalid(field, quoted(path), fmt::format("segment[{}]: {}", i, complaint));
      }
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void check_service_reference(const json::object& service, const FieldPath& path,
                             Findings& findings) {
  if (text_at(service, {"name"}).empty()) {
    findings.required(below(path, "name"));
  }
  if (text_at(service, {"namespace"}).empty()) {
    findings.required(below(path, "namespace"));
  }
  const std::int64_t port = schema::integer_at(service, {"port"}).value_or(0);
  if (port < 1 || port > kHighestPort) {
    findings.invalid(below(path, "port"), fmt::to_string(port),
                     "port is not valid: must be between 1 and 65535, inclusive");
  }
  check_path(text_at(service, {"path"}), below(path, "path"), findings);
}

}  // namespace

void check_webhook_client(const json::object& client, const FieldPath& path, Findings& findings) {
  const bool has_url = client.contains("url");
  const json::object* service = schema::object_at(client, {"service"});
  if (has_url == (service != nullptr)) {
    findings.required(path.text(), "exactly one of url or service is required");
  } else if (has_url) {
    check_url(text_at(client, {"url"}), below(path, "url"), findings);
  } else {
    check_service_reference(*service, FieldPath{.parent = &path, .name = "service"}, findings);
  }
}

}  // namespace ebb::apiserver
