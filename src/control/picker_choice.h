// Which picker counts for a ReplicaSet.
//
// Its own field `spec.downscalePodPicker` (to which the Deployment controller copies that of the
// Deployment) comes before policies. A policy on the ReplicaSet comes before one on its
// Deployment, as a whole. Of two for one target the older counts, and the younger is in conflict.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "control/store.h"
#include "model/policy.h"
#include "picker/settings.h"

namespace ebb::control {

struct PickerChoice {
  std::string carrier{};                               // `DownscalePolicy/web`, or the field
  std::string policy{};                                // its name; empty: the field
  std::shared_ptr<const picker::Settings> settings{};  // null: they make no sense
  std::string problem{};                               // then: what is wrong where
};

// Nothing: none is configured.
[[nodiscard]] std::optional<PickerChoice> choose_picker(const ReplicaSet& set, const Store& store);

// What is wrong with the podPicker of a policy that has one; empty: nothing.
[[nodiscard]] std::string picker_problem(const Policy& policy);

// Whether `a` counts rather than `b`, if both have the same target.
[[nodiscard]] bool comes_before(const model::DownscalePolicy& a, const model::DownscalePolicy& b);

// Whether the ReplicaSet, or the Deployment that it belongs to, is the policy's target. Both are of
// one namespace.
[[nodiscard]] bool concerns(const model::DownscalePolicy& policy, const model::ReplicaSet& set);

// The policy that counts, of those of the ReplicaSet's namespace; null: none.
[[nodiscard]] const model::DownscalePolicy* policy_of(
    const model::ReplicaSet& set, std::span<const model::DownscalePolicy* const> policies);
// Of those in the store.
[[nodiscard]] const Policy* policy_for(const ReplicaSet& set, const Store& store);

}  // namespace ebb::control
