#include "kube/cluster_access.h"

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "kube/context_access.h"
#include "kube/files.h"
#include "kube/in_cluster.h"
#include "kube/kubeconfig.h"

namespace ebb::kube {
namespace {

constexpr std::string_view kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

struct Candidates {
  std::vector<std::filesystem::path> files{};
  bool required = false;  // named by the user, so it must exist
};

Candidates candidates(const AccessOptions& options) {
  if (!options.kubeconfig.empty()) return {.files = {options.kubeconfig}, .required = true};
  Candidates result;
  const std::string list = variable("KUBECONFIG");
  for (std::size_t start = 0; start < list.size();) {
    const std::size_t end = std::min(list.find(':', start), list.size());
    if (end > start) result.files.emplace_back(list.substr(start, end - start));
    start = end + 1;
  }
  const std::string home = variable("HOME");
  if (list.empty() && !home.empty()) {
    result.files.push_back(std::filesystem::path(home) / ".kube" / "config");
  }
  return result;
}

std::string names_of(const std::vector<std::filesystem::path>& files) {
  std::string text;
  for (const auto& file : files) text += (text.empty() ? "" : ", ") + file.string();
  return text;
}

}  // namespace

Result<ClusterAccess> find_cluster_access(const AccessOptions& options) {
  const Candidates wanted = candidates(options);
  Kubeconfig config;
  bool any = false;
  for (const auto& file : wanted.files) {
    auto text = read_file(file, "kubeconfig");
    // As in kubectl, missing files of the list are skipped.
    if (!text && text.error().code == ErrorCode::kNotFound && !wanted.required) continue;
    if (!text) return propagate(text);
    EBB_RETURN_IF_ERROR(config.add(file, *text));
    any = true;
  }
  if (any) return access_of_context(config, options.context);

  const std::string host = variable("KUBERNETES_SERVICE_HOST");
  const std::string port = variable("KUBERNETES_SERVICE_PORT");
  if (options.in_cluster && options.context.empty() && !host.empty() && !port.empty()) {
    return in_cluster_access(host, port, kServiceAccount);
  }
  return fail(ErrorCode::kNotFound,
              fmt::format("no kubeconfig found ({}); name one with --kubeconfig or in "
                          "KUBECONFIG, or run in a pod with a service account",
                          wanted.files.empty() ? "neither KUBECONFIG nor HOME is set"
                                               : names_of(wanted.files) + " not found"));
}

std::string shown_server(const std::string& server) {
  const std::size_t at = server.rfind('@');
  const std::size_t scheme = server.find("://");
  if (at == std::string::npos || scheme == std::string::npos) return server;
  return server.substr(0, scheme + 3) + server.substr(at + 1);
}

}  // namespace ebb::kube
