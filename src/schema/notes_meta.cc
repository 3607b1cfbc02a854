// What the fields of meta/v1 are for, and those that every object has.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kMetaNotes = R"(
Object: What all objects have in common.
  kind: What kind of object this is, such as Pod.
  apiVersion: The group and version of the API that the object is written in, such as apps/v1.
  metadata: Its name, its labels, and what else all objects have.
  items: The objects.

package io.k8s.apimachinery.pkg.apis.meta.v1

ObjectMeta: What all objects have in common: names, labels, owners, and how they came to be.
  name: Its name, which no other object of the kind has in the namespace at the same time.
  generateName: What the server makes a name from, by adding a few letters and digits, where no name
    is given.
  namespace: The namespace it is in. Some kinds are in none.
  selfLink: Not used any more.
  uid: Made by the server, and different for each object there ever was.
  resourceVersion: Made by the server at each change. An update that carries an older one is refused.
  generation: Counts the changes of what is wanted.
  creationTimestamp: When it was created.
  deletionTimestamp: When it is due to be gone; set once somebody has asked to delete it.
  deletionGracePeriodSeconds: How long it was given to end, counted from when its deletion was asked
    for.
  labels: Words that it can be selected by.
  annotations: Texts that people and programs keep with it. It cannot be selected by them.
  ownerReferences: The objects it belongs to. When all of them are gone, it goes too.
  finalizers: Who still has something to do before it can be gone. While there is one, it stays.
  managedFields: Who wrote which fields last.

OwnerReference: An object that another one belongs to, in the same namespace.
  apiVersion: The group and version of the owner.
  kind: The kind of the owner.
  name: The name of the owner.
  uid: The uid of the owner.
  controller: Whether the owner manages the object. At most one does.
  blockOwnerDeletion: Whether an owner that is deleted in the foreground has to wait until this object
    is gone.

ManagedFieldsEntry: Which fields somebody wrote.
  manager: Who it was.
  operation: Whether the fields were applied (Apply) or written in another way (Update).
  apiVersion: The group and version that the fields are named in.
  time: When the fields were last added to or changed.
  fieldsType: How the fields are written down: FieldsV1.
  fieldsV1: The fields, as a tree of their names.
  subresource: Through which subresource they were written, if through one.

LabelSelector: Selects objects by labels. All that is given has to hold; an empty one selects all.
  matchLabels: Labels that an object must have, with their values.
  matchExpressions: Other demands on labels.

LabelSelectorRequirement: A demand on one label.
  key: The label.
  operator: What is demanded: In, NotIn, Exists or DoesNotExist.
  values: The values for In and NotIn. Empty for the others.

Condition: One aspect of how an object is.
  type: What the condition is about.
  status: True, False or Unknown.
  observedGeneration: The generation that the condition is about.
  lastTransitionTime: When the status changed.
  reason: Why, in one word.
  message: Why, in a sentence.

DeleteOptions: How something is to be deleted.
  gracePeriodSeconds: How long it is given to end. 0 means at once.
  preconditions: What has to be so, or else nothing is deleted.
  orphanDependents: An older way to say propagationPolicy.
  propagationPolicy: What becomes of the objects that belong to it: Orphan leaves them, Background
    deletes them afterwards, Foreground before.
  dryRun: All: do everything but store it.
  ignoreStoreReadErrorWithClusterBreakingPotential: Delete it even if it can no longer be read.

Preconditions: What has to be so before something is deleted.
  uid: The uid it must have.
  resourceVersion: The revision it must have.

ListMeta: What all lists have in common.
  selfLink: Not used any more.
  resourceVersion: The revision that the list shows, from which a watch can go on.
  continue: What to send to get the next part of the list.
  remainingItemCount: How many objects come after this part, where that is known.

Status: What became of a request.
  metadata: What all lists have in common.
  status: Success or Failure.
  message: What happened, in a sentence.
  reason: Why it failed, in one word.
  details: More about what failed.
  code: The code of the HTTP answer.

StatusDetails: More about a request that failed.
  name: The name of the object it was about.
  group: The group of its kind.
  kind: Its kind, or the resource.
  uid: Its uid.
  causes: Everything that was wrong.
  retryAfterSeconds: After how long the request may be tried again.

StatusCause: One thing that was wrong.
  reason: What kind of mistake it was.
  message: What was wrong, in a sentence.
  field: Where in the object.

Patch: A change, in one of the forms of patches.

PartialObjectMetadata: An object of any kind, of which only its metadata is shown.

FieldsV1: A set of fields, as a tree of their names.
Time: A moment, such as 2026-01-31T12:00:00Z.
MicroTime: A moment, such as 2026-01-31T12:00:00.000000Z.

package io.k8s.apimachinery.pkg.api.resource

Quantity: An amount, such as 500m, 2 or 4Gi.

package io.k8s.apimachinery.pkg.util.intstr

IntOrString: A number, or a text such as a name or a percentage.
)";

}  // namespace ebb::schema
