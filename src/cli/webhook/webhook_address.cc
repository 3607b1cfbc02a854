#include "cli/webhook/webhook_address.h"

#include <fmt/format.h>

#include "cli/common/values.h"
#include "schema/core/name_rules.h"

namespace ebb::cli {

Result<ExternalUrl> parse_external_url(std::string_view text) {
  const auto invalid = [&] {
    return fail(
        ErrorCode::kUsage,
        fmt::format("--external-url: expected https://HOST or https://HOST:PORT, got \"{}\"",
                    text));
  };
  constexpr std::string_view kScheme = "https://";
  std::string_view rest = text;
  if (!rest.starts_with(kScheme)) return invalid();
  rest.remove_prefix(kScheme.size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::string url = std::string(kScheme) + std::string(rest);
  std::string_view host;
  if (rest.starts_with('[')) {
    const auto end = rest.find(']');
    if (end == std::string_view::npos) return invalid();
    host = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
  } else {
    host = rest.substr(0, rest.find(':'));
    rest.remove_prefix(host.size());
  }
  if (host.empty() || host.find_first_of("/?#@ ") != std::string_view::npos) return invalid();
  if (!rest.empty() && (rest.front() != ':' || !parse_port({}, rest.substr(1)))) return invalid();
  return ExternalUrl{.url = url, .host = std::string(host)};
}

Result<model::ObjectName> parse_service(std::string_view text) {
  const auto slash = text.find('/');
  model::ObjectName name;
  if (slash != std::string_view::npos) {
    name = {.namespace_name = std::string(text.substr(0, slash)),
            .name = std::string(text.substr(slash + 1))};
  }
  if (!schema::dns_label_errors(name.namespace_name).empty() ||
      !schema::dns_label_errors(name.name).empty()) {
    return fail(ErrorCode::kUsage,
                fmt::format("--service: expected NAMESPACE/NAME of a Service, got \"{}\"", text));
  }
  return name;
}

}  // namespace ebb::cli
