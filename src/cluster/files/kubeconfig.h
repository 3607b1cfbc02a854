// The kubeconfig with which kubectl reaches a cluster.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace ebb::cluster {

struct Kubeconfig {
  std::string server{};  // https://127.0.0.1:6443
  std::string authority_pem{};
  std::string token{};
};

[[nodiscard]] std::string kubeconfig_text(const Kubeconfig& config);

// Whether write_kubeconfig may write the file: it never touches a file that ebb did not write.
[[nodiscard]] Result<void> check_kubeconfig_file(const std::filesystem::path& file);
// Also checks that the file does not lead to a running cluster: two clusters that write one file
// would overwrite each other's.
[[nodiscard]] Result<void> check_kubeconfig_is_free(const std::filesystem::path& file);
// Mode 0600, atomic.
[[nodiscard]] Result<void> write_kubeconfig(const std::filesystem::path& file,
                                            const Kubeconfig& config);

}  // namespace ebb::cluster
