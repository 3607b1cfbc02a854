// The file that tells kubectl where a cluster is and who we are to it.
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

// Whether write_kubeconfig would: a file that we did not write is never touched.
[[nodiscard]] Result<void> check_kubeconfig_file(const std::filesystem::path& file);
// The same, and whether no running cluster is reached by it: two that write one file would
// take each other's away.
[[nodiscard]] Result<void> check_kubeconfig_is_free(const std::filesystem::path& file);
// Mode 0600, all or nothing.
[[nodiscard]] Result<void> write_kubeconfig(const std::filesystem::path& file,
                                            const Kubeconfig& config);

}  // namespace ebb::cluster
