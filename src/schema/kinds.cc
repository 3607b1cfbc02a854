// The table of kinds. What a write to /status may change beside status differs from kind to
// kind in Kubernetes; controllers rely on it.
#include "schema/columns.h"
#include "schema/kind.h"
#include "schema/shapes_admission.h"
#include "schema/shapes_apps.h"
#include "schema/shapes_coordination.h"
#include "schema/shapes_core.h"
#include "schema/shapes_ebb.h"
#include "schema/shapes_node.h"
#include "schema/shapes_pod.h"
#include "schema/shapes_service.h"
#include "schema/shapes_subresources.h"

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
     .shape = &kPod,
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
     .shape = &kNode,
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
     .shape = &kNamespace,
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
     .shape = &kSecret,
     .selectable = kSecretSelectable,
     .columns = secret_columns},
    {.version = "v1",
     .name = "Event",
     .plural = "events",
     .singular = "event",
     .short_names = "ev",
     .shape = &kEvent,
     .selectable = kEventSelectable,
     .columns = event_columns},
    {.version = "v1",
     .name = "ConfigMap",
     .plural = "configmaps",
     .singular = "configmap",
     .short_names = "cm",
     .shape = &kConfigMap,
     .columns = configmap_columns},
    {.version = "v1",
     .name = "Service",
     .plural = "services",
     .singular = "service",
     .short_names = "svc",
     .categories = "all",
     .shape = &kService,
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
     .shape = &kServiceAccount,
     .columns = serviceaccount_columns},
    {.group = "apps",
     .version = "v1",
     .name = "ReplicaSet",
     .plural = "replicasets",
     .singular = "replicaset",
     .short_names = "rs",
     .categories = "all",
     .shape = &kReplicaSet,
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
     .shape = &kDeployment,
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
     .shape = &kMutatingWebhookConfiguration,
     .has_generation = true,
     .columns = webhook_configuration_columns},
    {.group = "admissionregistration.k8s.io",
     .version = "v1",
     .name = "ValidatingWebhookConfiguration",
     .plural = "validatingwebhookconfigurations",
     .singular = "validatingwebhookconfiguration",
     .categories = "api-extensions",
     .namespaced = false,
     .shape = &kValidatingWebhookConfiguration,
     .has_generation = true,
     .columns = webhook_configuration_columns},
    {.group = "coordination.k8s.io",
     .version = "v1",
     .name = "Lease",
     .plural = "leases",
     .singular = "lease",
     .shape = &kLease,
     .needs_revision_to_update = true,
     .columns = lease_columns},
    {.group = "ebb.dev",
     .version = "v1alpha1",
     .name = "DownscalePolicy",
     .plural = "downscalepolicies",
     .singular = "downscalepolicy",
     .short_names = "dsp",
     .shape = &kDownscalePolicy,
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
     .shape = &kPodGroupCost,
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
                              .shape = &kScale,
                              .columns = scale_columns};
  return kKind;
}

const Kind& eviction_kind() {
  static constexpr Kind kKind{
      .group = "policy", .version = "v1", .name = "Eviction", .shape = &kEviction};
  return kKind;
}

const Kind& binding_kind() {
  static constexpr Kind kKind{.version = "v1", .name = "Binding", .shape = &kBinding};
  return kKind;
}

}  // namespace ebb::schema
