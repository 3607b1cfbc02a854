// What the fields of apps/v1 are for.
#include "schema/notes_text.h"

namespace ebb::schema {

constexpr std::string_view kAppsNotes = R"(
package io.k8s.api.apps.v1

Deployment: Keeps pods of one template running and, when the template changes, moves from the old
    pods to new ones step by step.
  spec: What is wanted.
  status: What has been seen of it.

DeploymentSpec: What is wanted of a Deployment.
  replicas: How many pods there should be.
  selector: Which pods are its own. It has to match the labels of the template and cannot be changed.
  template: What new pods look like.
  strategy: How old pods are replaced by new ones.
  minReadySeconds: How long a new pod has to be ready before it counts as available.
  revisionHistoryLimit: How many old ReplicaSets are kept to go back to.
  paused: Whether changes of the template wait until this is taken back.
  progressDeadlineSeconds: How long a rollout may stand still before it is reported as failed.
  downscalePodPicker: A service that is asked which pods should go when there are too many.

DeploymentStrategy: All at once or bit by bit.
  type: Recreate ends all old pods first; RollingUpdate replaces them in small numbers.
  rollingUpdate: The numbers for RollingUpdate.

RollingUpdateDeployment: How many pods a rolling update may have too many or too few.
  maxUnavailable: How many of the wanted pods may be missing during the update, as a number or in
    percent, rounded down. Not 0 if maxSurge is 0.
  maxSurge: How many pods there may be beyond the wanted number during the update, as a number or in
    percent, rounded up. Not 0 if maxUnavailable is 0.

DeploymentStatus: What has been seen of a Deployment.
  observedGeneration: The generation of the Deployment that this is about.
  replicas: How many pods it has that are not about to end.
  updatedReplicas: How many of its pods are of the present template.
  readyReplicas: How many of its pods are ready.
  availableReplicas: How many of its pods have been ready for at least minReadySeconds.
  unavailableReplicas: How many pods are still missing to be fully available.
  terminatingReplicas: How many of its pods are being deleted and are not gone yet.
  conditions: How it is, by aspect: Available, Progressing, ReplicaFailure.
  collisionCount: How often the name of a new ReplicaSet was taken already.

DeploymentCondition: One aspect of how a Deployment is.
  type: Which aspect.
  status: True, False or Unknown.
  lastUpdateTime: When this was last written.
  lastTransitionTime: When the status last changed.
  reason: Why, in one word.
  message: Why, in a sentence.

ReplicaSet: Keeps a number of equal pods running.
  spec: What is wanted.
  status: What has been seen of it.

ReplicaSetSpec: What is wanted of a ReplicaSet.
  replicas: How many pods there should be.
  minReadySeconds: How long a new pod has to be ready before it counts as available.
  selector: Which pods are its own. It has to match the labels of the template and cannot be changed.
  template: What new pods look like.
  downscalePodPicker: A service that is asked which pods should go when there are too many.

ReplicaSetStatus: What has been seen of a ReplicaSet.
  replicas: How many pods it has that are not about to end.
  fullyLabeledReplicas: How many of its pods have all labels of the template.
  readyReplicas: How many of its pods are ready.
  availableReplicas: How many of its pods have been ready for at least minReadySeconds.
  terminatingReplicas: How many of its pods are being deleted and are not gone yet.
  observedGeneration: The generation of the ReplicaSet that this is about.
  conditions: How it is, by aspect: ReplicaFailure.

ReplicaSetCondition: One aspect of how a ReplicaSet is.
  type: Which aspect.
  status: True, False or Unknown.
  lastTransitionTime: When the status last changed.
  reason: Why, in one word.
  message: Why, in a sentence.
)";

}  // namespace ebb::schema
