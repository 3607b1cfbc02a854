#include "control/cache/store.h"

#include <algorithm>
#include <type_traits>

#include <fmt/format.h>

#include "base/check.h"
#include "control/cache/cache.h"
#include "control/cache/object_reader.h"
#include "control/cache/pod_table.h"
#include "control/cache/pool_compaction.h"
#include "control/cache/workload_table.h"
#include "model/records/ownership.h"

namespace ebb::control {

using model::Revision;

namespace {

// How often to check for garbage, and the size from which on it matters.
constexpr std::size_t kWritesBetweenChecks = 1024;
constexpr std::size_t kLittleBytes = 1 << 20;

template <class Object>
auto notify_listeners(const std::vector<StoreListener*>& listeners,
                      void (StoreListener::*changed)(const Change<Object>&)) {
  return [&listeners, changed](const Change<Object>& change) {
    for (StoreListener* listener : listeners) (listener->*changed)(change);
  };
}

std::vector<const Pod*> pointers(const PodTable::Group* group) {
  if (group == nullptr) return {};
  return {group->begin(), group->end()};
}

// A tenant must not fill the memory with DownscaleDecisions.
void limit_decisions(WorkloadTable<DecisionObject>& table, ReadObject<DecisionObject>& read) {
  if (read.damaged || table.find(read.object) != nullptr) return;
  const std::string_view namespace_name = read.object.namespace_name.view();
  const bool has_room = table.size() < kMaxDecisionObjects &&
                        table.size_in(namespace_name) < kMaxDecisionObjectsInNamespace;
  if (has_room) return;
  read.damaged = true;
  read.problem = fmt::format("DownscaleDecision {}/{} is left out, because there are too many",
                             namespace_name, read.object.name.view());
}

template <class Table>
Result<Revision> upsert_into(Cache<Table>& cache, ReadObject<typename Table::Object> read,
                             std::string* remark) {
  if constexpr (std::is_same_v<typename Table::Object, DecisionObject>) {
    // A tenant's finalizer can keep it, but it must not take the place of another.
    if (!read.damaged && read.object.deleting) {
      const Revision revision = revision_of(read.object);
      cache.remove(read.object);
      return revision;
    }
    limit_decisions(cache.table(), read);
  }
  if (read.damaged) {
    cache.keep(read.object, read.owner_known);
    return fail(ErrorCode::kInvalidInput, std::move(read.problem));
  }
  if (remark != nullptr) *remark = std::move(read.problem);
  const Revision revision = revision_of(read.object);
  cache.upsert(std::move(read.object));
  return revision;
}

Result<void> check_format(Resource resource, Store::Format format) {
  const bool both = resource == Resource::kPods || resource == Resource::kNodes;
  if (both || format == Store::Format::kJson) return {};
  return fail(ErrorCode::kInvalidInput,
              fmt::format("{} are read in JSON only, not in protobuf", plural(resource)));
}

// A deletion counts even if the last state of the object cannot be decoded.
template <class Table>
Result<Revision> remove_from(Cache<Table>& cache, ReadObject<typename Table::Object> read,
                             std::string* remark) {
  if (read.object.name.empty()) {
    cache.lose_track();
    return fail(ErrorCode::kInvalidInput, std::move(read.problem));
  }
  if (remark != nullptr) *remark = std::move(read.problem);
  cache.remove(read.object);
  return revision_of(read.object);
}

}  // namespace

std::string_view plural(Resource resource) {
  switch (resource) {
    case Resource::kPods:
      return "pods";
    case Resource::kReplicaSets:
      return "replicasets";
    case Resource::kDeployments:
      return "deployments";
    case Resource::kPolicies:
      return "downscalepolicies";
    case Resource::kNodes:
      return "nodes";
    case Resource::kGroupCosts:
      return "podgroupcosts";
    case Resource::kDecisions:
      return "downscaledecisions";
  }
  EBB_CHECK(false);
  return {};
}

struct Store::State {
  explicit State(StoreOptions given) : options(given) {}

  StoreOptions options;
  std::vector<StoreListener*> listeners;
  model::Pool pool;
  ObjectReader reader;
  Cache<PodTable> pods{notify_listeners<Pod>(listeners, &StoreListener::pod_changed),
                       PodTable(options.owners_by_full_reference)};
  Cache<WorkloadTable<ReplicaSet>> replica_sets{
      notify_listeners<ReplicaSet>(listeners, &StoreListener::replica_set_changed),
      WorkloadTable<ReplicaSet>(options.owners_by_full_reference)};
  Cache<WorkloadTable<Deployment>> deployments{
      notify_listeners<Deployment>(listeners, &StoreListener::deployment_changed)};
  Cache<WorkloadTable<Policy>> policies{
      notify_listeners<Policy>(listeners, &StoreListener::policy_changed)};
  Cache<WorkloadTable<Node>> nodes{notify_listeners<Node>(listeners, &StoreListener::node_changed)};
  Cache<WorkloadTable<GroupCost>> group_costs{
      notify_listeners<GroupCost>(listeners, &StoreListener::group_cost_changed)};
  Cache<WorkloadTable<DecisionObject>> decisions{
      notify_listeners<DecisionObject>(listeners, &StoreListener::decision_object_changed)};
  std::size_t writes = 0;  // since the last garbage check
  // The size of the pool after the last compaction, and the largest number of objects since.
  std::size_t clean_bytes = 0;
  std::size_t max_objects = 0;

