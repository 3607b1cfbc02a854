// The cluster around the copied pods of a scale-down, for ranking strategies: nodes and pods of the
// store, copied into the same pool when they are read, because records of different pools cannot be
// compared. Candidates that have left the store are still there.
#pragma once  // private to its room

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "control/cache/store.h"
#include "control/shadow/followed_scale_down.h"
#include "ranking/strategy.h"

namespace ebb::control::shadow {

class CopiedCluster final : public ranking::ClusterReader {
 public:
  CopiedCluster(const Store& store, FollowedScaleDown& down) : store_(store), down_(down) {}

  [[nodiscard]] const model::Node* node(model::Interned name) const override;
  [[nodiscard]] std::size_t pods_on(model::Interned node) const override;
  void each_pod_in(std::string_view namespace_name,
                   const std::function<void(const model::Pod&)>& visit) const override;

  // The number of records that were copied or counted.
  [[nodiscard]] std::size_t work() const { return work_; }

 private:
  const Store& store_;
  FollowedScaleDown& down_;
  // Filled when they are read.
  mutable std::map<std::string, std::optional<model::Node>, std::less<>> nodes_;
  mutable std::optional<std::map<std::string, std::size_t, std::less<>>> pods_on_;
  mutable std::map<std::string, std::deque<model::Pod>, std::less<>> pods_;  // by namespace
  mutable std::size_t work_ = 0;
};

}  // namespace ebb::control::shadow
