#include "kube/credentials.h"

#include <atomic>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "base/base64.h"
#include "kube/files.h"
#include "net/tls/client_identity.h"
#include "net/tls/secret.h"

namespace ebb::kube {
namespace {

constexpr Nanoseconds kReadEveryNs = 60 * kNanosecondsPerSecond;
// Credentials are renewed a little before they expire, so that none expires in flight.
constexpr Nanoseconds kLeewayNs = 10 * kNanosecondsPerSecond;
// A plugin that fails, or provides expired credentials, is not run for every request.
constexpr Nanoseconds kPluginPauseNs = kNanosecondsPerSecond;
constexpr Nanoseconds kRejectionPauseNs = 10 * kNanosecondsPerSecond;

#if defined(__aarch64__)
constexpr const char* kUserAgent = "ebb/" EBB_VERSION " (linux/arm64)";
#else
constexpr const char* kUserAgent = "ebb/" EBB_VERSION " (linux/amd64)";
#endif

constexpr const char* kInKubeconfig = "in the kubeconfig";
// The text may come from the kubeconfig, a file that it names or a pod's own folder.
constexpr const char* kOfAuthority = "of the certificate authority";

Timestamp plus(Timestamp time, Nanoseconds wait_ns) {
  return Timestamp::from_nanoseconds(time.since_epoch_ns() + wait_ns);
}

// Escapes characters that are invalid in a header name as %41.
std::string escaped_key(std::string_view key) {
  constexpr std::string_view kPlain = "!#$&'*+-.^_`|~";
  std::string text;
  for (const char c : key) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       kPlain.find(c) != std::string_view::npos;
    text += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

void add_impersonation(const ClusterAccess& access, Identity& identity) {
  if (access.as_user.empty()) return;
  identity.headers.emplace_back("Impersonate-User", access.as_user);
  if (!access.as_uid.empty()) identity.headers.emplace_back("Impersonate-Uid", access.as_uid);
  for (const std::string& group : access.as_groups) {
    identity.headers.emplace_back("Impersonate-Group", group);
  }
  for (const auto& [key, values] : access.as_extra) {
    for (const std::string& value : values) {
      identity.headers.emplace_back("Impersonate-Extra-" + escaped_key(key), value);
    }
  }
}

}  // namespace

bool Credentials::uses_plugin() const {
  // As in client-go, the kubeconfig's own credentials take precedence.
  return access_.exec && access_.token.empty() && access_.token_file.empty() &&
         access_.username.empty();
}

bool Credentials::renewable() const {
  return uses_plugin() || !access_.token_file.empty() || !access_.client_certificate_file.empty() ||
         !access_.client_key_file.empty();
}

Result<Credentials::Secrets> Credentials::read_files() const {
  Secrets secrets{access_.token, access_.client_certificate_pem, access_.client_key_pem,
                  kInKubeconfig, kInKubeconfig};
  if (!access_.token_file.empty()) {
    EBB_ASSIGN_OR_RETURN(secrets.token, read_token_file(access_.token_file));
  }
  if (!access_.client_certificate_file.empty()) {
    EBB_ASSIGN_OR_RETURN(secrets.certificate_pem,
                         read_file(access_.client_certificate_file, "client certificate"));
    secrets.certificate_origin = "in " + access_.client_certificate_file;
  }
  if (!access_.client_key_file.empty()) {
    EBB_ASSIGN_OR_RETURN(secrets.key_pem, read_file(access_.client_key_file, "client key"));
    secrets.key_origin = "in " + access_.client_key_file;
  }
  return secrets;
}

Result<net::HttpClientTls> Credentials::make_tls(const Secrets& secrets) const {
  net::HttpClientTls tls{.ca_pem = access_.ca_pem,
                         .insecure = access_.insecure,
                         .server_name = access_.tls_server_name};
  if (secrets.certificate_pem.empty() && secrets.key_pem.empty()) return tls;
  // Expiry is left to the server, which may also authenticate by a token.
  EBB_ASSIGN_OR_RETURN(auto identity,
                       net::parse_client_identity(
                           {.pem = secrets.certificate_pem, .origin = secrets.certificate_origin},
                           {.pem = secrets.key_pem, .origin = secrets.key_origin}, {}));
  tls.certificate_pem = std::move(identity.certificate_pem);
  tls.key_pem = std::move(identity.key_pem);
  return tls;
}

Result<void> Credentials::adopt(Secrets secrets) {
  if (identity_.tls && secrets == secrets_) return {};
  if (!identity_.tls || secrets.certificate_pem != secrets_.certificate_pem ||
      secrets.key_pem != secrets_.key_pem) {
    EBB_ASSIGN_OR_RETURN(auto tls, make_tls(secrets));
    identity_.tls = std::make_shared<net::HttpClientTls>(std::move(tls));
  }
  identity_.headers = {{"User-Agent", kUserAgent}};
  if (!secrets.token.empty()) {
    identity_.headers.emplace_back("Authorization", "Bearer " + secrets.token);
  } else if (!access_.username.empty()) {
    identity_.headers.emplace_back(
        "Authorization", "Basic " + encode_base64(access_.username + ":" + access_.password));
  }
  add_impersonation(access_, identity_);
  secrets_ = std::move(secrets);
  ++identity_.generation;
  return {};
}

Result<std::unique_ptr<Credentials>> Credentials::make(const ClusterAccess& access, Now now,
                                                       std::function<void()> wake,
                                                       const std::atomic<bool>* give_up) {
  if (!access.ca_pem.empty()) {
    EBB_RETURN_IF_ERROR(net::check_authorities({.pem = access.ca_pem, .origin = kOfAuthority}));
  }
  std::unique_ptr<Credentials> made(new Credentials(access, std::move(wake)));
  EBB_ASSIGN_OR_RETURN(auto secrets, made->read_files());
  made->next_read_ = plus(now.mono, kReadEveryNs);
  EBB_RETURN_IF_ERROR(made->adopt(std::move(secrets)));
  made->ready_ = !made->uses_plugin();
  if (made->ready_) return made;
  // Only now can a user type a password.
  const std::atomic<bool> never = false;
  auto credential = run_exec_plugin(made->access_, isatty(STDIN_FILENO) != 0,
                                    give_up == nullptr ? never : *give_up);
  if (!credential) return propagate(credential);
  made->take_plugin(std::move(credential), now);
  if (!made->ready_) return fail(ErrorCode::kInvalidInput, made->problem_);
  return made;
}

void Credentials::refresh(Now now) {
  if (uses_plugin()) {
    if (auto result = runner_.take()) take_plugin(std::move(*result), now);
    const bool expired = !expires_.is_zero() && now.wall >= expires_;
    if ((expired || !ready_) && !runner_.running() && now.mono >= next_run_) run_plugin(now);
    return;
  }
  if (now.mono < next_read_) return;
  next_read_ = plus(now.mono, kReadEveryNs);
  // A file that is being replaced is read the next time.
  if (auto secrets = read_files()) (void)adopt(std::move(*secrets));
}

void Credentials::run_plugin(Now now) {
  ready_ = false;
  problem_.clear();
  next_run_ = plus(now.mono, kPluginPauseNs);
  runner_.start();
}

void Credentials::take_plugin(Result<ExecCredential> result, Now now) {
  next_run_ = plus(now.mono, kPluginPauseNs);
  if (!result) {
    problem_ = result.error().message;
    return;
  }
  Secrets secrets{result->token, access_.client_certificate_pem, access_.client_key_pem,
                  kInKubeconfig, kInKubeconfig};
  if (!result->certificate_pem.empty()) {
    secrets.certificate_pem = std::move(result->certificate_pem);
    secrets.key_pem = std::move(result->key_pem);
    secrets.certificate_origin = secrets.key_origin =
        fmt::format("from the credential plugin {}", access_.exec->command);
  }
  if (auto adopted = adopt(std::move(secrets)); !adopted) {
    problem_ = std::move(adopted.error().message);
    return;
  }
  expires_ = result->expires.is_zero() ? Timestamp{} : plus(result->expires, -kLeewayNs);
  ready_ = true;
  problem_.clear();
}

bool Credentials::rejected(std::uint64_t generation, Now now) {
  // An earlier response has already triggered the renewal.
  if (generation != identity_.generation || !ready_) return true;
  if (!renewable() || now.mono < next_rejected_) return false;
  next_rejected_ = plus(now.mono, kRejectionPauseNs);
  if (uses_plugin()) {
    if (!runner_.running()) run_plugin(now);
    return true;
  }
  if (auto secrets = read_files()) (void)adopt(std::move(*secrets));
  return generation != identity_.generation;
}

}  // namespace ebb::kube