  template <class Visit>
  auto with_cache(Resource resource, Visit visit) {
    switch (resource) {
      case Resource::kPods:
        return visit(pods);
      case Resource::kReplicaSets:
        return visit(replica_sets);
      case Resource::kDeployments:
        return visit(deployments);
      case Resource::kPolicies:
        return visit(policies);
      case Resource::kNodes:
        return visit(nodes);
      case Resource::kGroupCosts:
        return visit(group_costs);
      case Resource::kDecisions:
        break;
    }
    return visit(decisions);
  }

  // Reads an object and calls visit(its cache, the object).
  template <class Visit>
  Result<Revision> with_read(Resource resource, Format format, std::string_view object,
                             Visit visit) {
    ++writes;
    EBB_RETURN_IF_ERROR(check_format(resource, format));
    switch (resource) {
      case Resource::kPods:
        return visit(pods, reader.read_pod(format, object, pool));
      case Resource::kReplicaSets:
        return visit(replica_sets, reader.read_replica_set(object, pool));
      case Resource::kDeployments:
        return visit(deployments, reader.read_deployment(object, pool));
      case Resource::kPolicies:
        return visit(policies, reader.read_policy(object, pool));
      case Resource::kNodes:
        return visit(nodes, reader.read_node(format, object, pool));
      case Resource::kGroupCosts:
        return visit(group_costs, reader.read_group_cost(object, pool));
      case Resource::kDecisions:
        break;
    }
    return visit(decisions, reader.read_decision_object(object, pool));
  }

  [[nodiscard]] std::size_t objects() const {
    return pods.table().size() + replica_sets.table().size() + deployments.table().size() +
           policies.table().size() + nodes.table().size() + group_costs.table().size() +
           decisions.table().size();
  }

