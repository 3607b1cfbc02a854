// The effects of a component: those to send, and the purpose of each in-flight one.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/component/component.h"

namespace ebb::model {

template <class Purpose>
class Outbox {
 public:
  void send(ApiRequest request, Purpose purpose) {
    in_flight_.emplace(next_, std::move(purpose));
    waiting_.push_back({next_++, std::move(request)});
  }

  // For best-effort requests whose response is ignored.
  void send_and_forget(ApiRequest request) { waiting_.push_back({next_++, std::move(request)}); }

  // The purpose of the answered effect, if it has one.
  [[nodiscard]] std::optional<Purpose> answered(EffectId id) {
    const auto found = in_flight_.find(id);
    if (found == in_flight_.end()) return std::nullopt;
    std::optional<Purpose> purpose = std::move(found->second);
    in_flight_.erase(found);
    return purpose;
  }

  [[nodiscard]] std::vector<Effect> take() { return std::exchange(waiting_, {}); }
  [[nodiscard]] std::size_t in_flight() const { return in_flight_.size(); }

 private:
  EffectId next_ = 1;
  std::vector<Effect> waiting_;
  std::unordered_map<EffectId, Purpose> in_flight_;
};

[[nodiscard]] inline bool succeeded(const ApiResponse& response) {
  return response.code >= 200 && response.code < 300;
}

}  // namespace ebb::model
