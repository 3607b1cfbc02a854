// Field docs of scheduling constraints.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kSchedulingFieldDocs = R"(
package io.k8s.api.core.v1

Affinity: The affinity rules of a pod.
  nodeAffinity: The nodes that the pod requires or prefers.
  podAffinity: The pods that this pod requires or prefers to be near.
  podAntiAffinity: The pods that this pod must or should not be near.

NodeAffinity: The nodes that a pod requires or prefers.
  requiredDuringSchedulingIgnoredDuringExecution: The nodes that the pod may be scheduled to. Later
    changes do not affect a running pod.
  preferredDuringSchedulingIgnoredDuringExecution: The nodes that the pod prefers, with weights.

NodeSelector: Selects the nodes that match at least one term.
  nodeSelectorTerms: The terms.

NodeSelectorTerm: Requirements on a node, all of which must be met.
  matchExpressions: Requirements on the labels of the node.
  matchFields: Requirements on the fields of the node.

NodeSelectorRequirement: A requirement on a label or field of a node.
  key: The label or field.
  operator: The comparison: In, NotIn, Exists, DoesNotExist, Gt or Lt.
  values: The values for In and NotIn, or one number for Gt and Lt. Empty for the other operators.

PreferredSchedulingTerm: Preferred nodes, with a weight.
  weight: The weight, from 1 to 100.
  preference: The nodes.

PodAffinity: The pods that a pod requires or prefers to be near.
  requiredDuringSchedulingIgnoredDuringExecution: The pods that the pod must be near. Later changes do
    not affect a running pod.
  preferredDuringSchedulingIgnoredDuringExecution: The pods that the pod prefers to be near, with
    weights.

PodAntiAffinity: The pods that a pod must or should not be near.
  requiredDuringSchedulingIgnoredDuringExecution: The pods that the pod must not be near. Later changes
    do not affect a running pod.
  preferredDuringSchedulingIgnoredDuringExecution: The pods that the pod prefers not to be near, with
    weights.

PodAffinityTerm: A set of pods, and the topology in which they are near.
  labelSelector: Selects the pods by labels.
  namespaces: The namespaces of the pods; by default the pod's own namespace.
  topologyKey: A node label. Pods are near each other if their nodes have the same value.
  namespaceSelector: Selects the namespaces of the pods by labels.
  matchLabelKeys: Labels whose values must equal those of the pod itself.
  mismatchLabelKeys: Labels whose values must differ from those of the pod itself.

WeightedPodAffinityTerm: A set of pods, with a weight.
  weight: The weight, from 1 to 100.
  podAffinityTerm: The pods.

Toleration: A taint that a pod tolerates.
  key: The key of the taint. If it is empty and the operator is Exists, all keys match.
  operator: How values are compared. Exists matches any value.
  value: The value of the taint.
  effect: The effect of the taint; by default all effects.
  tolerationSeconds: How long the pod tolerates a NoExecute taint; by default forever.

TopologySpreadConstraint: How pods are spread over the domains of a topology.
  maxSkew: The maximum difference between the numbers of pods in two domains.
  topologyKey: A node label. Each of its values is a domain.
  whenUnsatisfiable: Whether a pod that violates the constraint waits (DoNotSchedule) or is scheduled
    anyway (ScheduleAnyway).
  labelSelector: Selects the pods that are counted.
  minDomains: The minimum number of domains.
  nodeAffinityPolicy: Whether nodes that the pod's node affinity excludes are ignored.
  nodeTaintsPolicy: Whether nodes with taints that the pod does not tolerate are ignored.
  matchLabelKeys: Labels whose values must equal those of the pod itself for a pod to be counted.

Taint: Repels pods from a node, unless they tolerate it.
  key: The key of the taint.
  value: The value of the taint.
  effect: NoSchedule repels new pods, PreferNoSchedule repels them if possible, and NoExecute also
    evicts running pods.
  timeAdded: When the taint was added.
)";

}  // namespace ebb::schema
