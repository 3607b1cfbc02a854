// A plan as people and programs read it.
#pragma once

#include <string>

#include "model/snapshot.h"
#include "plan/plan.h"

namespace ebb::cli {

// For terminals. `wide` adds what each criterion looked at.
[[nodiscard]] std::string plan_table(const plan::Plan& plan, const plan::Request& request,
                                     const model::Snapshot& snapshot, bool wide);

// A DownscalePlan or, for a Deployment with several ReplicaSets, a DownscalePlanList.
[[nodiscard]] std::string plan_json(const plan::Plan& plan, const plan::Request& request);
[[nodiscard]] std::string plan_yaml(const plan::Plan& plan, const plan::Request& request);

// Warnings as lines for a terminal.
[[nodiscard]] std::string plan_warnings(const plan::Plan& plan);

}  // namespace ebb::cli
