// Field docs of meta/v1, and of the fields that every object has.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kMetaFieldDocs = R"(
Object: The fields that all objects share.
  kind: The kind of the object, such as Pod.
  apiVersion: The group and version of the object's API, such as apps/v1.
  metadata: The name, labels and other metadata of the object.
  items: The objects.

package io.k8s.apimachinery.pkg.apis.meta.v1

ObjectMeta: The metadata that all objects have: name, labels, annotations, owners and timestamps.
  name: The name of the object, unique among the objects of its kind in the namespace.
  generateName: A prefix. If name is empty, the server appends random letters and digits to it.
  namespace: The namespace of the object. Empty for cluster-scoped kinds.
  selfLink: No longer used.
  uid: A unique id that the server generates. It is never used again, even for an object of the same
    name.
  resourceVersion: The revision of the last change, set by the server. An update that carries an older
    one is refused.
  generation: A number that increases with each change of the desired state.
  creationTimestamp: The time at which the object was created.
  deletionTimestamp: The time at which the object is due to be removed; set by a delete request.
  deletionGracePeriodSeconds: The grace period of the deletion, counted from the delete request.
  labels: Keys and values by which the object can be selected.
  annotations: Keys and values that users and programs store with the object. Selectors do not read
    them.
  ownerReferences: The owners of the object. When all of them are gone, the object is deleted too.
  finalizers: The components that must finish their work before the object is removed.
  managedFields: The managers of the object's fields.

OwnerReference: An owner of an object, in the same namespace.
  apiVersion: The group and version of the owner.
  kind: The kind of the owner.
  name: The name of the owner.
  uid: The uid of the owner.
  controller: Whether the owner is the object's controller. At most one owner is.
  blockOwnerDeletion: Whether a foreground deletion of the owner waits until this object is gone.

ManagedFieldsEntry: The fields that one manager owns.
  manager: The name of the manager.
  operation: Whether the fields were applied (Apply) or written in another way (Update).
  apiVersion: The group and version that the names of the fields refer to.
  time: When a field of the entry was last added or changed.
  fieldsType: The format of the fields, FieldsV1.
  fieldsV1: The fields, as a tree of their names.
  subresource: The subresource through which the fields were written, if any.

LabelSelector: Selects objects by labels. An object must meet all requirements; an empty selector
    selects all objects.
  matchLabels: Labels that an object must have, with their values.
  matchExpressions: Further requirements on labels.

LabelSelectorRequirement: A requirement on one label.
  key: The key of the label.
  operator: The comparison: In, NotIn, Exists or DoesNotExist.
  values: The values for In and NotIn. Empty for the other operators.

Condition: One aspect of the state of an object.
  type: The aspect that the condition describes.
  status: True, False or Unknown.
  observedGeneration: The generation of the object that the condition describes.
  lastTransitionTime: When the status last changed.
  reason: The reason for the status, in one word.
  message: The reason for the status, in a sentence.

DeleteOptions: The options of a delete request.
  gracePeriodSeconds: The grace period of the deletion. 0 means at once.
  preconditions: Conditions that the object must meet; otherwise it is not deleted.
  orphanDependents: Deprecated; use propagationPolicy.
  propagationPolicy: How dependents are handled: Orphan keeps them, Background deletes them after the
    object, Foreground before it.
  dryRun: All processes the request without storing the result.
  ignoreStoreReadErrorWithClusterBreakingPotential: Delete the object even if it can no longer be
    decoded.

Preconditions: Conditions that an object must meet to be deleted.
  uid: The uid that the object must have.
  resourceVersion: The revision that the object must have.

ListMeta: The metadata that all lists have.
  selfLink: No longer used.
  resourceVersion: The revision of the list, from which a watch can start.
  continue: A token for the next page of the list.
  remainingItemCount: The number of objects on the pages that follow, if known.

Status: The result of a request.
  metadata: The metadata that all lists have.
  status: Success or Failure.
  message: What happened, in a sentence.
  reason: The cause of a failure, in one word.
  details: More about a failure.
  code: The HTTP status code.

StatusDetails: More about a request that failed.
  name: The name of the object.
  group: The API group of the object.
  kind: The kind or the resource of the object.
  uid: The uid of the object.
  causes: All errors that were found.
  retryAfterSeconds: After how long the request may be retried.

StatusCause: One error in a request.
  reason: The kind of error.
  message: The error, in a sentence.
  field: The path of the field.

Patch: A change of an object, in one of the patch formats.

PartialObjectMetadata: An object of any kind, reduced to its metadata.

FieldsV1: A set of fields, as a tree of their names.
Time: A time, such as 2026-01-31T12:00:00Z.
MicroTime: A time with microseconds, such as 2026-01-31T12:00:00.000000Z.

package io.k8s.apimachinery.pkg.api.resource

Quantity: An amount, such as 500m, 2 or 4Gi.

package io.k8s.apimachinery.pkg.util.intstr

IntOrString: A number, or a text such as a name or a percentage.
)";

}  // namespace ebb::schema
