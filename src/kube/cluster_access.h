// How to reach an API server, and with which identity: the result of reading a kubeconfig's context
// or the service account of a pod.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ebb::kube {

// An external program that provides credentials (client.authentication.k8s.io).
struct ExecPlugin {
  std::string api_version{};
  std::string command{};  // ready to run: relative paths are resolved
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>> env{};
  std::string install_hint{};
  bool provide_cluster_info = false;
  std::string interactive_mode{};
  std::string cluster_config{};  // JSON from the cluster's entry for the plugin; may be empty
};

struct ClusterAccess {
  std::string server{};  // https://host:port, maybe with a path; no slash at the end
  std::string namespace_name = "default";
  std::string context{};  // for messages; empty in a cluster
  // TLS
  std::string ca_pem{};
  std::string tls_server_name{};
  bool insecure = false;
  std::string proxy_url{};
  // Identity. Files are read again while the process runs, because they are renewed.
  std::string client_certificate_pem{};
  std::string client_key_pem{};
  std::string client_certificate_file{};
  std::string client_key_file{};
  std::string token{};
  std::string token_file{};
  std::string username{};
  std::string password{};
  std::optional<ExecPlugin> exec{};
  // Impersonation
  std::string as_user{};
  std::string as_uid{};
  std::vector<std::string> as_groups{};
  std::vector<std::pair<std::string, std::vector<std::string>>> as_extra{};
};

struct AccessOptions {
  std::string kubeconfig{};  // --kubeconfig; empty: $KUBECONFIG, then ~/.kube/config
  std::string context{};     // --context; empty: the current one
  bool in_cluster = true;    // use the pod's service account if there is no kubeconfig
};

// Reads kubeconfig files as kubectl does. Errors name the file and the entry.
[[nodiscard]] Result<ClusterAccess> find_cluster_access(const AccessOptions& options);

// The server's address for display, without a password (https://user:password@host).
[[nodiscard]] std::string shown_server(const std::string& server);

}  // namespace ebb::kube
