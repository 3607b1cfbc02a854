// What the fields that say where pods may run are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kSchedulingNotes = R"(
package io.k8s.api.core.v1

Affinity: Where a pod should run.
  nodeAffinity: On which nodes.
  podAffinity: Near which pods.
  podAntiAffinity: Away from which pods.

NodeAffinity: On which nodes a pod should run.
  requiredDuringSchedulingIgnoredDuringExecution: Nodes it has to run on. A pod that runs stays, whatever
    changes.
  preferredDuringSchedulingIgnoredDuringExecution: Nodes it had better run on, weighed against each other.

NodeSelector: Selects nodes for which at least one of the terms holds.
  nodeSelectorTerms: The terms.

NodeSelectorTerm: Demands on a node, all of which have to hold.
  matchExpressions: Demands on its labels.
  matchFields: Demands on its fields.

NodeSelectorRequirement: A demand on a label or field of a node.
  key: The label or field.
  operator: What is demanded.
  values: The values for In and NotIn, or the one number for Gt and Lt. Empty for the others.

PreferredSchedulingTerm: Nodes that are preferred.
  weight: How much, from 1 to 100.
  preference: Which nodes.

PodAffinity: Near which pods a pod should run.
  requiredDuringSchedulingIgnoredDuringExecution: Pods it has to be near. A pod that runs stays, whatever
    changes.
  preferredDuringSchedulingIgnoredDuringExecution: Pods it had better be near, weighed against each other.

PodAntiAffinity: Away from which pods a pod should run.
  requiredDuringSchedulingIgnoredDuringExecution: Pods it must not be near. A pod that runs stays, whatever
    changes.
  preferredDuringSchedulingIgnoredDuringExecution: Pods it had better not be near, weighed against each
    other.

PodAffinityTerm: Pods, and what near means.
  labelSelector: Which pods, by their labels.
  namespaces: The namespaces in which they are. The pod's own, if none are given in any way.
  topologyKey: A label of nodes. Pods are near each other if it has the same value for both.
  namespaceSelector: The namespaces in which they are, by labels.
  matchLabelKeys: Labels in which they have to be like the pod itself.
  mismatchLabelKeys: Labels in which they have to differ from the pod itself.

WeightedPodAffinityTerm: Pods that count for more or less.
  weight: How much, from 1 to 100.
  podAffinityTerm: Which pods.

Toleration: A taint that does not keep a pod away from a node.
  key: The key of the taint. All of them, if it is empty and the operator is Exists.
  operator: How values are compared. Exists takes any value.
  value: The value of the taint.
  effect: The effect of the taint. All of them, unless it is given.
  tolerationSeconds: How long the pod stays in spite of NoExecute. For ever, unless it is given.

TopologySpreadConstraint: How pods are spread over the domains of a topology.
  maxSkew: By how many pods domains may differ.
  topologyKey: A label of nodes. Each of its values is a domain.
  whenUnsatisfiable: Whether a pod that would break this waits or is placed all the same.
  labelSelector: Which pods are counted.
  minDomains: How many domains there should be at least.
  nodeAffinityPolicy: Whether nodes that the pod's affinity rules out are left out of account.
  nodeTaintsPolicy: Whether nodes whose taints keep the pod away are left out of account.
  matchLabelKeys: Labels in which the pods that are counted have to be like the pod itself.

Taint: Keeps pods away from a node, unless they tolerate it.
  key: Its key.
  value: Its value.
  effect: NoSchedule keeps new pods away, PreferNoSchedule if possible, and NoExecute makes those that
    are there go as well.
  timeAdded: When it was added.
)";

}  // namespace ebb::schema
