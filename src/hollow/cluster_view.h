// The scheduler's view of the cluster: nodes, their used resources, and the number of pods of each
// sort on each node. All counts are updated as pods come and go, so that placing a pod takes time
// proportional to the number of nodes, not of pods.
#pragma once  // private to its room

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hollow/demand.h"

namespace ebb::hollow {

// The index of a node. A slot is reused once its node is gone and no pod is counted there.
using Slot = std::size_t;

// A number for each slot.
class Counts {
 public:
  [[nodiscard]] std::int64_t at(Slot slot) const {
    return slot < counts_.size() ? counts_[slot] : 0;
  }
  void add(Slot slot, std::int64_t more) {
    if (slot >= counts_.size()) counts_.resize(slot + 1);
    counts_[slot] += more;
    total_ += more;
  }
  [[nodiscard]] std::int64_t total() const { return total_; }

 private:
  std::vector<std::int64_t> counts_;
  std::int64_t total_ = 0;
};

struct NodeView {
  std::string name{};
  bool exists = false;
  bool unschedulable = false;
  Labels labels{};
  std::vector<Taint> taints{};
  Resources allocatable{};
  Resources used{};
  std::uint64_t version = 0;  // changes with every field above except `used`
};

// The pods that a scheduling rule of some pod selects.
struct TermView {
  const PodTerm* what = nullptr;
  std::size_t users = 0;  // demands with this term
  Counts selected{};      // pods that it selects
  Counts owners{};        // pods with this required anti-affinity
};

// The pods of a controller, without terminating ones.
struct PeersView {
  std::size_t users = 0;  // demands
  Counts active{};
};

// How well a node fits a demand, regardless of other pods. Cached until the node changes.
struct StaticFit {
  std::uint64_t node_version = 0;  // 0: not computed yet
  bool matches_affinity = false;   // node selector and node affinity
  bool tolerates_taints = false;   // NoSchedule and NoExecute
  bool schedulable = false;        // not cordoned, or tolerated
  int soft_taints = 0;             // PreferNoSchedule that are not tolerated
  std::int64_t preference = 0;     // sum of the weights of preferred node affinity
};

struct DemandView {
  const PodDemand* what = nullptr;
  std::size_t users = 0;               // pods
  Counts pods{};                       // all placed pods
  Counts active{};                     // ... and not terminating
  std::vector<TermView*> selecting{};  // terms that select its pods
  // Its own terms, in the order of `what`.
  std::vector<TermView*> affinity{};
  std::vector<TermView*> anti_affinity{};
  std::vector<TermView*> spread{};
  std::vector<TermView*> preferred_pods{};
  PeersView* peers = nullptr;  // nullptr: no controller
  mutable std::vector<StaticFit> fits{};

  // The cluster version at which it last fitted nowhere, and why.
  std::uint64_t failed_version = 0;
  std::string failure{};
};

// The domains of a topology key.
struct Topology {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::uint64_t version = 0;
  std::vector<std::size_t> domain_of{};  // by slot; kNone: the node has no such label
  std::size_t domains = 0;
};

class ClusterView {
 public:
  // Takes the node's current state. Returns true if a change may affect placement.
  bool set_node(const boost::json::object& node);
  void remove_node(std::string_view name);

  // Returns the demand of a pod, shared by all pods with the same demand.
  [[nodiscard]] DemandView& acquire(PodDemand demand);
  void release(DemandView& demand);

  // Counts a pod on a node, which may not exist (yet, or any more).
  [[nodiscard]] Slot place(DemandView& demand, std::string_view node, bool terminating);
  void set_terminating(DemandView& demand, Slot slot);
  void displace(DemandView& demand, Slot slot, bool terminating);

  [[nodiscard]] const std::vector<NodeView>& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t node_count() const { return node_count_; }
  [[nodiscard]] const Topology& topology(const std::string& key) const;
  [[nodiscard]] const StaticFit& fit(const DemandView& demand, Slot slot) const;
  // Increases with every change.
  [[nodiscard]] std::uint64_t version() const { return version_; }

 private:
  [[nodiscard]] Slot slot_for(std::string_view name);
  void give_back_if_empty(Slot slot);
  [[nodiscard]] TermView& acquire(const PodTerm& term);
  void release(TermView& term);
  void count(DemandView& demand, Slot slot, std::int64_t change, bool pods, bool active);

  std::uint64_t version_ = 1;
  std::uint64_t nodes_version_ = 1;
  std::size_t node_count_ = 0;
  std::vector<NodeView> nodes_;
  std::vector<Slot> free_slots_;
  std::map<std::string, Slot, std::less<>> slots_;
  std::map<PodDemand, DemandView> demands_;
  std::map<PodTerm, TermView> terms_;
  std::map<std::string, PeersView> peers_;
  mutable std::map<std::string, Topology> topologies_;
};

}  // namespace ebb::hollow
