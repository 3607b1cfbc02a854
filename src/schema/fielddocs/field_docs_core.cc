// Field docs of the small kinds of the core group, of leases, and of references.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kCoreFieldDocs = R"(
package io.k8s.api.core.v1

Namespace: A scope for names. Objects in different namespaces may have the same name.
  spec: The desired state.
  status: The observed state.

NamespaceSpec: The desired state of a namespace.
  finalizers: The components that must finish their work before the namespace is removed.

NamespaceStatus: The observed state of a namespace.
  phase: Active, or Terminating while it is being emptied.
  conditions: Conditions that say what delays the deletion of the namespace.

NamespaceCondition: One aspect of the state of a namespace.
  type: The aspect that the condition describes.
  status: True, False or Unknown.
  lastTransitionTime: When the status last changed.
  reason: The reason for the status, in one word.
  message: The reason for the status, in a sentence.

Secret: Confidential values, such as passwords, tokens and keys.
  immutable: Whether the values can no longer be changed. Once true, it stays true.
  data: The values by key, in base64.
  stringData: Values by key, as plain text. The server moves them to data; they are never returned.
  type: The purpose of the Secret, which may require certain keys.

ConfigMap: Configuration values for programs.
  immutable: Whether the values can no longer be changed. Once true, it stays true.
  data: The values by key, as text.
  binaryData: Binary values by key, in base64.

ServiceAccount: An identity with which the programs in a pod use the API server.
  secrets: The Secrets that pods of this account may use.
  imagePullSecrets: Secrets with the credentials for pulling images.
  automountServiceAccountToken: Whether pods of this account get its token by default.

Event: A report about something that happened to an object.
  involvedObject: The object that the event is about.
  reason: What happened, in one word.
  message: What happened, in a sentence.
  source: The component that reported the event.
  firstTimestamp: When it happened first.
  lastTimestamp: When it happened last.
  count: How often it has happened.
  type: Normal or Warning.
  eventTime: When it happened, to the microsecond.
  series: Data about repetitions, if the event happened repeatedly.
  action: The action that was taken or failed.
  related: Another object that was involved.
  reportingComponent: The component that reported the event.
  reportingInstance: The instance of that component.

EventSource: The source of an event.
  component: The component that reported it.
  host: The node that the component runs on.

EventSeries: Data about the repetitions of an event.
  count: How often it has happened so far.
  lastObservedTime: When it happened last.

KeyToPath: A value and the file that it is written to.
  key: The key of the value.
  path: The path of the file within the volume, without '..'.
  mode: The permissions of the file, 0 to 0777. JSON has no octal numbers, so write 0644 as 420.

LocalObjectReference: An object of a known kind in the same namespace.
  name: The name of the object.

ObjectFieldSelector: A field of the pod.
  apiVersion: The API version that the path refers to.
  fieldPath: The path of the field, such as metadata.name.

ResourceFieldSelector: A resource request or limit of a container.
  containerName: The name of the container. Required in volumes.
  resource: The request or limit, such as limits.cpu.
  divisor: The unit of the value.

TypedLocalObjectReference: An object of any kind in the same namespace.
  apiGroup: The API group of the object. Absent for the core group.
  kind: The kind of the object.
  name: The name of the object.

TypedObjectReference: An object of any kind.
  apiGroup: The API group of the object. Absent for the core group.
  kind: The kind of the object.
  name: The name of the object.
  namespace: The namespace of the object; by default the same one.

ObjectReference: An object, or a part of one.
  kind: The kind of the object.
  namespace: The namespace of the object.
  name: The name of the object.
  uid: The uid of the object.
  apiVersion: The group and version of the object.
  resourceVersion: The revision of the object.
  fieldPath: A part of the object, such as spec.containers{web}.

Binding: Assigns a pod to a node.
  target: The node.

package io.k8s.api.coordination.v1

Lease: A lock with a time limit that one of several programs holds, often for leader election.
  spec: The holder of the lease, and its duration.

LeaseSpec: The holder of a lease, and its times.
  holderIdentity: The identity of the holder.
  leaseDurationSeconds: How long other programs must wait after renewTime before they may take it.
  acquireTime: When the holder acquired the lease.
  renewTime: When the holder last renewed the lease.
  leaseTransitions: How often the holder has changed.
  strategy: How a new holder is chosen in coordinated leader election.
  preferredHolder: The next holder, for which the current holder should give up the lease.

package io.k8s.api.policy.v1

Eviction: A request to delete a pod, if disruption budgets allow it.
  deleteOptions: The options of the deletion.

package io.k8s.api.autoscaling.v1

Scale: The size of a workload of any kind.
  spec: The desired size.
  status: The observed size.

ScaleSpec: The desired size of a workload.
  replicas: The desired number of pods.

ScaleStatus: The observed size of a workload.
  replicas: The number of pods.
  selector: The label selector of the pods, as text.
)";

}  // namespace ebb::schema
