#include "cli/common/access_options.h"

namespace ebb::cli {

void AccessOptions::declare(CLI::App& app) {
  app.add_option("--kubeconfig", options_.kubeconfig,
                 "The kubeconfig file to use; by default $KUBECONFIG, then ~/.kube/config, then "
                 "the service account of the pod");
  app.add_option("--context", options_.context,
                 "The context of the kubeconfig to use; by default the current one");
}

Result<kube::ClusterAccess> AccessOptions::find() const {
  return kube::find_cluster_access(options_);
}

}  // namespace ebb::cli
