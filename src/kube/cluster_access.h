// How to reach an API server and who to be there: what a kubeconfig's context, or the service
// account of a pod, comes down to.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ebb::kube {

// An external program that hands out credentials (client.authentication.k8s.io).
struct ExecPlugin {
  std::string api_version{};
  std::string command{};  // as it is to be run: relative paths were resolved
  std::vector<std::string> args{};
  std::vector<std::pair<std::string, std::string>> env{};
  std::string install_hint{};
  bool provide_cluster_info = false;
  std::string interactive_mode{};
  std::string cluster_config{};  // JSON that the cluster's entry holds for the plugin; or empty
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
  // Who. Files are read again while the process runs, because they are renewed.
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
  bool in_cluster = true;    // use the pod's service account if no kubeconfig is to be found
};

// Reads kubeconfig files as kubectl does. Errors name the file and the entry.
[[nodiscard]] Result<ClusterAccess> find_cluster_access(const AccessOptions& options);

// A server as it may be shown: it can carry a password (https://user:password@host).
[[nodiscard]] std::string shown_server(const std::string& server);

}  // namespace ebb::kube
