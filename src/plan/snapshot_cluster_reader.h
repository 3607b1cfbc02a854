// Implements ranking::ClusterReader on a snapshot.
#pragma once  // private to its room

#include <functional>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/records/snapshot.h"
#include "ranking/strategy.h"

namespace ebb::plan {

// The snapshot must outlive the reader.
class SnapshotClusterReader final : public ranking::ClusterReader {
 public:
  explicit SnapshotClusterReader(const model::Snapshot& snapshot);

  [[nodiscard]] const model::Node* node(model::Interned name) const override;
  [[nodiscard]] std::size_t pods_on(model::Interned node) const override;
  void each_pod_in(std::string_view namespace_name,
                   const std::function<void(const model::Pod&)>& visit) const override;

 private:
  boost::unordered_flat_map<model::Interned, const model::Node*> nodes_;
  boost::unordered_flat_map<model::Interned, std::size_t> pods_on_;
  boost::unordered_flat_map<std::string_view, std::vector<const model::Pod*>> by_namespace_;
};

}  // namespace ebb::plan
