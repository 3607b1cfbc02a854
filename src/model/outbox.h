// The effects of a machine: those to be handed over, and what those under way are for.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/machine.h"

namespace ebb::model {

template <class Purpose>
class Outbox {
 public:
  void send(ApiRequest request, Purpose purpose) {
    under_way_.emplace(next_, std::move(purpose));
    waiting_.push_back({next_++, std::move(request)});
  }

  // For what is nice to have: its answer is not looked at.
  void send_and_forget(ApiRequest request) { waiting_.push_back({next_++, std::move(request)}); }

  // What the answered effect was for, if anybody cares.
  [[nodiscard]] std::optional<Purpose> answered(EffectId id) {
    const auto found = under_way_.find(id);
    if (found == under_way_.end()) return std::nullopt;
    std::optional<Purpose> purpose = std::move(found->second);
    under_way_.erase(found);
    return purpose;
  }

  [[nodiscard]] std::vector<Effect> take() { return std::exchange(waiting_, {}); }
  [[nodiscard]] std::size_t under_way() const { return under_way_.size(); }

 private:
  EffectId next_ = 1;
  std::vector<Effect> waiting_;
  std::unordered_map<EffectId, Purpose> under_way_;
};

[[nodiscard]] inline bool succeeded(const ApiResponse& response) {
  return response.code >= 200 && response.code < 300;
}

}  // namespace ebb::model
