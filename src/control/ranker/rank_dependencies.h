// Tracks which groups to rank again when a node, or a pod of another group, changes. A group is a
// ReplicaSet whose pods are ranked. Its dependencies are recorded each time it is ranked.
#pragma once  // private to its room

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/cache/store.h"
#include "control/core/work_queue.h"
#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::control {

class RankDependencies {
 public:
  struct Reading {
    std::vector<std::string_view> nodes{};       // nodes of its pods; in any order, with duplicates
    bool other_pods = false;                     // it reads pods of other groups
    std::vector<std::string_view> namespaces{};  // of those pods; in any order, with duplicates
  };

  // Replaces the earlier dependencies of the group.
  void set(const Key& group, Reading reading);
  void erase(const Key& group);

  // A node has changed, apart from its name.
  void node_changed(std::string_view node, bool labels);
  // A pod was bound to a node, removed from it, or changed there.
  void pod_changed(std::string_view namespace_name, std::string_view node);

  // The groups to rank again, since the last call.
  [[nodiscard]] bool has_due() const { return !due_.empty(); }
  [[nodiscard]] std::set<Key> take_due();

 private:
  struct Noted {
    std::vector<std::string> nodes{};
    bool other_pods = false;
    std::vector<std::string> namespaces{};
  };
  // Records the changed nodes and namespaces, not the groups that read them: many pods may change
  // before the groups are needed.
  struct Due {
    std::set<std::string, std::less<>> nodes{};       // groups with pods there
    std::set<std::string, std::less<>> crowds{};      // among these, groups that read other pods
    std::set<std::string, std::less<>> namespaces{};  // groups that read the pods there
    bool all_readers_of_pods = false;

    [[nodiscard]] bool empty() const {
      return nodes.empty() && crowds.empty() && namespaces.empty() && !all_readers_of_pods;
    }
  };
  using Index = std::map<std::string, std::set<Key>, std::less<>>;

  std::map<Key, Noted> groups_;
  Index by_node_;
  Index by_namespace_;
  std::set<Key> readers_of_pods_;
  Due due_;
};

// Whether the change matters to other groups that read the pod.
[[nodiscard]] bool looks_different(const Change<Pod>& change);

// For the strategies of these settings and these pods.
[[nodiscard]] RankDependencies::Reading dependencies_of(const ranking::Settings& settings,
                                                        ranking::Pods pods,
                                                        std::string_view namespace_name);

}  // namespace ebb::control
