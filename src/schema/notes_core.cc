// What the fields of the small kinds of the core group, of leases, and of references are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kCoreNotes = R"(
package io.k8s.api.core.v1

Namespace: A room for names: objects in different namespaces may have the same one.
  spec: What is wanted.
  status: What has become of it.

NamespaceSpec: What is wanted of a namespace.
  finalizers: Who still has something to do before the namespace can be gone.

NamespaceStatus: What has become of a namespace.
  phase: Active, or Terminating while it is being emptied.
  conditions: What keeps it from being gone.

NamespaceCondition: One aspect of how a namespace is.
  type: Which aspect.
  status: True, False or Unknown.
  lastTransitionTime: When the status last changed.
  reason: Why, in one word.
  message: Why, in a sentence.

Secret: Values that not everybody should see.
  immutable: Whether its values can no longer be changed. This cannot be taken back.
  data: The values by their keys, in base64.
  stringData: Values as plain text. They are put into data when the Secret is written, and never shown.
  type: What the Secret is for; programs may expect certain keys.

ConfigMap: Settings for programs.
  immutable: Whether its values can no longer be changed. This cannot be taken back.
  data: The values by their keys, as text.
  binaryData: Values that are not text, by their keys, in base64.

ServiceAccount: Who a program in a pod is to the API server.
  secrets: Secrets that pods of this account may use.
  imagePullSecrets: Secrets that images are fetched with.
  automountServiceAccountToken: Whether pods of this account get its token, unless they say otherwise.

Event: Something that happened to an object.
  involvedObject: The object it is about.
  reason: What happened, in one word.
  message: What happened, in a sentence.
  source: The program that noticed it.
  firstTimestamp: When it happened first.
  lastTimestamp: When it happened last.
  count: How often it has happened.
  type: Normal or Warning.
  eventTime: When it happened, to the microsecond.
  series: How it went on, if it happened again and again.
  action: What was done about it, or what failed.
  related: Another object that had to do with it.
  reportingComponent: The program that reported it.
  reportingInstance: Which of the running copies of that program.

EventSource: Where an event comes from.
  component: The program.
  host: The node that it runs on.

EventSeries: How an event went on.
  count: How often it has happened so far.
  lastObservedTime: When it was last seen.

KeyToPath: The name of the file that a value is written to.
  key: The key of the value.
  path: The path of the file within the volume, without '..'.
  mode: The permissions of the file, 0 to 0777. JSON knows no octal numbers: 0644 is 420.

LocalObjectReference: An object of a known kind in the same namespace.
  name: Its name.

ObjectFieldSelector: A field of the pod.
  apiVersion: The version that the path is written in.
  fieldPath: Where the field is, such as metadata.name.

ResourceFieldSelector: What a container asks for, or may use at most.
  containerName: The container. Volumes have to say which one.
  resource: Which value, such as limits.cpu.
  divisor: The unit that the value is shown in.

TypedLocalObjectReference: An object of some kind in the same namespace.
  apiGroup: The group of its kind. None for the core group.
  kind: Its kind.
  name: Its name.

TypedObjectReference: An object of some kind.
  apiGroup: The group of its kind. None for the core group.
  kind: Its kind.
  name: Its name.
  namespace: The namespace it is in, if that is another one.

ObjectReference: Some object, or a part of it.
  kind: Its kind.
  namespace: The namespace it is in.
  name: Its name.
  uid: Its uid.
  apiVersion: The group and version of its kind.
  resourceVersion: The revision that is meant.
  fieldPath: The part that is meant, such as spec.containers{web}.

Binding: Puts a pod on a node.
  target: The node.

package io.k8s.api.coordination.v1

Lease: Something that one of several programs holds for a while: often the right to lead.
  spec: Who holds it, and for how long.

LeaseSpec: Who holds a lease.
  holderIdentity: Who holds it.
  leaseDurationSeconds: How long others have to wait after renewTime before they may take it.
  acquireTime: When the holder took it.
  renewTime: When the holder last said that it still has it.
  leaseTransitions: How often it has gone to another holder.
  strategy: How a new holder is chosen where that is coordinated.
  preferredHolder: Who should hold it next, for the present holder to make way.

package io.k8s.api.policy.v1

Eviction: Asks for a pod to go, as far as disruption budgets allow.
  deleteOptions: How it is to be deleted.

package io.k8s.api.autoscaling.v1

Scale: The size of a workload, whatever its kind.
  spec: The size that is wanted.
  status: The size that it has.

ScaleSpec: A number of pods.
  replicas: How many pods there should be.

ScaleStatus: The size that a workload has.
  replicas: How many pods there are.
  selector: Which pods these are, as a selector in text.
)";

}  // namespace ebb::schema
