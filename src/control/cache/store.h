// The caches behind the watches of a controller process.
//
// Pods, nodes, PodGroupCosts and DownscaleDecisions are compact records; ReplicaSets, Deployments
// and DownscalePolicies also keep the JSON they came in, which must round-trip. The store may lag
// behind the cluster, but no object ever goes back to an older state. Records keep their addresses
// until they change or are removed, and hold handles of the store's pool. Code that keeps text
// beyond a step must copy it, because the pool is rebuilt once most of it is garbage.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/api/api.h"
#include "model/records/node.h"
#include "model/records/pod.h"
#include "model/records/policy.h"
#include "model/records/pool.h"
#include "model/records/target.h"
#include "model/records/workload.h"

namespace ebb::control {

enum class Resource : std::uint8_t {
  kPods,
  kReplicaSets,
  kDeployments,
  kPolicies,
  kNodes,
  kGroupCosts,
  kDecisions
};
[[nodiscard]] std::string_view plural(Resource resource);  // "pods", as in metrics

// A pod has no raw text: pods are never written back whole.
using Pod = model::Pod;

struct ReplicaSet : model::ReplicaSet {
  std::string json;              // as received from the API server
  std::string resource_version;  // of the JSON
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
  model::Interned namespace_name;  // always empty
};
struct GroupCost : model::PodGroupCost {
  std::string uid;
  std::string resource_version;
  std::string managed_by;  // its label app.kubernetes.io/managed-by
};

using DecisionObject = model::DownscaleDecision;

// Limits for DownscaleDecisions in the store: tenants can create them by the hundred thousand. The
// others count as unread and are listed again later.
inline constexpr std::size_t kMaxDecisionObjects = 25'000;
inline constexpr std::size_t kMaxDecisionObjectsInNamespace = 2'500;

// A change of an object. `before` is null for a new object; `after` is null for a deleted one, and
// `before` is then its last known state. Replacing an object by another of the same name gives two
// changes. Valid during the notification only.
template <class Object>
struct Change {
  const Object* before = nullptr;
  const Object* after = nullptr;
};

// Notified of each change after the store has applied it.
class StoreListener {
 public:
  virtual ~StoreListener() = default;
  virtual void pod_changed(const Change<Pod>& /*change*/) {}
  virtual void replica_set_changed(const Change<ReplicaSet>& /*change*/) {}
  virtual void deployment_changed(const Change<Deployment>& /*change*/) {}
  virtual void policy_changed(const Change<Policy>& /*change*/) {}
  virtual void node_changed(const Change<Node>& /*change*/) {}
  virtual void group_cost_changed(const Change<GroupCost>& /*change*/) {}
  virtual void decision_object_changed(const Change<DecisionObject>& /*change*/) {}
};

// An owner as owner references name it, and the namespace that it shares with its dependents.
// model/records/ownership.h explains why every part counts.
struct OwnerName {
  std::string_view namespace_name;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
};

struct StoreOptions {
  // Off: an owner reference is matched by uid alone. For src/sim's mutation check.
  bool owners_by_full_reference = true;
};

class Store {
 public:
  explicit Store(StoreOptions options = {});
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  void listen(StoreListener& listener);

