// Field numbers of the protobuf messages, as Kubernetes defines them. A test compares them with the
// schema table.
#pragma once

#include <cstdint>

namespace ebb::model::wire {

using Number = std::uint32_t;

// Pod
inline constexpr Number kMetadata = 1;
inline constexpr Number kSpec = 2;
inline constexpr Number kStatus = 3;

// ObjectMeta
inline constexpr Number kName = 1;
inline constexpr Number kNamespace = 3;
inline constexpr Number kUid = 5;
inline constexpr Number kResourceVersion = 6;
inline constexpr Number kCreationTimestamp = 8;
inline constexpr Number kDeletionTimestamp = 9;
inline constexpr Number kLabels = 11;
inline constexpr Number kAnnotations = 12;
inline constexpr Number kOwnerReferences = 13;

// OwnerReference
inline constexpr Number kOwnerKind = 1;
inline constexpr Number kOwnerName = 3;
inline constexpr Number kOwnerUid = 4;
inline constexpr Number kOwnerApiVersion = 5;
inline constexpr Number kOwnerController = 6;

// PodSpec
inline constexpr Number kNodeName = 10;
inline constexpr Number kAffinity = 18;
inline constexpr Number kInitContainers = 20;
inline constexpr Number kTolerations = 22;

// Toleration
inline constexpr Number kTolerationKey = 1;
inline constexpr Number kTolerationOperator = 2;
inline constexpr Number kTolerationValue = 3;
inline constexpr Number kTolerationEffect = 4;

// Affinity and PodAntiAffinity
inline constexpr Number kPodAntiAffinity = 3;
inline constexpr Number kRequiredTerms = 1;
inline constexpr Number kPreferredTerms = 2;

// PodAffinityTerm and WeightedPodAffinityTerm
inline constexpr Number kTermSelector = 1;
inline constexpr Number kTermNamespaces = 2;
inline constexpr Number kTermTopologyKey = 3;
inline constexpr Number kTermWeight = 1;
inline constexpr Number kWeightedTerm = 2;

// LabelSelector and LabelSelectorRequirement
inline constexpr Number kMatchLabels = 1;
inline constexpr Number kMatchExpressions = 2;
inline constexpr Number kExpressionKey = 1;
inline constexpr Number kExpressionOperator = 2;
inline constexpr Number kExpressionValues = 3;

// Container
inline constexpr Number kContainerName = 1;
inline constexpr Number kContainerRestartPolicy = 24;

// PodStatus
inline constexpr Number kPhase = 1;
inline constexpr Number kConditions = 2;
inline constexpr Number kContainerStatuses = 8;
inline constexpr Number kInitContainerStatuses = 10;
inline constexpr Number kCost = 1000;

// PodCondition
inline constexpr Number kConditionType = 1;
inline constexpr Number kConditionStatus = 2;
inline constexpr Number kLastTransitionTime = 4;

// ContainerStatus
inline constexpr Number kStatusName = 1;
inline constexpr Number kRestartCount = 5;

// NodeSpec and NodeStatus; conditions use the numbers of PodCondition, except for the time
inline constexpr Number kUnschedulable = 4;
inline constexpr Number kTaints = 5;
inline constexpr Number kNodeConditions = 4;

// Taint
inline constexpr Number kTaintKey = 1;
inline constexpr Number kTaintValue = 2;
inline constexpr Number kTaintEffect = 3;

// Time, and the entries of maps
inline constexpr Number kSeconds = 1;
inline constexpr Number kKey = 1;
inline constexpr Number kValue = 2;

}  // namespace ebb::model::wire
