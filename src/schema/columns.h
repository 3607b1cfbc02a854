// What `kubectl get` shows of each kind, cell by cell as Kubernetes computes it.
#pragma once

#include <span>

#include "schema/kind.h"

namespace ebb::schema {

[[nodiscard]] std::span<const Column> pod_columns();
[[nodiscard]] std::span<const Column> node_columns();
[[nodiscard]] std::span<const Column> namespace_columns();
[[nodiscard]] std::span<const Column> secret_columns();
[[nodiscard]] std::span<const Column> event_columns();
[[nodiscard]] std::span<const Column> configmap_columns();
[[nodiscard]] std::span<const Column> service_columns();
[[nodiscard]] std::span<const Column> serviceaccount_columns();
[[nodiscard]] std::span<const Column> replicaset_columns();
[[nodiscard]] std::span<const Column> deployment_columns();
[[nodiscard]] std::span<const Column> scale_columns();
[[nodiscard]] std::span<const Column> lease_columns();
[[nodiscard]] std::span<const Column> webhook_configuration_columns();
[[nodiscard]] std::span<const Column> policy_columns();
[[nodiscard]] std::span<const Column> podgroupcost_columns();

}  // namespace ebb::schema