  // Reading. Arguments are `namespace`, `name`; the result is null if there is no such object.
  [[nodiscard]] const ReplicaSet* replica_set(std::string_view namespace_name,
                                              std::string_view name) const;
  [[nodiscard]] const Deployment* deployment(std::string_view namespace_name,
                                             std::string_view name) const;
  [[nodiscard]] const Pod* pod(std::string_view namespace_name, std::string_view name) const;
  // Ordered by name.
  [[nodiscard]] std::vector<const ReplicaSet*> replica_sets_in(
      std::string_view namespace_name) const;
  [[nodiscard]] std::vector<const Deployment*> deployments_in(
      std::string_view namespace_name) const;
  // Those that an owner controls; in no particular order.
  [[nodiscard]] std::vector<const ReplicaSet*> replica_sets_of(const OwnerName& owner) const;
  [[nodiscard]] std::vector<const ReplicaSet*> replica_sets_of(const Deployment& deployment) const;
  [[nodiscard]] std::vector<const Pod*> pods_of(const OwnerName& owner) const;
  [[nodiscard]] std::vector<const Pod*> pods_of(const model::ReplicaSet& set) const;
  // A pod of the set whose newest state could not be decoded, or null. Its record is out of date or
  // has only a name, uid and controller, so the set's pods cannot be counted until it is decoded.
  [[nodiscard]] const Pod* unread_pod_of(const model::ReplicaSet& set) const;
  // The same for a single pod of this store.
  [[nodiscard]] static bool is_unread(const Pod& pod);
  // All ReplicaSets with the same controller, including this one; empty if it has no controller.
  [[nodiscard]] std::vector<const ReplicaSet*> siblings_of(const ReplicaSet& set) const;
  [[nodiscard]] std::vector<const Pod*> orphans_in(std::string_view namespace_name) const;
  // Calls visit for each pod of the namespace.
  void each_pod_in(std::string_view namespace_name,
                   const std::function<void(const Pod&)>& visit) const;
  // The same for all namespaces.
  void each_pod(const std::function<void(const Pod&)>& visit) const;
  [[nodiscard]] std::size_t pods() const;

  [[nodiscard]] const Policy* policy(std::string_view namespace_name, std::string_view name) const;
  // Those with this target; the first one counts. Valid until the next change of a policy.
  [[nodiscard]] std::span<const Policy* const> policies_for(std::string_view namespace_name,
                                                            const model::TargetRef& target) const;
  [[nodiscard]] const Node* node(std::string_view name) const;
  [[nodiscard]] const GroupCost* group_cost(std::string_view namespace_name,
                                            std::string_view name) const;
  // Those of a namespace with this owner; in no particular order.
  [[nodiscard]] std::vector<const GroupCost*> group_costs_for(std::string_view namespace_name,
                                                              std::string_view owner_kind,
                                                              std::string_view owner_name) const;

  // Whether the resource can be listed: true once it has been, false after clear(); nothing before
  // either of them.
  [[nodiscard]] std::optional<bool> available(Resource resource) const;
  // Everything up to this revision has been seen; 0 if unknown.
  [[nodiscard]] model::Revision seen(Resource resource) const;

  // Writing, for reflectors. `object` is the text of one object; the result is its revision, 0 if
  // that is not a number. A state older than the stored one changes nothing, and a known one is not
  // reported again. An error names an object that could not be decoded; its old state stays
  // (cache.h). `remark` says what was wrong with an object that was accepted or removed anyway.
  enum class Format : std::uint8_t { kJson, kProtobuf };  // protobuf: pods and nodes
  [[nodiscard]] Result<model::Revision> upsert(Resource resource, Format format,
                                               std::string_view object,
                                               std::string* remark = nullptr);
  // Removes the object even if its last state cannot be decoded, as long as it has a name.
  [[nodiscard]] Result<model::Revision> remove(Resource resource, Format format,
                                               std::string_view object,
                                               std::string* remark = nullptr);
  // Never goes back.
  void advance(Resource resource, model::Revision seen);
  // The objects upserted between these two calls are complete; all others are removed at the end.
  // Calling begin_listing() again restarts the listing.
  void begin_listing(Resource resource);
  void end_listing(Resource resource);
  // The resource no longer exists: removes all its objects, and accepts later ones whatever their
  // revision.
  void clear(Resource resource);
  // A listing has started and objects that it may not contain are still present; or an object could
  // not be identified. The store then matches no state that the cluster was ever in. Policies,
  // nodes, PodGroupCosts and DownscaleDecisions do not count, because the number of pods does not
  // depend on them.
  [[nodiscard]] bool mixed() const;

  // Call between steps, when no handles are held: frees memory if much of it is garbage.
  void tidy();
  // Approximate memory use.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ebb::control
