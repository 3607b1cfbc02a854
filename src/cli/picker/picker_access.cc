#include "cli/picker/picker_access.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string_view>
#include <tuple>

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include "cli/common/input.h"
#include "cli/common/values.h"

namespace ebb::cli {
namespace {

namespace json = boost::json;
using picker::Protocol;

constexpr const char* kForms =
    "http://HOST[:PORT]/PATH, https://HOST[:PORT]/PATH, grpc://HOST:PORT or grpcs://HOST:PORT";
// The limit of timeoutSeconds in a policy, so that a time budget that works here works there.
constexpr Nanoseconds kLongestTimeoutNs = 30 * kNanosecondsPerSecond;

struct Scheme {
  std::string_view name;
  Protocol protocol;
  bool tls;
};
constexpr std::array kSchemes = {
    Scheme{"http", Protocol::kHttp, false}, Scheme{"https", Protocol::kHttp, true},
    Scheme{"grpc", Protocol::kGrpc, false}, Scheme{"grpcs", Protocol::kGrpc, true}};

Result<std::string> read_file(const char* option, const std::string& name) {
  std::istringstream none;
  auto text = read_text_file(name, none);
  if (!text) return fail(text.error().code, fmt::format("{}: {}", option, text.error().message));
  return text;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

// `user:password@host/path`; an error must not repeat it.
bool has_user(std::string_view rest) {
  return rest.substr(0, rest.find_first_of("/?#")).find('@') != std::string_view::npos;
}

// Errors never show the value, because it may be a secret.
Result<void> add_header(const char* option, std::string_view line, Protocol protocol,
                        picker::Call& call) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || trimmed(line.substr(0, colon)).empty()) {
    return fail(ErrorCode::kUsage, fmt::format("{}: expected 'NAME: VALUE'", option));
  }
  std::string name(trimmed(line.substr(0, colon)));
  std::string value(trimmed(line.substr(colon + 1)));
  if (!picker::may_set_header(name, protocol)) {
    return fail(
        ErrorCode::kUsage,
        fmt::format("{}: cannot set \"{}\": it is not a valid header name, or the client sets "
                    "it itself",
                    option, name));
  }
  if (!picker::valid_header_value(value)) {
    return fail(ErrorCode::kUsage,
                fmt::format("{}: the value of \"{}\" must consist of printable ASCII characters",
                            option, name));
  }
  call.headers.emplace_back(std::move(name), std::move(value));
  return {};
}

}  // namespace

Result<picker::Settings> parse_picker_url(const std::string& url) {
  const auto bad = [&] {
    return fail(ErrorCode::kUsage, fmt::format("URL: expected {}, got \"{}\"", kForms, url));
  };
  const auto colon = url.find("://");
  if (has_user(colon == std::string::npos ? url : std::string_view(url).substr(colon + 3))) {
    return fail(ErrorCode::kUsage,
                "URL: must not contain a user or a password, because a picker's settings cannot; "
                "give HOST[:PORT] alone, and send a password as a header: --header-env "
                "'Authorization: VARIABLE'");
  }
  if (colon == std::string::npos) return bad();
  const std::string_view scheme_name = std::string_view(url).substr(0, colon);
  const Scheme* scheme = nullptr;
  for (const Scheme& known : kSchemes) {
    if (known.name == scheme_name) scheme = &known;
  }
  if (scheme == nullptr) return bad();

  std::string_view rest = std::string_view(url).substr(colon + 3);
  const auto slash = rest.find('/');
  const std::string_view path = slash == std::string_view::npos ? "" : rest.substr(slash);
  std::string_view authority = rest.substr(0, slash);
  std::string_view host = authority;
  std::string_view port;
  if (authority.starts_with('[')) {
    const auto end = authority.find(']');
    if (end == std::string_view::npos) return bad();
    host = authority.substr(1, end - 1);
    authority.remove_prefix(end + 1);
    if (!authority.empty() && authority.front() != ':') return bad();
    if (!authority.empty()) port = authority.substr(1);
  } else if (const auto separator = authority.find(':'); separator != std::string_view::npos) {
    host = authority.substr(0, separator);
    port = authority.substr(separator + 1);
    if (port.empty()) return bad();
  }
  const bool grpc = scheme->protocol == Protocol::kGrpc;
  if (grpc && !path.empty() && path != "/") return bad();

  // Built as in a policy, so that a URL that is accepted here is accepted there.
  json::object endpoint{{"host", host}};
  if (!port.empty()) endpoint["port"] = port;
  if (grpc) {
    endpoint["tls"] = scheme->tls;
  } else {
    endpoint["scheme"] = scheme->tls ? "HTTPS" : "HTTP";
    if (!path.empty()) endpoint["path"] = path;
  }
  auto settings =
      picker::decode_settings(json::object{{grpc ? "grpc" : "http", std::move(endpoint)}}, "URL");
  if (!settings) return fail(ErrorCode::kUsage, settings.error().message);
  return settings;
}

