#include "cli/common/page_options.h"

#include <utility>

#include "cli/common/input.h"
#include "cli/common/values.h"

namespace ebb::cli {

void PageOptions::declare(CLI::App& app) {
  app.add_option("--bind-address", bind_address_,
                 "The IP address on which metrics and health are served: on loopback over plain "
                 "HTTP to every program on the machine, elsewhere over TLS with authorization")
      ->default_str("'127.0.0.1'");
  app.add_option("--metrics-port", metrics_port_,
                 "The port for /metrics, /healthz, /livez, /readyz and /decisions; 0 for none")
      ->default_str(metrics_port_);
  if (from_files_) {
    app.add_option(
        "--tls-cert-file", certificate_file_,
        "File with the certificate (PEM) for TLS; by default a self-signed one, or plain "
        "HTTP on loopback");
    app.add_option("--tls-private-key-file", key_file_,
                   "File with the private key of that certificate");
  }
  app.add_option("--authorization-always-allow-paths", always_allow_paths_,
                 "Paths that any client may read without a token, on any address; a * at the end "
                 "matches anything")
      ->default_str("'/healthz,/livez,/readyz'");
}

Result<void> PageOptions::apply(runtime::ControllersSettings& settings) const {
  EBB_ASSIGN_OR_RETURN(auto port, parse_port("--metrics-port", metrics_port_));
  if (bind_address_.empty()) return fail(ErrorCode::kUsage, "--bind-address: must not be empty");
  if (certificate_file_.empty() != key_file_.empty()) {
    return fail(ErrorCode::kUsage,
                "--tls-cert-file and --tls-private-key-file must be given together");
  }
  auto paths = runtime::AllowedPaths::parse(always_allow_paths_);
  if (!paths) {
    return fail(ErrorCode::kUsage, "--authorization-always-allow-paths: " + paths.error().message);
  }
  settings.always_allowed_paths = std::move(*paths);
  if (port == 0) return {};
  runtime::HealthServerSettings server{.address = bind_address_, .port = port};
  if (!certificate_file_.empty()) {
    std::istream none(nullptr);
    auto certificate = read_text_file(certificate_file_, none);
    if (!certificate) {
      return fail(certificate.error().code, "--tls-cert-file: " + certificate.error().message);
    }
    auto key = read_text_file(key_file_, none);
    if (!key) return fail(key.error().code, "--tls-private-key-file: " + key.error().message);
    server.tls = net::KeyPair{std::move(*certificate), std::move(*key)};
  }
  settings.server = std::move(server);
  return {};
}

Completion PageOptions::complete(std::string_view option) {
  if (option == "--bind-address") return {{"127.0.0.1", "0.0.0.0"}, false};
  return {{}, option == "--tls-cert-file" || option == "--tls-private-key-file"};
}

}  // namespace ebb::cli
