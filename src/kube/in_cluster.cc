#include "kube/in_cluster.h"

#include "kube/files.h"

namespace ebb::kube {

Result<ClusterAccess> in_cluster_access(const std::string& host, const std::string& port,
                                        const std::filesystem::path& folder) {
  ClusterAccess access;
  const bool ipv6 = host.find(':') != std::string::npos;
  access.server = "https://" + (ipv6 ? "[" + host + "]" : host) + ":" + port;
  access.token_file = (folder / "token").string();
  // Checked now to report a missing file at once; read again while the process runs.
  EBB_RETURN_IF_ERROR(read_token_file(access.token_file));
  EBB_ASSIGN_OR_RETURN(access.ca_pem, read_file(folder / "ca.crt", "certificate authority"));
  // Older clusters do not mount it.
  if (auto name = read_file(folder / "namespace", "namespace"); name && !name->empty()) {
    access.namespace_name = name->substr(0, name->find_first_of(" \t\r\n"));
  }
  return access;
}

}  // namespace ebb::kube
