// What strategies may see around the pods of a group: the store, and how many pods are on each
// node, which is counted here from what the store tells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <boost/unordered/unordered_flat_map.hpp>

#include "control/store.h"
#include "ranking/strategy.h"

namespace ebb::control {

class RankSurroundings final : public ranking::Surroundings {
 public:
  explicit RankSurroundings(const Store& store) : store_(store) {}

  void pod_changed(const Change<Pod>& change);

  [[nodiscard]] const model::Node* node(model::Interned name) const override {
    return store_.node(name.view());
  }
  [[nodiscard]] std::size_t pods_on(model::Interned node) const override;
  void each_pod_in(std::string_view name_space,
                   const std::function<void(const model::Pod&)>& visit) const override;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct NodeCount {
    std::string_view name{};  // of the key in nodes_, which stays where it is
    std::size_t pods = 0;
  };
  // Two hashes of the uid: short, and never equal for two pods.
  using Fingerprint = std::array<std::uint64_t, 2>;

  void count(const Fingerprint& pod, std::string_view node);
  void uncount(const Fingerprint& pod);

  const Store& store_;
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> nodes_;  // into counts_
  std::vector<NodeCount> counts_;
  std::vector<std::uint32_t> unused_;  // places in counts_
  // Where each pod is counted. The state in which a pod is told to be gone need not be one that was
  // told before, so it cannot be asked which node it was counted on.
  boost::unordered_flat_map<Fingerprint, std::uint32_t> counted_;
};

}  // namespace ebb::control
