// What the scheduler knows of the cluster: nodes, what is used of them, and how many pods of
// each sort each node has. All counts are kept as pods come and go, so that finding a node for a
// pod takes time for each node but not for each pod.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/demand.h"

namespace ebb::nodes {

// Nodes stand in slots. A slot is used again once its node is gone and no pod is counted there.
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
  std::uint64_t version = 0;  // changes with everything above but `used`
};

// A sort of pods that some pod's rules are about.
struct TermView {
  const PodTerm* what = nullptr;
  std::size_t users = 0;  // demands with this term
  Counts selected{};      // pods that it selects
  Counts owners{};        // pods that have it as a required anti-affinity
};

// The pods of a controller that are not terminating.
struct PeersView {
  std::size_t users = 0;  // demands
  Counts active{};
};

// How a demand and a node go together whatever pods there are. Kept until the node changes.
struct StaticFit {
  std::uint64_t node_version = 0;  // 0: not worked out yet
  bool matches_affinity = false;   // node selector and node affinity
  bool tolerates_taints = false;   // NoSchedule and NoExecute
  bool schedulable = false;        // not cordoned, or tolerated
  int soft_taints = 0;             // PreferNoSchedule that are not tolerated
  std::int64_t preference = 0;     // sum of the weights of preferred node affinity
};

struct DemandView {
  const PodDemand* what = nullptr;
  std::size_t users = 0;               // pods
  Counts pods{};                       // all that are placed
  Counts active{};                     // ... and not terminating
  std::vector<TermView*> selecting{};  // terms that select its pods
  // Its own terms, in the order of `what`.
  std::vector<TermView*> affinity{};
  std::vector<TermView*> anti_affinity{};
  std::vector<TermView*> spread{};
  std::vector<TermView*> preferred_pods{};
  PeersView* peers = nullptr;  // nullptr: it has no controller
  mutable std::vector<StaticFit> fits{};

  // When it was last found to fit nowhere, and why.
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
  // From the object; true if anything changed that matters for placing pods.
  bool set_node(const boost::json::object& node);
  void remove_node(std::string_view name);

  // The demand of a pod, shared by all pods that ask for the same.
  [[nodiscard]] DemandView& acquire(PodDemand demand);
  void release(DemandView& demand);

  // Counts a pod on a node, which need not exist (yet, or any more).
  [[nodiscard]] Slot place(DemandView& demand, std::string_view node, bool terminating);
  void set_terminating(DemandView& demand, Slot slot);
  void displace(DemandView& demand, Slot slot, bool terminating);

  [[nodiscard]] const std::vector<NodeView>& nodes() const { return nodes_; }
  [[nodiscard]] std::size_t node_count() const { return node_count_; }
  [[nodiscard]] const Topology& topology(const std::string& key) const;
  [[nodiscard]] const StaticFit& fit(const DemandView& demand, Slot slot) const;
  // Grows with every change.
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

}  // namespace ebb::nodes
