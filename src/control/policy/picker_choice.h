// Chooses the picker of a ReplicaSet.
//
// Its own field `spec.downscalePodPicker` (which the Deployment controller copies from the
// Deployment) takes precedence over policies. A policy on the ReplicaSet takes precedence over one
// on its owner (a Deployment, or another kind that owns ReplicaSets), as a whole. Of two policies
// for one target the older counts, and the younger is in conflict.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "control/cache/store.h"
#include "control/controller/controller.h"
#include "model/records/policy.h"
#include "picker/settings.h"

namespace ebb::control {

struct PickerChoice {
  std::string carrier{};                               // `DownscalePolicy/web`, or the field
  std::string policy{};                                // its name; empty: the field
  std::shared_ptr<const picker::Settings> settings{};  // null: they are invalid
  std::string problem{};                               // then: what is wrong and where
};

// Nothing: no picker is configured.
[[nodiscard]] std::optional<PickerChoice> choose_picker(const ReplicaSet& set, const Store& store,
                                                        PolicyView view = PolicyView::kActing);

// What is wrong with the podPicker of a policy that has one; empty: nothing.
[[nodiscard]] std::string picker_problem(const Policy& policy);

// The policy that counts, out of those in the ReplicaSet's namespace; null: none.
[[nodiscard]] const model::DownscalePolicy* policy_of(
    const model::ReplicaSet& set, std::span<const model::DownscalePolicy* const> policies);
// The same, for the policies in the store.
[[nodiscard]] const Policy* policy_for(const ReplicaSet& set, const Store& store);
// The same, but null if that policy is in shadow mode and `view` leaves such policies out. Another
// policy does not take its place.
[[nodiscard]] const Policy* policy_for(const ReplicaSet& set, const Store& store, PolicyView view);

}  // namespace ebb::control
