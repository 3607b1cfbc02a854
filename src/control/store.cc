#include "control/store.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "control/cache.h"
#include "control/object_reader.h"
#include "control/pod_table.h"
#include "control/rehousing.h"
#include "control/workload_table.h"

namespace ebb::control {

using model::Revision;

namespace {

// How often it is worth looking whether much is garbage, and from when on it matters.
constexpr std::size_t kWritesBetweenLooks = 1024;
constexpr std::size_t kLittleBytes = 1 << 20;

template <class Object>
auto tell_all(const std::vector<StoreListener*>& listeners,
              void (StoreListener::*changed)(const Change<Object>&)) {
  return [&listeners, changed](const Change<Object>& change) {
    for (StoreListener* listener : listeners) (listener->*changed)(change);
  };
}

std::vector<const Pod*> pointers(const PodTable::Group* group) {
  if (group == nullptr) return {};
  return {group->begin(), group->end()};
}

template <class Table>
Result<Revision> upsert_into(Cache<Table>& cache, ReadObject<typename Table::Object> read) {
  if (!read.complete) return propagate(read.complete);
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

// Who is gone is gone, however strange its last state was.
template <class Table>
Result<Revision> remove_from(Cache<Table>& cache, ReadObject<typename Table::Object> read) {
  if (!read.complete && read.object.uid.empty()) return propagate(read.complete);
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
  }
  EBB_CHECK(false);
  return {};
}

struct Store::State {
  std::vector<StoreListener*> listeners;
  model::Pool pool;
  ObjectReader reader;
  Cache<PodTable> pods{tell_all<Pod>(listeners, &StoreListener::pod_changed)};
  Cache<WorkloadTable<ReplicaSet>> replica_sets{
      tell_all<ReplicaSet>(listeners, &StoreListener::replica_set_changed)};
  Cache<WorkloadTable<Deployment>> deployments{
      tell_all<Deployment>(listeners, &StoreListener::deployment_changed)};
  Cache<WorkloadTable<Policy>> policies{
      tell_all<Policy>(listeners, &StoreListener::policy_changed)};
  Cache<WorkloadTable<Node>> nodes{tell_all<Node>(listeners, &StoreListener::node_changed)};
  Cache<WorkloadTable<GroupCost>> group_costs{
      tell_all<GroupCost>(listeners, &StoreListener::group_cost_changed)};
  std::size_t writes = 0;  // since it was last looked at what is garbage
  // When the pool was last made anew: what it held, and for how many objects at most since.
  std::size_t clean_bytes = 0;
  std::size_t most_objects = 0;

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
        break;
    }
    return visit(group_costs);
  }

  [[nodiscard]] std::size_t objects() const {
    return pods.table().size() + replica_sets.table().size() + deployments.table().size() +
           policies.table().size() + nodes.table().size() + group_costs.table().size();
  }

  void renew_pool() {
    model::Pool fresh;
    Rehousing rehousing(fresh);
    const auto move = [&](auto& row) { rehousing.move(row); };
    pods.table().each(move);
    replica_sets.table().each(move);
    deployments.table().each(move);
    policies.table().each(move);
    nodes.table().each(move);
    group_costs.table().each(move);
    pods.table().rebuild_indexes();
    pool = std::move(fresh);
    clean_bytes = pool.bytes();
    most_objects = objects();
  }
};

Store::Store() : state_(std::make_unique<State>()) {}
Store::~Store() = default;

void Store::listen(StoreListener& listener) { state_->listeners.push_back(&listener); }

const ReplicaSet* Store::replica_set(std::string_view name_space, std::string_view name) const {
  return state_->replica_sets.table().find(name_space, name);
}

const Deployment* Store::deployment(std::string_view name_space, std::string_view name) const {
  return state_->deployments.table().find(name_space, name);
}

const Pod* Store::pod(std::string_view name_space, std::string_view name) const {
  const auto space = state_->pool.find(name_space);
  const auto own = state_->pool.find(name);
  return space && own ? state_->pods.table().find(*space, *own) : nullptr;
}

const Policy* Store::policy(std::string_view name_space, std::string_view name) const {
  return state_->policies.table().find(name_space, name);
}

std::vector<const Policy*> Store::policies_for(std::string_view name_space,
                                               std::string_view target_kind,
                                               std::string_view target_name) const {
  return state_->policies.table().of_owner(target_text(name_space, target_kind, target_name));
}

const Node* Store::node(std::string_view name) const {
  return state_->nodes.table().find({}, name);
}

const GroupCost* Store::group_cost(std::string_view name_space, std::string_view name) const {
  return state_->group_costs.table().find(name_space, name);
}

