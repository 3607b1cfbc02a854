// Which groups have to be ranked again when a node, or a pod of another group, has changed. A group
// is a ReplicaSet whose pods are ranked. What it reads is noted each time it is ranked.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "control/work_queue.h"
#include "ranking/settings.h"
#include "ranking/strategy.h"

namespace ebb::control {

class RankReaders {
 public:
  struct Reading {
    std::vector<std::string_view> nodes{};       // where its pods are; in any order, also repeated
    bool other_pods = false;                     // it reads pods of other groups
    std::vector<std::string_view> namespaces{};  // then: where these are; likewise
  };

  // Replaces what the group read before.
  void set(const Key& group, Reading reading);
  void erase(const Key& group);

  // A node has changed, in something else than its name.
  void node_changed(std::string_view node, bool labels);
  // A pod has come to a node, gone from it, or changed there.
  void pod_changed(std::string_view name_space, std::string_view node);

  // Those that are to be ranked again, since the last time.
  [[nodiscard]] bool has_due() const { return !due_.empty(); }
  [[nodiscard]] std::set<Key> take_due();

 private:
  struct Noted {
    std::vector<std::string> nodes{};
    bool other_pods = false;
    std::vector<std::string> namespaces{};
  };
  // Nodes and namespaces that changed are noted, rather than all groups that read them: many pods
  // may change before anybody looks.
  struct Due {
    std::set<std::string, std::less<>> nodes{};       // groups with pods there
    std::set<std::string, std::less<>> crowds{};      // of these, who reads other pods
    std::set<std::string, std::less<>> namespaces{};  // who reads the pods there
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

// By the strategies of these settings, for these pods.
[[nodiscard]] RankReaders::Reading what_is_read(const ranking::Settings& settings,
                                                ranking::Pods pods, std::string_view name_space);

}  // namespace ebb::control