  void renew_pool() {
    model::Pool fresh;
    PoolCompaction compaction(fresh);
    const auto move = [&](auto& row) { compaction.move(row); };
    pods.table().each(move);
    replica_sets.table().each(move);
    deployments.table().each(move);
    policies.table().each(move);
    nodes.table().each(move);
    group_costs.table().each(move);
    decisions.table().each(move);
    pods.table().rebuild_indexes();
    pool = std::move(fresh);
    clean_bytes = pool.bytes();
    max_objects = objects();
  }
};

Store::Store(StoreOptions options) : state_(std::make_unique<State>(options)) {}
Store::~Store() = default;

void Store::listen(StoreListener& listener) { state_->listeners.push_back(&listener); }

const ReplicaSet* Store::replica_set(std::string_view namespace_name, std::string_view name) const {
  return state_->replica_sets.table().find(namespace_name, name);
}

const Deployment* Store::deployment(std::string_view namespace_name, std::string_view name) const {
  return state_->deployments.table().find(namespace_name, name);
}

const Pod* Store::pod(std::string_view namespace_name, std::string_view name) const {
  const auto space = state_->pool.find(namespace_name);
  const auto own = state_->pool.find(name);
  return space && own ? state_->pods.table().find(*space, *own) : nullptr;
}

const Policy* Store::policy(std::string_view namespace_name, std::string_view name) const {
  return state_->policies.table().find(namespace_name, name);
}

std::span<const Policy* const> Store::policies_for(std::string_view namespace_name,
                                                   const model::TargetRef& target) const {
  return state_->policies.table().for_target(target_text(namespace_name, target));
}

const Node* Store::node(std::string_view name) const {
  return state_->nodes.table().find({}, name);
}

const GroupCost* Store::group_cost(std::string_view namespace_name, std::string_view name) const {
  return state_->group_costs.table().find(namespace_name, name);
}

std::vector<const GroupCost*> Store::group_costs_for(std::string_view namespace_name,
                                                     std::string_view owner_kind,
                                                     std::string_view owner_name) const {
  const auto found =
      state_->group_costs.table().for_target(target_text(namespace_name, owner_kind, owner_name));
  return {found.begin(), found.end()};
}

std::vector<const ReplicaSet*> Store::replica_sets_in(std::string_view namespace_name) const {
  return state_->replica_sets.table().in_namespace(namespace_name);
}

std::vector<const Deployment*> Store::deployments_in(std::string_view namespace_name) const {
  return state_->deployments.table().in_namespace(namespace_name);
}

std::vector<const ReplicaSet*> Store::replica_sets_of(const OwnerName& owner) const {
  return state_->replica_sets.table().of_owner(owner);
}

std::vector<const ReplicaSet*> Store::replica_sets_of(const Deployment& deployment) const {
  return replica_sets_of({deployment.namespace_name.view(), model::kDeploymentKind,
                          deployment.name.view(), deployment.uid.view()});
}

std::vector<const ReplicaSet*> Store::siblings_of(const ReplicaSet& set) const {
  if (set.controller == nullptr) return {};
  return replica_sets_of({set.namespace_name.view(), set.controller->kind.view(),
                          set.controller->name.view(), set.controller->uid.view()});
}

// No pod uses a string that the pool does not have.
std::vector<const Pod*> Store::pods_of(const OwnerName& owner) const {
  const model::Pool& pool = state_->pool;
  const auto space = pool.find(owner.namespace_name);
  const auto kind = pool.find(owner.kind);
  const auto name = pool.find(owner.name);
  const auto uid = pool.find(owner.uid);
  if (!space || !kind || !name || !uid) return {};
  return pointers(state_->pods.table().of_owner({*space, *kind, *name, *uid}));
}

std::vector<const Pod*> Store::pods_of(const model::ReplicaSet& set) const {
  return pods_of(
      {set.namespace_name.view(), model::kReplicaSetKind, set.name.view(), set.uid.view()});
}

const Pod* Store::unread_pod_of(const model::ReplicaSet& set) const {
  if (state_->pods.table().unread() == 0) return nullptr;
  for (const Pod* pod : pods_of(set)) {
    if (is_unread(*pod)) return pod;
  }
  return nullptr;
}

bool Store::is_unread(const Pod& pod) { return static_cast<const PodTable::Row&>(pod).unread; }

std::vector<const Pod*> Store::orphans_in(std::string_view namespace_name) const {
  const auto space = state_->pool.find(namespace_name);
  return pointers(space ? state_->pods.table().orphans(*space) : nullptr);
}

void Store::each_pod_in(std::string_view namespace_name,
                        const std::function<void(const Pod&)>& visit) const {
  const auto space = state_->pool.find(namespace_name);
  const auto* group = space ? state_->pods.table().in_namespace(*space) : nullptr;
  if (group == nullptr) return;
  for (const PodTable::Row* row : *group) visit(*row);
}

void Store::each_pod(const std::function<void(const Pod&)>& visit) const {
  std::as_const(state_->pods).table().each([&](const PodTable::Row& row) { visit(row); });
}

std::size_t Store::pods() const { return state_->pods.table().size(); }

std::optional<bool> Store::available(Resource resource) const {
  return state_->with_cache(resource, [](const auto& cache) { return cache.available(); });
}

Revision Store::seen(Resource resource) const {
  return state_->with_cache(resource, [](const auto& cache) { return cache.seen(); });
}

Result<Revision> Store::upsert(Resource resource, Format format, std::string_view object,
                               std::string* remark) {
  return state_->with_read(resource, format, object, [&](auto& cache, auto read) {
    return upsert_into(cache, std::move(read), remark);
  });
}

Result<Revision> Store::remove(Resource resource, Format format, std::string_view object,
                               std::string* remark) {
  return state_->with_read(resource, format, object, [&](auto& cache, auto read) {
    return remove_from(cache, std::move(read), remark);
  });
}

void Store::advance(Resource resource, Revision seen) {
  state_->with_cache(resource, [&](auto& cache) { cache.advance(seen); });
}

void Store::begin_listing(Resource resource) {
  state_->with_cache(resource, [](auto& cache) { cache.begin_listing(); });
}

void Store::clear(Resource resource) {
  state_->with_cache(resource, [](auto& cache) { cache.clear(); });
}

bool Store::mixed() const {
  return state_->pods.mixed() || state_->replica_sets.mixed() || state_->deployments.mixed();
}

void Store::end_listing(Resource resource) {
  state_->with_cache(resource, [](auto& cache) { cache.end_listing(); });
}

// A pool that grows with its cluster is compacted each time it has doubled, which is cheap; after
// the cluster shrinks, once half of the objects are gone.
void Store::tidy() {
  State& s = *state_;
  if (s.writes < kWritesBetweenChecks) return;
  s.writes = 0;
  s.reader.shrink();
  s.max_objects = std::max(s.max_objects, s.objects());
  const std::size_t bytes = s.pool.bytes();
  if (bytes < kLittleBytes) return;
  const bool has_doubled = bytes > 2 * s.clean_bytes + kLittleBytes;
  const bool has_shrunk = 2 * s.objects() < s.max_objects;
  if (has_doubled || has_shrunk) s.renew_pool();
}

std::size_t Store::bytes() const {
  return state_->pool.bytes() + state_->pods.table().bytes() +
         state_->replica_sets.table().bytes() + state_->deployments.table().bytes() +
         state_->policies.table().bytes() + state_->nodes.table().bytes() +
         state_->group_costs.table().bytes() + state_->decisions.table().bytes();
}

}  // namespace ebb::control
