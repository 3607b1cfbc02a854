// What a controller process knows of its cluster: the caches behind its watches.
//
// Pods, nodes and PodGroupCosts are compact records; ReplicaSets, Deployments and
// DownscalePolicies are kept as the JSON they came in, which must round-trip, beside their records.
// What the store says may be old, but no object ever goes back to an older state. Records stay
// where they are until they change or go, and hold handles of the store's pool; what outlives a
// step must copy text, because the pool is made anew once most of it is garbage.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/api.h"
#include "model/node.h"
#include "model/pod.h"
#include "model/policy.h"
#include "model/pool.h"
#include "model/workload.h"

namespace ebb::control {

enum class Resource : std::uint8_t {
  kPods,
  kReplicaSets,
  kDeployments,
  kPolicies,
  kNodes,
  kGroupCosts
};
[[nodiscard]] std::string_view plural(Resource resource);  // "pods", as in metrics

// A pod has no raw text: nothing about it is written back whole.
using Pod = model::Pod;

struct ReplicaSet : model::ReplicaSet {
  std::string json;              // as the API server gave it
  std::string resource_version;  // of it
};
struct Deployment : model::Deployment {
  std::string json;
  std::string resource_version;
};
struct Policy : model::DownscalePolicy {
  std::string json;
  std::string resource_version;
};
struct Node : model::Node {
  model::Interned name_space;  // none
};
struct GroupCost : model::PodGroupCost {
  std::string uid;
  std::string resource_version;
  std::string managed_by;  // its label app.kubernetes.io/managed-by
};

// What has happened to an object. Null before: it is new; null after: it is gone (`before` is
// then its last known state). An object that was replaced by another of its name comes as two
// changes. Valid during the call that tells it.
template <class Object>
struct Change {
  const Object* before = nullptr;
  const Object* after = nullptr;
};

// Told of each change once the store has it.
class StoreListener {
 public:
  virtual ~StoreListener() = default;
  virtual void pod_changed(const Change<Pod>& /*change*/) {}
  virtual void replica_set_changed(const Change<ReplicaSet>& /*change*/) {}
  virtual void deployment_changed(const Change<Deployment>& /*change*/) {}
  virtual void policy_changed(const Change<Policy>& /*change*/) {}
  virtual void node_changed(const Change<Node>& /*change*/) {}
  virtual void group_cost_changed(const Change<GroupCost>& /*change*/) {}
};

class Store {
 public:
  Store();
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  void listen(StoreListener& listener);

  // Reading. Names are `namespace`, `name`; null if there is no such object.
  [[nodiscard]] const ReplicaSet* replica_set(std::string_view name_space,
                                              std::string_view name) const;
  [[nodiscard]] const Deployment* deployment(std::string_view name_space,
                                             std::string_view name) const;
  [[nodiscard]] const Pod* pod(std::string_view name_space, std::string_view name) const;
  // In the order of their names.
  [[nodiscard]] std::vector<const ReplicaSet*> replica_sets_in(std::string_view name_space) const;
  [[nodiscard]] std::vector<const Deployment*> deployments_in(std::string_view name_space) const;
  // Those whose controller has this uid.
  [[nodiscard]] std::vector<const ReplicaSet*> replica_sets_of(std::string_view owner_uid) const;
  // Pods by the uid of their controller; in no particular order.
  [[nodiscard]] std::vector<const Pod*> pods_of(std::string_view owner_uid) const;
  [[nodiscard]] std::vector<const Pod*> orphans_in(std::string_view name_space) const;
  // Calls visit for each pod of the namespace.
  void each_pod_in(std::string_view name_space, const std::function<void(const Pod&)>& visit) const;
  [[nodiscard]] std::size_t pods() const;

  [[nodiscard]] const Policy* policy(std::string_view name_space, std::string_view name) const;
  // Those whose target is so called; in no particular order.
  [[nodiscard]] std::vector<const Policy*> policies_for(std::string_view name_space,
                                                        std::string_view target_kind,
                                                        std::string_view target_name) const;
  [[nodiscard]] const Node* node(std::string_view name) const;
  [[nodiscard]] const GroupCost* group_cost(std::string_view name_space,
                                            std::string_view name) const;
  // Those of a namespace whose owner is so called; in no particular order.
  [[nodiscard]] std::vector<const GroupCost*> group_costs_for(std::string_view name_space,
                                                              std::string_view owner_kind,
                                                              std::string_view owner_name) const;

  // Everything up to this revision has been seen; 0 if unknown.
  [[nodiscard]] model::Revision seen(Resource resource) const;

  // Writing, by whoever watches. `object` is the text of one object; its revision comes back, 0
  // if that is no number. What is older than what the store has changes nothing, and what it has
  // already is not told again. An error names the object, which then stays as it was.
  enum class Format : std::uint8_t { kJson, kProtobuf };  // protobuf: pods and nodes
  [[nodiscard]] Result<model::Revision> upsert(Resource resource, Format format,
                                               std::string_view object);
  [[nodiscard]] Result<model::Revision> remove(Resource resource, Format format,
                                               std::string_view object);
  // Never goes back.
  void advance(Resource resource, model::Revision seen);
  // All that is upserted between these two is all there is; the rest is removed at the end. A
  // listing that is begun again starts from nothing.
  void begin_listing(Resource resource);
  void end_listing(Resource resource);
  // There is no such resource any more: all of it is removed, and what is seen of it later counts
  // again, however old it is.
  void clear(Resource resource);
  // A listing has begun to show, and what it will not mention is still there: the store is like no
  // state that the cluster was ever in. Policies, nodes and PodGroupCosts do not count: how many
  // pods there are to be does not depend on them.
  [[nodiscard]] bool mixed() const;

  // Between steps, when nobody holds a handle: gives back memory if much of it is garbage.
  void tidy();
  // What it occupies, about.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::control
