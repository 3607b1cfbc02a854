// Prints a plan for people and for programs.
#pragma once  // private to its room

#include <string>

#include "model/records/snapshot.h"
#include "plan/plan.h"

namespace ebb::cli {

// For terminals. `wide` adds the values that each criterion compared.
[[nodiscard]] std::string plan_table(const plan::Plan& plan, const plan::Request& request,
                                     const model::Snapshot& snapshot, bool wide);

// A DownscalePlan or, for a Deployment with several ReplicaSets, a DownscalePlanList.
[[nodiscard]] std::string plan_json(const plan::Plan& plan, const plan::Request& request);
[[nodiscard]] std::string plan_yaml(const plan::Plan& plan, const plan::Request& request);

// Warnings as lines for a terminal.
[[nodiscard]] std::string plan_warnings(const plan::Plan& plan);

}  // namespace ebb::cli
