// The protocol of credential plugins: ExecCredential of client.authentication.k8s.io.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"
#include "kube/cluster_access.h"

namespace ebb::kube {

struct ExecCredential {
  std::string token{};
  std::string certificate_pem{};
  std::string key_pem{};
  Timestamp expires{};  // zero: never
};

// The value of KUBERNETES_EXEC_INFO.
[[nodiscard]] std::string exec_info(const ClusterAccess& access, bool interactive);

// Errors contain nothing of the plugin's output: it is secret.
[[nodiscard]] Result<ExecCredential> parse_exec_credential(const ExecPlugin& plugin,
                                                           std::string_view output);

}  // namespace ebb::kube
