// How the pods of a ReplicaSet are to be ranked: by the policy that counts for it
// (picker_choice.h), if that says so.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "control/store.h"
#include "ranking/settings.h"

namespace ebb::control {

struct RankingChoice {
  std::string policy{};                                 // its name
  std::shared_ptr<const ranking::Settings> settings{};  // null: they make no sense
  std::string problem{};                                // then: what is wrong where
};

// Nothing: none is configured.
[[nodiscard]] std::optional<RankingChoice> choose_ranking(const ReplicaSet& set,
                                                          const Store& store);

// As the policy says, which must have a ranking.
[[nodiscard]] RankingChoice read_ranking(const model::DownscalePolicy& policy);

// What is wrong with the ranking of a policy that has one; empty: nothing.
[[nodiscard]] std::string ranking_problem(const Policy& policy);

}  // namespace ebb::control
