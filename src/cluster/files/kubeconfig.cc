#include "cluster/files/kubeconfig.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "cluster/files/private_file.h"
#include "net/server/listening.h"
#include "net/tls/secret.h"

namespace ebb::cluster {
namespace {

// This line identifies files that ebb wrote. kubectl drops it when it changes a file (`kubectl
// config ...`): then the file is the user's.
constexpr std::string_view kFirstLine =
    "# Written by ebb up, and written anew each time it starts.\n";

// HOST:PORT in a file that ebb wrote; empty if it is absent.
std::string server_of(std::string_view text) {
  constexpr std::string_view kBefore = "server: https://";
  const std::size_t start = text.find(kBefore);
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + kBefore.size());
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

std::string kubeconfig_text(const Kubeconfig& config) {
  return fmt::format(R"({}apiVersion: v1
kind: Config
clusters:
- name: ebb
  cluster:
    server: {}
    certificate-authority-data: {}
    disable-compression: true
users:
- name: ebb
  user:
    token: {}
contexts:
- name: ebb
  context:
    cluster: ebb
    user: ebb
current-context: ebb
)",
                     kFirstLine, config.server, encode_base64(config.authority_pem), config.token);
}

Result<void> check_kubeconfig_file(const std::filesystem::path& file) {
  EBB_ASSIGN_OR_RETURN(auto present, read_if_there(file));
  if (!present || present->starts_with(kFirstLine)) return {};
  return fail(ErrorCode::kInvalidInput,
              fmt::format("{} exists and was not written by ebb up, so it is left unchanged; "
                          "name another file with --write-kubeconfig",
                          file.string()));
}

Result<void> check_kubeconfig_is_free(const std::filesystem::path& file) {
  EBB_RETURN_IF_ERROR(check_kubeconfig_file(file));
  EBB_ASSIGN_OR_RETURN(auto present, read_if_there(file));
  const std::string server = present ? server_of(*present) : "";
  if (server.empty() || !net::is_listening(server)) return {};
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("{} belongs to a cluster that is running at https://{}; stop that one, or "
                  "name another file with --write-kubeconfig",
                  file.string(), server));
}

Result<void> write_kubeconfig(const std::filesystem::path& file, const Kubeconfig& config) {
  EBB_RETURN_IF_ERROR(check_kubeconfig_file(file));
  return write_private(file, kubeconfig_text(config));
}

}  // namespace ebb::cluster
