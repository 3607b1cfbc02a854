// Determines the subject of a write, from the call and from the store of its process as it is sent.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/records/ownership.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"
#include "sim/rules/invariants.h"

namespace ebb::sim {
namespace {

using control::Call;
using model::Method;
using schema::text_at;

// The parts of `/api/v1/namespaces/NS/pods[/NAME]`; empty for other paths.
struct PodPath {
  std::string namespace_name{};
  std::string name{};
};
PodPath read_pod_path(std::string_view path) {
  static constexpr std::string_view kRoot = "/api/v1/namespaces/";
  if (!path.starts_with(kRoot)) return {};
  path.remove_prefix(kRoot.size());
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return {};
  const std::string_view rest = path.substr(slash + 1);
  if (rest == "pods") return {.namespace_name = std::string(path.substr(0, slash))};
  if (!rest.starts_with("pods/") || rest.find('/', 5) != std::string_view::npos) return {};
  return {.namespace_name = std::string(path.substr(0, slash)),
          .name = std::string(rest.substr(5))};
}

const boost::json::object* first_owner(const boost::json::object& from) {
  const auto* const owners = schema::array_at(from, {"metadata", "ownerReferences"});
  if (owners == nullptr || owners->empty() || !owners->front().is_object()) return nullptr;
  return &owners->front().get_object();
}

}  // namespace

Invariants::Tag Invariants::sent(ProcessId process, const Call& call, const control::Store& store) {
  check_picker_secrets(call.request.path, "a request");
  check_picker_secrets(call.request.query, "a request");
  check_picker_secrets(call.request.body, "a request");
  if (call.kind == Call::Kind::kRead || call.kind == Call::Kind::kTenantRead ||
      call.kind == Call::Kind::kStream) {
    // The request allows an answer from any cached state, however old.
    const std::string query = call.request.query + "&";
    if (query.find("resourceVersion=0&") != std::string::npos) {
      violate("stale", fmt::format("begins from a cached state: {}", call.request.path));
    }
    return 0;
  }
  if (call.kind == Call::Kind::kEvent) check_secrets(call.request.body, "an event");
  const Tag tag = writes_sent_.size();
  Write write{.process = process, .kind = call.kind, .sent = time_.now()};
  const PodPath path = read_pod_path(call.request.path);
  write.namespace_name = path.namespace_name;
  write.pod_name = path.name;
  if (!path.name.empty()) {
    if (call.request.method == Method::kDelete) read_delete(write, call, store);
    if (call.request.method == Method::kPatch) read_patch(write, call);
  } else if (!path.namespace_name.empty() && call.request.method == Method::kPost) {
    read_create(write, call, store);
  }
  writes_sent_.push_back(std::move(write));
  const Write& kept = writes_sent_.back();
  if (kept.what != What::kOther) pod_writes_[process].push_back(tag);
  if (kept.what == What::kDeletePod) check_delete_sent(kept);
  if (kept.what == What::kCreatePod) check_create_sent(kept, store);
  return tag;
}

void Invariants::read_delete(Write& write, const Call& call, const control::Store& store) {
  write.what = What::kDeletePod;
  const boost::json::object options = read_object(call.request.body);
  const std::string_view uid = text_at(options, {"preconditions", "uid"});
  if (uid.empty() && demands_preconditions_) {
    return violate("I1", fmt::format("deletes pod {}/{} without naming its uid",
                                     write.namespace_name, write.pod_name));
  }
  const control::Pod* const pod = store.pod(write.namespace_name, write.pod_name);
  if (pod == nullptr || (!uid.empty() && pod->uid.view() != uid)) {
    return violate("I1", fmt::format("deletes pod {}/{} ({}), which it does not see",
                                     write.namespace_name, write.pod_name, uid));
  }
  write.pod_uid = pod->uid.view();
  if (pod->controller != nullptr) {
    write.set_uid = pod->controller->uid.view();
    const bool known = pod->controller->kind.view() == model::kReplicaSetKind &&
                       read_set(write, pod->controller->name.view(), store);
    if (!known) {
      violate("I1", fmt::format("deletes pod {}/{}, which names {} {} ({}) as its controller, but "
                                "that does not exist",
                                write.namespace_name, write.pod_name, pod->controller->kind.view(),
                                pod->controller->name.view(), write.set_uid));
    }
    return;
  }
  // The process may know that it has adopted the pod before the watch shows it.
  for (const Tag tag : pod_writes_[write.process]) {
    const Write& patch = writes_sent_[tag];
    if (patch.what != What::kPatchPod || !patch.accepted || patch.pod_uid != write.pod_uid) {
      continue;
    }
    write.set_uid = patch.set_uid;
    const SetTruth* const set = truth_.set(patch.set_uid);
    if (set != nullptr) read_set(write, set->name, store);
  }
  if (write.set_uid.empty()) {
    violate("I1", fmt::format("deletes pod {}/{}, which no ReplicaSet controls",
                              write.namespace_name, write.pod_name));
  }
}

void Invariants::read_create(Write& write, const Call& call, const control::Store& store) {
  write.what = What::kCreatePod;
  const boost::json::object pod = read_object(call.request.body);
  const boost::json::object* const owner = first_owner(pod);
  if (owner == nullptr) return violate("I8", "creates a pod without an owner");
  write.set_uid = text_at(*owner, {"uid"});
  if (!read_set(write, text_at(*owner, {"name"}), store)) {
    violate("I8", fmt::format("creates a pod for ReplicaSet {}/{} ({}), which it does not see",
                              write.namespace_name, text_at(*owner, {"name"}), write.set_uid));
  }
  const control::ReplicaSet* const set =
      store.replica_set(write.namespace_name, text_at(*owner, {"name"}));
  store.each_pod_in(write.namespace_name, [&](const control::Pod& seen) {
    write.seen.emplace(seen.uid.view());
    const bool counted = write.known.contains(std::string(seen.uid.view()));
    const bool of_set = set != nullptr && model::controls(*set, seen);
    if (of_set && !counted && control::Store::is_unread(seen)) ++write.unread;
  });
}

// Adoptions and releases.
void Invariants::read_patch(Write& write, const Call& call) {
  write.what = What::kPatchPod;
  const boost::json::object patch = read_object(call.request.body);
  const boost::json::object* const owner = first_owner(patch);
  write.pod_uid = text_at(patch, {"metadata", "uid"});
  if (write.pod_uid.empty()) violate("I1", "changes the owner of a pod without naming its uid");
  if (owner != nullptr && text_at(*owner, {"$patch"}).empty()) {
    write.set_uid = text_at(*owner, {"uid"});
  }
}

bool Invariants::read_set(Write& write, std::string_view name, const control::Store& store) {
  const control::ReplicaSet* const set = store.replica_set(write.namespace_name, name);
  if (set == nullptr || set->uid.view() != write.set_uid) return false;
  write.replicas = set->replicas;
  std::uint64_t& newest = acted_upon_[write.set_uid];
  if (set->revision_seen < newest) {
    violate("stale", fmt::format("acts upon ReplicaSet {}/{} as of revision {}, after {} was acted "
                                 "upon",
                                 write.namespace_name, name, set->revision_seen, newest));
  }
  newest = std::max(newest, set->revision_seen);
  for (const control::Pod* pod : pods_seen(write.process, *set, store)) {
    write.known.emplace(pod->uid.view());
  }
  return true;
}

std::vector<const control::Pod*> Invariants::pods_seen(ProcessId process,
                                                       const control::ReplicaSet& set,
                                                       const control::Store& store) const {
  std::vector<const control::Pod*> seen;
  const auto counts = [&](const control::Pod& pod) {
    return pod.active() && pod.labels != nullptr && set.selector.matches(*pod.labels);
  };
  // Does not use the store's index, because the index is under test, too.
  store.each_pod_in(set.namespace_name.view(), [&](const control::Pod& pod) {
    if (model::controls(set, pod) && counts(pod)) seen.push_back(&pod);
  });
  // Orphans that the process knows it has adopted before the watch shows it.
  const auto writes = pod_writes_.find(process);
  if (writes == pod_writes_.end()) return seen;
  for (const Tag tag : writes->second) {
    const Write& patch = writes_sent_[tag];
    if (patch.what != What::kPatchPod || !patch.accepted || patch.set_uid != set.uid.view()) {
      continue;
    }
    const control::Pod* const pod = store.pod(patch.namespace_name, patch.pod_name);
    if (pod != nullptr && pod->uid.view() == patch.pod_uid && pod->controller == nullptr &&
        counts(*pod) && std::find(seen.begin(), seen.end(), pod) == seen.end()) {
      seen.push_back(pod);
    }
  }
  return seen;
}

std::size_t Invariants::going(ProcessId process,
                              const std::vector<const control::Pod*>& pods) const {
  const auto writes = pod_writes_.find(process);
  if (writes == pod_writes_.end()) return 0;
  std::set<std::string_view> uids;
  for (const Tag tag : writes->second) {
    const Write& write = writes_sent_[tag];
    if (write.what == What::kDeletePod && may_have_happened(write)) uids.insert(write.pod_uid);
  }
  return static_cast<std::size_t>(
      std::count_if(pods.begin(), pods.end(),
                    [&](const control::Pod* pod) { return uids.contains(pod->uid.view()); }));
}

}  // namespace ebb::sim
