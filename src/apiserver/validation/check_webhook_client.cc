// Validates the address of a webhook: an https URL, or a service.
#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::text_at;

namespace {

constexpr std::string_view kForm = "; desired format: https://host[/path]";

// The parts of a URL that are checked here. A malformed URL has no host.
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

void check_url(std::string_view text, const std::string& field, FieldErrors& errors) {
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) > ' ' && letter != 0x7f) continue;
    return errors.required(
        field, fmt::format("url must be a valid URL: parse {}: net/url: invalid control character "
                           "in URL{}",
                           quoted(text), kForm));
  }
  const Url url = take_apart(text);
  if (url.scheme != "https") {
    errors.invalid(field, quoted(url.scheme),
                   fmt::format("'https' is the only allowed URL scheme{}", kForm));
  }
  if (url.host.empty()) {
    errors.invalid(field, quoted(url.host), fmt::format("host must be specified{}", kForm));
  }
  if (url.has_user) {
    errors.invalid(field, quoted(url.user), "user information is not permitted in the URL");
  }
  if (!url.fragment.empty()) {
    errors.invalid(field, quoted(url.fragment), "fragments are not permitted in the URL");
  }
  if (!url.query.empty()) {
    errors.invalid(field, quoted(url.query), "query parameters are not permitted in the URL");
  }
}

void check_path(std::string_view path, const std::string& field, FieldErrors& errors) {
  if (path.empty() || path == "/") return;
  if (path == "//") return errors.invalid(field, quoted(path), "segment[0] may not be empty");
  if (!path.starts_with('/')) errors.invalid(field, quoted(path), "must start with a '/'");
  std::string_view rest = path.substr(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  for (std::size_t i = 0;; ++i) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    if (segment.empty()) {
      errors.invalid(field, quoted(path), fmt::format("segment[{}] may not be empty", i));
    } else {
      for (const std::string& complaint : schema::dns_subdomain_errors(segment)) {
        errors.invalid(field, quoted(path), fmt::format("segment[{}]: {}", i, complaint));
      }
    }
    if (slash == std::string_view::npos) return;
    rest.remove_prefix(slash + 1);
  }
}

void check_service_reference(const json::object& service, const FieldPath& path,
                             FieldErrors& errors) {
  if (text_at(service, {"name"}).empty()) {
    errors.required(below(path, "name"));
  }
  if (text_at(service, {"namespace"}).empty()) {
    errors.required(below(path, "namespace"));
  }
  const std::int64_t port = schema::integer_at(service, {"port"}).value_or(0);
  if (port < 1 || port > kHighestPort) {
    errors.invalid(below(path, "port"), fmt::to_string(port),
                   "port is not valid: must be between 1 and 65535, inclusive");
  }
  check_path(text_at(service, {"path"}), below(path, "path"), errors);
}

}  // namespace

void check_webhook_client(const json::object& client, const FieldPath& path, FieldErrors& errors) {
  const bool has_url = client.contains("url");
  const json::object* service = schema::object_at(client, {"service"});
  if (has_url == (service != nullptr)) {
    errors.required(path.text(), "exactly one of url or service is required");
  } else if (has_url) {
    check_url(text_at(client, {"url"}), below(path, "url"), errors);
  } else {
    check_service_reference(*service, FieldPath{.parent = &path, .name = "service"}, errors);
  }
}

}  // namespace ebb::apiserver
