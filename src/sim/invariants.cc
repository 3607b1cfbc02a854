#include "sim/invariants.h"

#include <algorithm>
#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "schema/json.h"

namespace ebb::sim {
namespace {

using control::Answer;
using control::Call;
using model::Method;
using schema::text_at;

boost::json::object parse(std::string_view text) {
  boost::json::error_code error;
  boost::json::value value = boost::json::parse(text, error);
  if (error || !value.is_object()) return {};
  return std::move(value.get_object());
}

// Of `/api/v1/namespaces/NS/pods[/NAME]`; empty for other paths.
struct PodPath {
  std::string name_space{};
  std::string name{};
};
PodPath read_pod_path(std::string_view path) {
  static constexpr std::string_view kRoot = "/api/v1/namespaces/";
  if (!path.starts_with(kRoot)) return {};
  path.remove_prefix(kRoot.size());
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return {};
  const std::string_view rest = path.substr(slash + 1);
  if (rest == "pods") return {.name_space = std::string(path.substr(0, slash))};
  if (!rest.starts_with("pods/") || rest.find('/', 5) != std::string_view::npos) return {};
  return {.name_space = std::string(path.substr(0, slash)), .name = std::string(rest.substr(5))};
}

const boost::json::object* first_owner(const boost::json::object& from) {
  const auto* const owners = schema::array_at(from, {"metadata", "ownerReferences"});
  if (owners == nullptr || owners->empty() || !owners->front().is_object()) return nullptr;
  return &owners->front().get_object();
}

}  // namespace

void Invariants::violate(std::string rule, std::string text) {
  if (!violation_) violation_ = Violation{std::move(rule), std::move(text)};
}

void Invariants::check_secrets(std::string_view text, std::string_view where) {
  if (text.find(kSecret) != std::string_view::npos) {
    violate("I6", fmt::format("a secret is told in {}: {}", where, text));
  }
}

Invariants::Tag Invariants::sent(ProcessId process, const Call& call, const control::Store& store) {
  if (call.kind == Call::Kind::kRead || call.kind == Call::Kind::kStream) {
    // Any cached state, however old, would do as the answer.
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
  write.name_space = path.name_space;
  write.pod_name = path.name;
  if (!path.name.empty()) {
    if (call.request.method == Method::kDelete) read_delete(write, call, store);
    if (call.request.method == Method::kPatch) read_patch(write, call);
  } else if (!path.name_space.empty() && call.request.method == Method::kPost) {
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
  const boost::json::object options = parse(call.request.body);
  const std::string_view uid = text_at(options, {"preconditions", "uid"});
  if (uid.empty() && demands_preconditions_) {
    return violate("I1", fmt::format("deletes pod {}/{} without naming its uid", write.name_space,
                                     write.pod_name));
  }
  const control::Pod* const pod = store.pod(write.name_space, write.pod_name);
  if (pod == nullptr || (!uid.empty() && pod->uid.view() != uid)) {
    return violate("I1", fmt::format("deletes pod {}/{} ({}), which it does not see",
                                     write.name_space, write.pod_name, uid));
  }
  write.pod_uid = pod->uid.view();
  if (pod->controller != nullptr && pod->controller->kind.view() == "ReplicaSet") {
    write.set_uid = pod->controller->uid.view();
    read_set(write, pod->controller->name.view(), store);
    return;
  }
  // It may know that it has adopted the pod, although it has not seen that yet.
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
    violate("I1", fmt::format("deletes pod {}/{}, which no ReplicaSet controls", write.name_space,
                              write.pod_name));
  }
}

void Invariants::read_create(Write& write, const Call& call, const control::Store& store) {
  write.what = What::kCreatePod;
  const boost::json::object pod = parse(call.request.body);
  const boost::json::object* const owner = first_owner(pod);
  if (owner == nullptr) return violate("I8", "creates a pod without an owner");
  write.set_uid = text_at(*owner, {"uid"});
  if (!read_set(write, text_at(*owner, {"name"}), store)) {
    violate("I8", fmt::format("creates a pod for ReplicaSet {}/{} ({}), which it does not see",
                              write.name_space, text_at(*owner, {"name"}), write.set_uid));
  }
  store.each_pod_in(write.name_space,
                    [&](const control::Pod& seen) { write.seen.emplace(seen.uid.view()); });
}

// Adoptions and releases.
void Invariants::read_patch(Write& write, const Call& call) {
  write.what = What::kPatchPod;
  const boost::json::object patch = parse(call.request.body);
  const boost::json::object* const owner = first_owner(patch);
  write.pod_uid = text_at(patch, {"metadata", "uid"});
  if (write.pod_uid.empty()) violate("I1", "changes the owner of a pod without naming its uid");
  if (owner != nullptr && text_at(*owner, {"$patch"}).empty()) {
    write.set_uid = text_at(*owner, {"uid"});
  }
}

bool Invariants::read_set(Write& write, std::string_view name, const control::Store& store) {
  const control::ReplicaSet* const set = store.replica_set(write.name_space, name);
  if (set == nullptr || set->uid.view() != write.set_uid) return false;
  write.replicas = set->replicas;
  std::uint64_t& newest = acted_upon_[write.set_uid];
  if (set->revision_seen < newest) {
    violate("stale", fmt::format("acts upon ReplicaSet {}/{} as of revision {}, after {} was acted "
                                 "upon",
                                 write.name_space, name, set->revision_seen, newest));
  }
  newest = std::max(newest, set->revision_seen);
  const auto counts = [&](const control::Pod& pod) {
    return pod.active() && pod.labels != nullptr && set->selector.matches(*pod.labels);
  };
  for (const control::Pod* pod : store.pods_of(write.set_uid)) {
    if (counts(*pod)) write.known.emplace(pod->uid.view());
  }
  // Orphans that it knows to have adopted, although it has not seen that yet.
  for (const Tag tag : pod_writes_[write.process]) {
    const Write& patch = writes_sent_[tag];
    if (patch.what != What::kPatchPod || !patch.accepted || patch.set_uid != write.set_uid) {
      continue;
    }
    const control::Pod* const pod = store.pod(patch.name_space, patch.pod_name);
    if (pod != nullptr && pod->uid.view() == patch.pod_uid && pod->controller == nullptr &&
        counts(*pod)) {
      write.known.insert(patch.pod_uid);
    }
  }
  return true;
}

// I2, as far as the process can know: of the pods that it sees, those that it has sent deletes
// for, and this one, are no more than the surplus.
void Invariants::check_delete_sent(const Write& write) {
  if (!write.known.contains(write.pod_uid)) return;  // seen to go already: nothing changes
  std::set<std::string_view> going;
  for (const Tag tag : pod_writes_[write.process]) {
    const Write& other = writes_sent_[tag];
    if (other.what == What::kDeletePod && may_have_happened(other) &&
        write.known.contains(other.pod_uid)) {
      going.insert(other.pod_uid);
    }
  }
  const auto surplus = static_cast<std::int64_t>(write.known.size()) - write.replicas;
  if (static_cast<std::int64_t>(going.size()) <= surplus) return;
  violate("I2", fmt::format("deletes {}/{}: of {} pods that it sees {} would be going, but {} are "
                            "wanted",
                            write.name_space, write.pod_name, write.known.size(), going.size(),
                            write.replicas));
}

// It has, or it still can: what has not landed in time never will.
bool Invariants::may_have_happened(const Write& write) const {
  if (write.refused) return false;
  return write.executed || elapsed_ns(write.sent, time_.now()) < control::kWriteDeadlineNs;
}

bool Invariants::is_pending(const Write& create, const control::Store& store) const {
  if (!create.executed) return may_have_happened(create);
  const PodTruth* const made = truth_.pod(create.pod_uid);
  const SetTruth* const set = truth_.set(create.set_uid);
  // Others may have ended it before it was ever seen.
  if (made == nullptr || set == nullptr || !truth_.counts(*made, *set)) return false;
  const control::Pod* const seen = store.pod(made->name_space, made->name);
  return seen == nullptr || seen->uid.view() != made->uid;
}

// I8, as far as the process can know.
void Invariants::check_create_sent(const Write& write, const control::Store& store) {
  std::int64_t pending = 0;
  for (const Tag tag : pod_writes_[write.process]) {
    const Write& other = writes_sent_[tag];
    if (other.what == What::kCreatePod && other.set_uid == write.set_uid &&
        is_pending(other, store)) {
      ++pending;
    }
  }
  const auto known = static_cast<std::int64_t>(write.known.size());
  if (known + pending <= write.replicas) return;
  violate("I8", fmt::format("creates a pod: it sees {}, {} are or may be on the way with this one, "
                            "but {} are wanted",
                            known, pending, write.replicas));
}

void Invariants::answered(Tag tag, const Answer& answer) {
  Write& write = writes_sent_[tag];
  write.accepted = answer.succeeded();
  const int code = answer.response.code;
  write.refused = answer.outcome == Answer::Outcome::kNotSent ||
                  (answer.outcome == Answer::Outcome::kAnswered && code >= 400 && code < 500 &&
                   code != 404 && code != 409);
  if (write.what == What::kCreatePod && answer.outcome == Answer::Outcome::kAnswered &&
      code >= 400 && code < 500) {
    write.refused = true;
  }
}

void Invariants::executing(Tag tag) {
  Write& write = writes_sent_[tag];
  if (tag == 0) return;
  write.counted_before = false;
  if (write.what == What::kCreatePod) check_create_executing(write);
  if (write.what != What::kDeletePod) return;
  const PodTruth* const victim = truth_.pod(write.name_space, write.pod_name);
  const SetTruth* const set = truth_.set(write.set_uid);
  if (victim == nullptr) return;
  write.counted_before =
      victim->uid == write.pod_uid && set != nullptr && truth_.counts(*victim, *set);
}

void Invariants::executed(Tag tag, const model::ApiResponse& response) {
  if (tag == 0) return;
  Write& write = writes_sent_[tag];
  const bool succeeded = response.code >= 200 && response.code < 300;
  if (!succeeded) return;
  // What something on the way repeats after it was answered is beyond its sender.
  const bool repeated = std::exchange(write.executed, true);
  if (write.kind == Call::Kind::kWrite && !repeated) check_single_actor(write);
  if (write.kind == Call::Kind::kWrite) ++writes_;
  if (write.kind == Call::Kind::kEvent) ++events_;
  if (write.what == What::kCreatePod) {
    write.pod_uid = text_at(parse(response.body.str()), {"metadata", "uid"});
    truth_.note_made_by_controller(write.pod_uid);
    ++pods_made_;
  }
  if (write.what != What::kDeletePod) return;
  const boost::json::object answer = parse(response.body.str());
  std::string_view uid = text_at(answer, {"metadata", "uid"});
  if (uid.empty()) uid = text_at(answer, {"details", "uid"});
  if (!uid.empty() && uid != write.pod_uid) {
    return violate("I1", fmt::format("deleted {}/{} with uid {}, but meant {}", write.name_space,
                                     write.pod_name, uid, write.pod_uid));
  }
  const PodTruth* const victim = truth_.pod(write.pod_uid);
  if (write.counted_before && victim != nullptr) {
    ++pods_ended_;
    check_delete_executed(write);
    truth_.note_ended_by_controller(write.pod_uid);
  }
}

// I2, in truth: after the delete there are as many pods as were wanted, but for those that others
// took away without the process having heard of it.
void Invariants::check_delete_executed(const Write& write) {
  const SetTruth& set = *truth_.set(write.set_uid);
  std::int64_t others = 0;
  for (const std::string& uid : write.known) {
    const PodTruth* const pod = truth_.pod(uid);
    if (pod != nullptr && uid != write.pod_uid && !truth_.counts(*pod, set) &&
        !pod->ended_by_controller) {
      ++others;
    }
  }
  const auto left = static_cast<std::int64_t>(truth_.pods_of(set).size());
  if (left + others >= write.replicas) return;
  violate("I2",
          fmt::format("the delete of {}/{} leaves {} pods and {} that others took unseen, but "
                      "{} were wanted",
                      write.name_space, write.pod_name, left, others, write.replicas));
}

// I8, in truth: with the new pod there are no more than were wanted, but for those that others
// made or gave to the set without the process having heard of it.
void Invariants::check_create_executing(const Write& write) {
  const SetTruth* const set = truth_.set(write.set_uid);
  if (set == nullptr) return;
  std::int64_t held = 0;
  for (const PodTruth* pod : truth_.pods_of(*set)) {
    const bool unseen = pod->made_by_controller && !write.seen.contains(pod->uid);
    if (write.known.contains(pod->uid) || unseen) ++held;
  }
  if (held + 1 <= write.replicas) return;
  violate("I8", fmt::format("a pod is created for {}/{} beside {}, but {} are wanted",
                            set->name_space, set->name, held, write.replicas));
}

// Once another process has acted, this one does not any more.
void Invariants::check_single_actor(const Write& write) {
  if (write.process == last_actor_) return;
  if (former_actors_.contains(write.process)) {
    return violate("lease", fmt::format("process {} acts after process {} has taken over",
                                        write.process, last_actor_));
  }
  former_actors_.insert(last_actor_);
  last_actor_ = write.process;
}

}  // namespace ebb::sim
