// The cluster state that strategies may read in addition to the pods of a group: the store, and the
// number of pods on each node, which is counted here from store notifications.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <boost/unordered/unordered_flat_map.hpp>

#include "control/cache/store.h"
#include "ranking/strategy.h"

namespace ebb::control {

class RankClusterReader final : public ranking::ClusterReader {
 public:
  explicit RankClusterReader(const Store& store) : store_(store) {}

  void pod_changed(const Change<Pod>& change);

  [[nodiscard]] const model::Node* node(model::Interned name) const override {
    return store_.node(name.view());
  }
  [[nodiscard]] std::size_t pods_on(model::Interned node) const override;
  void each_pod_in(std::string_view namespace_name,
                   const std::function<void(const model::Pod&)>& visit) const override;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct NodeCount {
    std::string_view name{};  // of the key in nodes_, whose address is stable
    std::size_t pods = 0;
  };
  // Two hashes of the uid: short, and in practice never equal for two pods.
  using Fingerprint = std::array<std::uint64_t, 2>;

  void count(const Fingerprint& pod, std::string_view node);
  void uncount(const Fingerprint& pod);

  const Store& store_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> nodes_;  // into counts_
  std::vector<NodeCount> counts_;
  std::vector<std::uint32_t> unused_;  // free indexes of counts_
  // The node that each pod is counted on. The last state of a deleted pod may differ from every
  // state reported before, so it does not tell which node the pod was counted on.
  boost::unordered_flat_map<Fingerprint, std::uint32_t> counted_;
};

}  // namespace ebb::control
