#include "cluster/kubeconfig.h"

#include <fmt/format.h>

#include "cluster/private_file.h"
#include "net/listening.h"
#include "net/secret.h"

namespace ebb::cluster {
namespace {

// By this line we know our own files again. kubectl drops it when it changes a file
// (`kubectl config ...`): then the file is the user's.
constexpr std::string_view kFirstLine =
    "# Written by ebb up, and written anew each time it starts.\n";

// HOST:PORT in a file that we wrote; empty if it is not there.
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
                     kFirstLine, config.server, net::base64(config.authority_pem), config.token);
}

Result<void> check_kubeconfig_file(const std::filesystem::path& file) {
  auto present = read_if_there(file);
  if (!present) return propagate(present);
  if (!*present || (*present)->starts_with(kFirstLine)) return {};
  return fail(ErrorCode::kInvalidInput,
              fmt::format("{} is there and was not written by ebb up, so it is left as it is; "
                          "name another file with --write-kubeconfig",
                          file.string()));
}

Result<void> check_kubeconfig_is_free(const std::filesystem::path& file) {
  if (auto ours = check_kubeconfig_file(file); !ours) return propagate(ours);
  auto present = read_if_there(file);
  if (!present) return propagate(present);
  const std::string server = *present ? server_of(**present) : "";
  if (server.empty() || !net::is_listening(server)) return {};
  return fail(
      ErrorCode::kInvalidInput,
      fmt::format("{} belongs to a cluster that is running at https://{}; stop that one, or "
                  "name another file with --write-kubeconfig",
                  file.string(), server));
}

Result<void> write_kubeconfig(const std::filesystem::path& file, const Kubeconfig& config) {
  if (auto ours = check_kubeconfig_file(file); !ours) return propagate(ours);
  return write_private(file, kubeconfig_text(config));
}

}  // namespace ebb::cluster