void PickerAccess::declare(CLI::App& app) {
  const auto add_list = [&](const char* name, std::vector<std::string>& into, const char* text) {
    app.add_option(name, into, text)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->default_str("[]");
  };
  app.add_option("url", url_);
  add_list("--header", headers_,
           "A header (or an item of gRPC metadata) to send, as 'NAME: VALUE'; may be repeated");
  add_list(
      "--header-file", header_files_,
      "File with headers, one per line, to keep secrets off the command line; may be repeated");
  add_list(
      "--header-env", header_variables_,
      "A header whose value is in an environment variable, as 'NAME: VARIABLE'; may be repeated");
  app.add_option("--ca-file", ca_file_,
                 "File with certificate authorities (PEM) to trust besides the system's");
  app.add_option("--server-name", server_name_,
                 "The name expected in the picker's certificate; by default the host");
  app.add_option("--client-cert", certificate_file_, "File with a client certificate (PEM)");
  app.add_option("--client-key", key_file_, "File with the private key of that certificate");
  app.add_option("--timeout", timeout_,
                 "The time for one answer, in whole seconds from 1s to 30s, like timeoutSeconds in "
                 "a policy")
      ->default_str("1s");
  app.add_option("--context", context_,
                 "What the request says about pods: names, or full for node, zone, age and more")
      ->default_str("'names'");
}

Result<void> PickerAccess::read_headers(Protocol protocol, picker::Call& call) const {
  for (const std::string& header : headers_) {
    EBB_RETURN_IF_ERROR(add_header("--header", header, protocol, call));
  }
  for (const std::string& name : header_files_) {
    EBB_ASSIGN_OR_RETURN(auto text, read_file("--header-file", name));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (trimmed(line).empty()) continue;
      EBB_RETURN_IF_ERROR(add_header("--header-file", line, protocol, call));
    }
  }
  for (const std::string& header : header_variables_) {
    const auto colon = header.find(':');
    const std::string variable(
        trimmed(colon == std::string::npos ? "" : std::string_view(header).substr(colon + 1)));
    if (variable.empty()) {
      return fail(ErrorCode::kUsage, "--header-env: expected 'NAME: VARIABLE'");
    }
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr) {
      return fail(ErrorCode::kUsage, fmt::format("--header-env: {} is not set", variable));
    }
    const std::string line = fmt::format("{}: {}", header.substr(0, colon), value);
    EBB_RETURN_IF_ERROR(add_header("--header-env", line, protocol, call));
  }
  return {};
}

Result<void> PickerAccess::read_tls(picker::Settings& settings, picker::Call& call) const {
  if (certificate_file_.empty() != key_file_.empty()) {
    return fail(ErrorCode::kUsage, "--client-cert and --client-key must be given together");
  }
  if (!settings.tls && !(ca_file_.empty() && server_name_.empty() && certificate_file_.empty())) {
    return fail(ErrorCode::kUsage,
                "--ca-file, --server-name, --client-cert and --client-key need https:// or "
                "grpcs://");
  }
  settings.server_name = server_name_;
  const std::array<std::tuple<const char*, const std::string*, std::string*>, 3> files = {{
      {"--ca-file", &ca_file_, &settings.ca_pem},
      {"--client-cert", &certificate_file_, &call.certificate_pem},
      {"--client-key", &key_file_, &call.key_pem},
  }};
  for (const auto& [option, name, into] : files) {
    if (name->empty()) continue;
    EBB_ASSIGN_OR_RETURN(*into, read_file(option, *name));
  }
  return {};
}

Result<picker::Call> PickerAccess::call() const {
  if (url_.empty()) return fail(ErrorCode::kUsage, fmt::format("URL is required: {}", kForms));
  EBB_ASSIGN_OR_RETURN(auto settings, parse_picker_url(url_));
  EBB_ASSIGN_OR_RETURN(auto timeout, parse_time_span("--timeout", timeout_));
  if (timeout > kLongestTimeoutNs || timeout % kNanosecondsPerSecond != 0) {
    return fail(
        ErrorCode::kUsage,
        fmt::format("--timeout: expected whole seconds from 1s to 30s, like timeoutSeconds in "
                    "a policy, got \"{}\"",
                    timeout_));
  }
  if (context_ != "names" && context_ != "full") {
    return fail(ErrorCode::kUsage,
                fmt::format("--context: expected names or full, got \"{}\"", context_));
  }
  settings.timeout_ns = timeout;
  settings.context = context_ == "full" ? picker::Context::kFull : picker::Context::kNames;
  picker::Call call{.deadline_ns = timeout};
  EBB_RETURN_IF_ERROR(read_headers(settings.protocol, call));
  EBB_RETURN_IF_ERROR(read_tls(settings, call));
  call.settings = std::make_shared<const picker::Settings>(std::move(settings));
  return call;
}

bool PickerAccess::names_a_file(std::string_view option) {
  return option == "--header-file" || option == "--ca-file" || option == "--client-cert" ||
         option == "--client-key";
}

}  // namespace ebb::cli
