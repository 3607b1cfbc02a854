// --kubeconfig and --context: selects the cluster as kubectl does.
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "base/result.h"
#include "kube/client.h"
#include "kube/cluster_access.h"

namespace ebb::cli {

class AccessOptions {
 public:
  void declare(CLI::App& app);
  // Whether either option was given.
  [[nodiscard]] bool given() const {
    return !options_.kubeconfig.empty() || !options_.context.empty();
  }
  [[nodiscard]] Result<kube::ClusterAccess> find() const;

 private:
  kube::AccessOptions options_;
};

}  // namespace ebb::cli
