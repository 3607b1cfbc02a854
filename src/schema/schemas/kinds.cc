// The table of kinds. As in Kubernetes, kinds differ in what a write to /status may change besides
// status; controllers rely on it.
#include "schema/columns/printer_columns.h"
#include "schema/core/kind.h"
#include "schema/schemas/schemas_admission.h"
#include "schema/schemas/schemas_apps.h"
#include "schema/schemas/schemas_coordination.h"
#include "schema/schemas/schemas_core.h"
#include "schema/schemas/schemas_ebb.h"
#include "schema/schemas/schemas_node.h"
#include "schema/schemas/schemas_pod.h"
#include "schema/schemas/schemas_service.h"
#include "schema/schemas/schemas_subresources.h"

namespace ebb::schema {
namespace {

constexpr Selectable kPodSelectable[] = {
    {.label = "spec.nodeName"},
    {.label = "spec.restartPolicy"},
    {.label = "spec.schedulerName"},
    {.label = "spec.serviceAccountName"},
    {.label = "spec.hostNetwork", .fallback = "false"},
    {.label = "status.phase"},
    {.label = "status.podIP"},
    {.label = "status.podIPs"},
    {.label = "status.nominatedNodeName"},
};
constexpr Selectable kNodeSelectable[] = {{.label = "spec.unschedulable", .fallback = "false"}};
constexpr Selectable kNamespaceSelectable[] = {{.label = "status.phase"}};
constexpr Selectable kSecretSelectable[] = {{.label = "type"}};
constexpr Selectable kServiceSelectable[] = {{.label = "spec.clusterIP"}, {.label = "spec.type"}};
constexpr Selectable kReplicaSetSelectable[] = {{.label = "status.replicas", .fallback = "0"}};
constexpr Selectable kEventSelectable[] = {
    {.label = "involvedObject.kind"},
    {.label = "involvedObject.namespace"},
    {.label = "involvedObject.name"},
    {.label = "involvedObject.uid"},
    {.label = "involvedObject.apiVersion"},
    {.label = "involvedObject.resourceVersion"},
    {.label = "involvedObject.fieldPath"},
    {.label = "reason"},
    {.label = "reportingComponent"},
    {.label = "source", .path = "source.component"},
    {.label = "type"},
};

constexpr Kind kKinds[] = {
    {.version = "v1",
     .name = "Pod",
     .plural = "pods",
     .singular = "pod",
     .short_names = "po",
     .categories = "all",
     .schema = &kPod,
     .has_status = true,
     .has_generation = true,
     .status_keeps_labels = true,
     .status_keeps_annotations = true,
     .selectable = kPodSelectable,
     .columns = pod_columns},
    {.version = "v1",
     .name = "Node",
     .plural = "nodes",
     .singular = "node",
     .short_names = "no",
     .namespaced = false,
     .schema = &kNode,
     .has_status = true,
     .status_keeps_labels = true,
     .status_keeps_annotations = true,
     .selectable = kNodeSelectable,
     .columns = node_columns},
    {.version = "v1",
     .name = "Namespace",
     .plural = "namespaces",
     .singular = "namespace",
     .short_names = "ns",
     .namespaced = false,
     .schema = &kNamespace,
     .has_status = true,
     .status_keeps_labels = true,
     .status_keeps_annotations = true,
     .deleted_one_by_one = true,
     .selectable = kNamespaceSelectable,
     .columns = namespace_columns},
    {.version = "v1",
     .name = "Secret",
     .plural = "secrets",
     .singular = "secret",
     .schema = &kSecret,
     .selectable = kSecretSelectable,
     .columns = secret_columns},
    {.version = "v1",
     .name = "Event",
     .plural = "events",
     .singular = "event",
     .short_names = "ev",
     .schema = &kEvent,
     .selectable = kEventSelectable,
     .columns = event_columns},
    {.version = "v1",
     .name = "ConfigMap",
     .plural = "configmaps",
     .singular = "configmap",
     .short_names = "cm",
     .schema = &kConfigMap,
     .columns = configmap_columns},
    {.version = "v1",
     .name = "Service",
     .plural = "services",
     .singular = "service",
     .short_names = "svc",
     .categories = "all",
     .schema = &kService,
     .has_status = true,
     .status_keeps_labels = true,
     .status_keeps_annotations = true,
     .selectable = kServiceSelectable,
     .columns = service_columns},
    {.version = "v1",
     .name = "ServiceAccount",
     .plural = "serviceaccounts",
     .singular = "serviceaccount",
     .short_names = "sa",
     .schema = &kServiceAccount,
     .columns = serviceaccount_columns},
    {.group = "apps",
     .version = "v1",
     .name = "ReplicaSet",
     .plural = "replicasets",
     .singular = "replicaset",
     .short_names = "rs",
     .categories = "all",
     .schema = &kReplicaSet,
     .has_status = true,
     .has_scale = true,
     .has_generation = true,
     .status_keeps_labels = true,
     .status_keeps_annotations = true,
     .selectable = kReplicaSetSelectable,
     .columns = replicaset_columns},
    {.group = "apps",
     .version = "v1",
     .name = "Deployment",
     .plural = "deployments",
     .singular = "deployment",
     .short_names = "deploy",
     .categories = "all",
     .schema = &kDeployment,
     .has_status = true,
     .has_scale = true,
     .has_generation = true,
     .status_keeps_annotations = true,
     .generation_counts_annotations = true,
     .columns = deployment_columns},
    {.group = "admissionregistration.k8s.io",
     .version = "v1",
     .name = "MutatingWebhookConfiguration",
     .plural = "mutatingwebhookconfigurations",
     .singular = "mutatingwebhookconfiguration",
     .categories = "api-extensions",
     .namespaced = false,
     .schema = &kMutatingWebhookConfiguration,
     .has_generation = true,
     .columns = webhook_configuration_columns},
    {.group = "admissionregistration.k8s.io",
     .version = "v1",
     .name = "ValidatingWebhookConfiguration",
     .plural = "validatingwebhookconfigurations",
     .singular = "validatingwebhookconfiguration",
     .categories = "api-extensions",
     .namespaced = false,
     .schema = &kValidatingWebhookConfiguration,
     .has_generation = true,
     .columns = webhook_configuration_columns},
    {.group = "coordination.k8s.io",
     .version = "v1",
     .name = "Lease",
     .plural = "leases",
     .singular = "lease",
     .schema = &kLease,
     .needs_revision_to_update = true,
     .columns = lease_columns},
    {.group = "ebb.dev",
     .version = "v1alpha1",
     .name = "DownscaleDecision",
     .plural = "downscaledecisions",
     .singular = "downscaledecision",
     .short_names = "dsd",
     .schema = &kDownscaleDecision,
     .custom = true,
     .has_generation = true,
     .needs_revision_to_update = true,
     .columns = decision_columns},
    {.group = "ebb.dev",
     .version = "v1alpha1",
     .name = "DownscalePolicy",
     .plural = "downscalepolicies",
     .singular = "downscalepolicy",
     .short_names = "dsp",
     .schema = &kDownscalePolicy,
     .custom = true,
     .has_status = true,
     .has_generation = true,
     .needs_revision_to_update = true,
     .columns = policy_columns},
    {.group = "ebb.dev",
     .version = "v1alpha1",
     .name = "PodGroupCost",
     .plural = "podgroupcosts",
     .singular = "podgroupcost",
     .short_names = "pgc",
     .schema = &kPodGroupCost,
     .custom = true,
     .has_status = true,
     .has_generation = true,
     .needs_revision_to_update = true,
     .columns = podgroupcost_columns},
};

}  // namespace

std::span<const Kind> kinds() { return kKinds; }

const Kind& scale_kind() {
  static constexpr Kind kKind{.group = "autoscaling",
                              .version = "v1",
                              .name = "Scale",
                              .schema = &kScale,
                              .columns = scale_columns};
  return kKind;
}

const Kind& eviction_kind() {
  static constexpr Kind kKind{
      .group = "policy", .version = "v1", .name = "Eviction", .schema = &kEviction};
  return kKind;
}

const Kind& binding_kind() {
  static constexpr Kind kKind{.version = "v1", .name = "Binding", .schema = &kBinding};
  return kKind;
}

}  // namespace ebb::schema