std::vector<const GroupCost*> Store::group_costs_for(std::string_view name_space,
                                                     std::string_view owner_kind,
                                                     std::string_view owner_name) const {
  return state_->group_costs.table().of_owner(target_text(name_space, owner_kind, owner_name));
}

std::vector<const ReplicaSet*> Store::replica_sets_in(std::string_view name_space) const {
  return state_->replica_sets.table().in_namespace(name_space);
}

std::vector<const Deployment*> Store::deployments_in(std::string_view name_space) const {
  return state_->deployments.table().in_namespace(name_space);
}

std::vector<const ReplicaSet*> Store::replica_sets_of(std::string_view owner_uid) const {
  return state_->replica_sets.table().of_owner(owner_uid);
}

std::vector<const Pod*> Store::pods_of(std::string_view owner_uid) const {
  const auto uid = state_->pool.find(owner_uid);
  return pointers(uid ? state_->pods.table().of_owner(*uid) : nullptr);
}

std::vector<const Pod*> Store::orphans_in(std::string_view name_space) const {
  const auto space = state_->pool.find(name_space);
  return pointers(space ? state_->pods.table().orphans(*space) : nullptr);
}

void Store::each_pod_in(std::string_view name_space,
                        const std::function<void(const Pod&)>& visit) const {
  const auto space = state_->pool.find(name_space);
  const auto* group = space ? state_->pods.table().in_namespace(*space) : nullptr;
  if (group == nullptr) return;
  for (const PodTable::Row* row : *group) visit(*row);
}

std::size_t Store::pods() const { return state_->pods.table().size(); }

Revision Store::seen(Resource resource) const {
  return state_->with_cache(resource, [](const auto& cache) { return cache.seen(); });
}

Result<Revision> Store::upsert(Resource resource, Format format, std::string_view object) {
  State& s = *state_;
  ++s.writes;
  if (auto known = check_format(resource, format); !known) return propagate(known);
  switch (resource) {
    case Resource::kPods:
      return upsert_into(s.pods, s.reader.read_pod(format, object, s.pool));
    case Resource::kReplicaSets:
      return upsert_into(s.replica_sets, s.reader.read_replica_set(object, s.pool));
    case Resource::kDeployments:
      return upsert_into(s.deployments, s.reader.read_deployment(object, s.pool));
    case Resource::kPolicies:
      return upsert_into(s.policies, s.reader.read_policy(object, s.pool));
    case Resource::kNodes:
      return upsert_into(s.nodes, s.reader.read_node(format, object, s.pool));
    case Resource::kGroupCosts:
      break;
  }
  return upsert_into(s.group_costs, s.reader.read_group_cost(object, s.pool));
}

Result<Revision> Store::remove(Resource resource, Format format, std::string_view object) {
  State& s = *state_;
  ++s.writes;
  if (auto known = check_format(resource, format); !known) return propagate(known);
  switch (resource) {
    case Resource::kPods:
      return remove_from(s.pods, s.reader.read_pod(format, object, s.pool));
    case Resource::kReplicaSets:
      return remove_from(s.replica_sets, s.reader.read_replica_set(object, s.pool));
    case Resource::kDeployments:
      return remove_from(s.deployments, s.reader.read_deployment(object, s.pool));
    case Resource::kPolicies:
      return remove_from(s.policies, s.reader.read_policy(object, s.pool));
    case Resource::kNodes:
      return remove_from(s.nodes, s.reader.read_node(format, object, s.pool));
    case Resource::kGroupCosts:
      break;
  }
  return remove_from(s.group_costs, s.reader.read_group_cost(object, s.pool));
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

// A pool that only grew with the cluster is made anew each time it has doubled, which costs
// little; one whose cluster shrank, once half of its objects are gone.
void Store::tidy() {
  State& s = *state_;
  if (s.writes < kWritesBetweenLooks) return;
  s.writes = 0;
  s.reader.shrink();
  s.most_objects = std::max(s.most_objects, s.objects());
  const std::size_t bytes = s.pool.bytes();
  if (bytes < kLittleBytes) return;
  const bool has_doubled = bytes > 2 * s.clean_bytes + kLittleBytes;
  const bool has_shrunk = 2 * s.objects() < s.most_objects;
  if (has_doubled || has_shrunk) s.renew_pool();
}

std::size_t Store::bytes() const {
  return state_->pool.bytes() + state_->pods.table().bytes() +
         state_->replica_sets.table().bytes() + state_->deployments.table().bytes() +
         state_->policies.table().bytes() + state_->nodes.table().bytes() +
         state_->group_costs.table().bytes();
}

}  // namespace ebb::control
