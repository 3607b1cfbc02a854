// Chooses the ranking of a ReplicaSet: that of the policy that counts for it (picker_choice.h), if
// it has one.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "control/cache/store.h"
#include "control/controller/controller.h"
#include "ranking/settings.h"

namespace ebb::control {

struct RankingChoice {
  std::string policy{};                                 // its name
  std::shared_ptr<const ranking::Settings> settings{};  // null: they are invalid
  std::string problem{};                                // then: what is wrong and where
};

// Nothing: no ranking is configured.
[[nodiscard]] std::optional<RankingChoice> choose_ranking(const ReplicaSet& set, const Store& store,
                                                          PolicyView view = PolicyView::kActing);

// Reads the ranking of a policy, which must have one.
[[nodiscard]] RankingChoice read_ranking(const model::DownscalePolicy& policy);

// What is wrong with the ranking of a policy that has one; empty: nothing.
[[nodiscard]] std::string ranking_problem(const Policy& policy);

}  // namespace ebb::control
