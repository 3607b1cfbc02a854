// The calls of the ReplicaSet controller that are under way, and what each is for.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "control/port.h"
#include "control/work_queue.h"

namespace ebb::control {

struct Errand {
  enum class What : std::uint8_t {
    // Of a pass.
    kLookAtOwner,
    kAdopt,
    kRelease,
    kCreate,
    kDelete,
    kWriteStatus,
    kReadForStatus,
    // Between passes.
    kRepeatDelete,
    kListPods,
  };

  What what = What::kCreate;
  Key key{};              // of the ReplicaSet
  std::string set_uid{};  // and its uid
  std::string pod{};      // its name and uid, if it is about one
  std::string pod_uid{};
  std::uint64_t number = 0;  // the place of a victim, or the question of a list
  // It was still wanted when it was sent, or not any more, and then it was not sent.
  bool confirmed = false;
  bool withdrawn = false;
};

class Errands {
 public:
  explicit Errands(Port& port) : port_(port) {}

  void send(Call::Kind kind, model::ApiRequest request, Errand errand) {
    under_way_.emplace(port_.send(kind, std::move(request)), std::move(errand));
  }
  // Nothing if the call is not one of ours.
  [[nodiscard]] std::optional<Errand> answered(CallId id) {
    const auto found = under_way_.find(id);
    if (found == under_way_.end()) return std::nullopt;
    std::optional<Errand> errand = std::move(found->second);
    under_way_.erase(found);
    return errand;
  }
  [[nodiscard]] Errand* find(CallId id) {
    const auto found = under_way_.find(id);
    return found == under_way_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::size_t size() const { return under_way_.size(); }
  [[nodiscard]] bool empty() const { return under_way_.empty(); }

 private:
  Port& port_;
  std::unordered_map<CallId, Errand> under_way_;
};

}  // namespace ebb::control
