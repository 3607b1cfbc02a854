// The columns of `kubectl get` for each kind, with cells computed as in Kubernetes.
#pragma once

#include <span>

#include "schema/core/kind.h"

namespace ebb::schema {

[[nodiscard]] std::span<const PrinterColumn> pod_columns();
[[nodiscard]] std::span<const PrinterColumn> node_columns();
[[nodiscard]] std::span<const PrinterColumn> namespace_columns();
[[nodiscard]] std::span<const PrinterColumn> secret_columns();
[[nodiscard]] std::span<const PrinterColumn> event_columns();
[[nodiscard]] std::span<const PrinterColumn> configmap_columns();
[[nodiscard]] std::span<const PrinterColumn> service_columns();
[[nodiscard]] std::span<const PrinterColumn> serviceaccount_columns();
[[nodiscard]] std::span<const PrinterColumn> replicaset_columns();
[[nodiscard]] std::span<const PrinterColumn> deployment_columns();
[[nodiscard]] std::span<const PrinterColumn> scale_columns();
[[nodiscard]] std::span<const PrinterColumn> lease_columns();
[[nodiscard]] std::span<const PrinterColumn> webhook_configuration_columns();
[[nodiscard]] std::span<const PrinterColumn> policy_columns();
[[nodiscard]] std::span<const PrinterColumn> podgroupcost_columns();
[[nodiscard]] std::span<const PrinterColumn> decision_columns();

}  // namespace ebb::schema
