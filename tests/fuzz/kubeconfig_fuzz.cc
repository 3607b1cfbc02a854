// Fuzzes kubeconfig files. An accepted file has an address, merging the same file twice changes
// nothing, and errors contain no secrets. Files that it refers to are not read.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "input.h"
#include "kube/context_access.h"
#include "kube/files.h"
#include "kube/kubeconfig.h"

namespace {

using ebb::kube::ClusterAccess;
using ebb::kube::Kubeconfig;

void check_access(const ClusterAccess& access) {
  EBB_CHECK(access.server.find("://") != std::string::npos && !access.server.ends_with('/'));
  EBB_CHECK(ebb::kube::is_printable(access.token));
  EBB_CHECK(access.username.empty() || (access.token.empty() && access.token_file.empty()));
  EBB_CHECK(!access.insecure || access.ca_pem.empty());
  EBB_CHECK(!access.as_user.empty() || (access.as_uid.empty() && access.as_groups.empty()));
  if (access.exec) EBB_CHECK(!access.exec->command.empty() && !access.exec->api_version.empty());
}

bool is_same(const ClusterAccess& a, const ClusterAccess& b) {
  return a.server == b.server && a.token == b.token && a.ca_pem == b.ca_pem &&
         a.namespace_name == b.namespace_name && a.username == b.username &&
         a.client_key_pem == b.client_key_pem;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view yaml = ebb::fuzz::as_text(data, size);
  Kubeconfig config;
  const auto added = config.add("/nowhere/config", yaml);
  if (!added) {
    EBB_CHECK(ebb::fuzz::is_text(added.error().message));
    EBB_CHECK(added.error().message.starts_with("/nowhere/config: "));
    return 0;
  }
  // The one field whose file is read at once.
  for (const auto& [name, cluster] : config.clusters()) {
    if (cluster.value.contains("certificate-authority")) return 0;
  }
  Kubeconfig twice;
  EBB_CHECK(twice.add("/nowhere/config", yaml) && twice.add("/nowhere/other", yaml));
  EBB_CHECK(twice.contexts().size() == config.contexts().size());
  for (const auto& [name, context] : config.contexts()) {
    const auto access = ebb::kube::access_of_context(config, name);
    const auto again = ebb::kube::access_of_context(twice, name);
    EBB_CHECK(access.has_value() == again.has_value());
    if (!access) {
      EBB_CHECK(ebb::fuzz::is_text(access.error().message));
      continue;
    }
    check_access(*access);
    EBB_CHECK(is_same(*access, *again));
  }
  return 0;
}
