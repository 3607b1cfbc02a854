// Field docs of apps/v1.
#include "schema/fielddocs/field_docs_text.h"

namespace ebb::schema {

constexpr std::string_view kAppsFieldDocs = R"(
package io.k8s.api.apps.v1

Deployment: Keeps a number of pods of one template running. When the template changes, it replaces
    the old pods step by step.
  spec: The desired state.
  status: The observed state.

DeploymentSpec: The desired state of a Deployment.
  replicas: The desired number of pods.
  selector: Selects the pods that belong to it. It must match the labels of the template, and cannot
    be changed.
  template: The template of new pods.
  strategy: The strategy of rollouts.
  minReadySeconds: How long a new pod must be Ready before it counts as available.
  revisionHistoryLimit: How many old ReplicaSets are kept for rollbacks.
  paused: Whether rollouts are paused: changes of the template have no effect while this is true.
  progressDeadlineSeconds: How long a rollout may go without progress before it is reported as failed.
  downscalePodPicker: A service that is called during a scale-down to choose the pods to remove.

DeploymentStrategy: How old pods are replaced by new ones.
  type: Recreate deletes all old pods first; RollingUpdate replaces a few at a time.
  rollingUpdate: The limits of a RollingUpdate.

RollingUpdateDeployment: How far the number of pods may deviate during a rolling update.
  maxUnavailable: How many of the desired pods may be unavailable during the update, as a number or a
    percentage, rounded down. Must not be 0 if maxSurge is 0.
  maxSurge: How many pods may exist beyond the desired number during the update, as a number or a
    percentage, rounded up. Must not be 0 if maxUnavailable is 0.

DeploymentStatus: The observed state of a Deployment.
  observedGeneration: The generation of the Deployment that the status describes.
  replicas: The number of its pods that are not terminating.
  updatedReplicas: The number of its pods that have the current template.
  readyReplicas: The number of its pods that are Ready.
  availableReplicas: The number of its pods that have been Ready for at least minReadySeconds.
  unavailableReplicas: The number of pods that are missing for full availability.
  terminatingReplicas: The number of its pods that are terminating.
  conditions: The conditions Available, Progressing and ReplicaFailure.
  collisionCount: How often the name of a new ReplicaSet was already taken.

DeploymentCondition: One aspect of the state of a Deployment.
  type: The aspect that the condition describes.
  status: True, False or Unknown.
  lastUpdateTime: When the condition was last written.
  lastTransitionTime: When the status last changed.
  reason: The reason for the status, in one word.
  message: The reason for the status, in a sentence.

ReplicaSet: Keeps a number of pods of one template running.
  spec: The desired state.
  status: The observed state.

ReplicaSetSpec: The desired state of a ReplicaSet.
  replicas: The desired number of pods.
  minReadySeconds: How long a new pod must be Ready before it counts as available.
  selector: Selects the pods that belong to it. It must match the labels of the template, and cannot
    be changed.
  template: The template of new pods.
  downscalePodPicker: A service that is called during a scale-down to choose the pods to remove.

ReplicaSetStatus: The observed state of a ReplicaSet.
  replicas: The number of its pods that are not terminating.
  fullyLabeledReplicas: The number of its pods that have all labels of the template.
  readyReplicas: The number of its pods that are Ready.
  availableReplicas: The number of its pods that have been Ready for at least minReadySeconds.
  terminatingReplicas: The number of its pods that are terminating.
  observedGeneration: The generation of the ReplicaSet that the status describes.
  conditions: The condition ReplicaFailure.

ReplicaSetCondition: One aspect of the state of a ReplicaSet.
  type: The aspect that the condition describes.
  status: True, False or Unknown.
  lastTransitionTime: When the status last changed.
  reason: The reason for the status, in one word.
  message: The reason for the status, in a sentence.
)";

}  // namespace ebb::schema
