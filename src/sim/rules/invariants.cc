#include "sim/rules/invariants.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "control/core/json_document.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

using control::Answer;
using control::Call;
using schema::text_at;

}  // namespace

void Invariants::violate(std::string rule, std::string text) {
  if (!violation_) violation_ = Violation{std::move(rule), std::move(text)};
}

void Invariants::check_secrets(std::string_view text, std::string_view where) {
  if (text.find(kSecret) != std::string_view::npos) {
    violate("I6", fmt::format("a secret leaks in {}: {}", where, text));
  }
  check_picker_secrets(text, where);
}

void Invariants::check_picker_secrets(std::string_view text, std::string_view where) {
  for (const std::string_view secret : {kPickerSecret, kPickerSecretEncoded}) {
    if (text.find(secret) != std::string_view::npos) {
      violate("I6", fmt::format("a picker's secret leaks in {}: {}", where, text));
    }
  }
}

// I2, as far as the process can know: among the pods that it sees, the deletes it has sent,
// including this one, are at most the surplus.
void Invariants::check_delete_sent(const Write& write) {
  if (!write.known.contains(write.pod_uid)) return;  // already seen to go: nothing changes
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
                            write.namespace_name, write.pod_name, write.known.size(), going.size(),
                            write.replicas));
}

// The write has been executed, or still can be: one that has not landed in time never will.
bool Invariants::may_have_happened(const Write& write) const {
  if (write.refused) return false;
  return write.executed || elapsed_ns(write.sent, time_.now()) < control::kWriteDeadlineNs;
}

bool Invariants::is_pending(const Write& create, const control::Store& store) const {
  if (!create.executed) return may_have_happened(create);
  const PodTruth* const made = truth_.pod(create.pod_uid);
  const SetTruth* const set = truth_.set(create.set_uid);
  // Others may have ended the pod before the process saw it.
  if (made == nullptr || set == nullptr || !truth_.counts(*made, *set)) return false;
  const control::Pod* const seen = store.pod(made->namespace_name, made->name);
  return seen == nullptr || seen->uid.view() != made->uid;
}

// I8, as far as the process can know: a pod that it could not decode may be one that is wanted.
void Invariants::check_create_sent(const Write& write, const control::Store& store) {
  std::int64_t pending = 0;
  for (const Tag tag : pod_writes_[write.process]) {
    const Write& other = writes_sent_[tag];
    if (other.what == What::kCreatePod && other.set_uid == write.set_uid &&
        is_pending(other, store)) {
      ++pending;
    }
  }
  const auto known = static_cast<std::int64_t>(write.known.size()) + write.unread;
  if (known + pending <= write.replicas) return;
  violate("I8", fmt::format("creates a pod: it sees {}, of which it could not decode {}, {} are or "
                            "may be on the way with this one, but {} are wanted",
                            known, write.unread, pending, write.replicas));
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
  // A write that a webhook denies is not executed, whatever code the webhook chooses.
  if (control::is_admission_denial(answer)) write.refused = true;
}

void Invariants::executing(Tag tag) {
  if (tag == 0) return;
  for (LinkObserver* other : others_) other->executing(tag);
  Write& write = writes_sent_[tag];
  write.counted_before = false;
  if (write.what == What::kCreatePod) check_create_executing(write);
  if (write.what != What::kDeletePod) return;
  const PodTruth* const victim = truth_.pod(write.namespace_name, write.pod_name);
  const SetTruth* const set = truth_.set(write.set_uid);
  if (victim == nullptr) return;
  write.counted_before =
      victim->uid == write.pod_uid && set != nullptr && truth_.counts(*victim, *set);
}

void Invariants::executed(Tag tag, const model::ApiResponse& response) {
  if (tag == 0) return;
  for (LinkObserver* other : others_) other->executed(tag, response);
  Write& write = writes_sent_[tag];
  const bool succeeded = response.code >= 200 && response.code < 300;
  if (!succeeded) return;
  // A repetition by the network after the answer is not the sender's fault.
  const bool repeated = std::exchange(write.executed, true);
  if (is_write(write.kind) && !repeated) check_single_actor(write);
  if (is_write(write.kind)) ++writes_;
  if (write.kind == Call::Kind::kEvent) ++events_;
  if (write.what == What::kCreatePod) {
    write.pod_uid = text_at(read_object(response.body.str()), {"metadata", "uid"});
    truth_.note_made_by_controller(write.pod_uid);
    ++pods_made_;
  }
  if (write.what != What::kDeletePod) return;
  const boost::json::object answer = read_object(response.body.str());
  std::string_view uid = text_at(answer, {"metadata", "uid"});
  if (uid.empty()) uid = text_at(answer, {"details", "uid"});
  if (!uid.empty() && uid != write.pod_uid) {
    return violate("I1", fmt::format("deleted {}/{} with uid {}, but meant {}",
                                     write.namespace_name, write.pod_name, uid, write.pod_uid));
  }
  const PodTruth* const victim = truth_.pod(write.pod_uid);
  if (write.counted_before && victim != nullptr) {
    ++pods_ended_;
    check_delete_executed(write);
    truth_.note_ended_by_controller(write.pod_uid, write.set_uid);
  }
}

// I2, in truth: after the delete there are at least as many pods as wanted, apart from those that
// others removed without the process knowing.
void Invariants::check_delete_executed(const Write& write) {
  const SetTruth& set = *truth_.set(write.set_uid);
  std::int64_t others = 0;
  for (const std::string& uid : write.known) {
    const PodTruth* const pod = truth_.pod(uid);
    if (pod == nullptr || uid == write.pod_uid || truth_.counts(*pod, set)) continue;
    const bool known_to_be_gone =
        !pod->ended_by_rival.is_zero() && pod->ended_by_rival < write.informed_since;
    if (pod->ended_for != write.set_uid && !known_to_be_gone) ++others;
  }
  const auto left = static_cast<std::int64_t>(truth_.pods_of(set).size());
  if (left + others >= write.replicas) return;
  violate("I2",
          fmt::format("the delete of {}/{} leaves {} pods and {} that others took unseen, but "
                      "{} were wanted",
                      write.namespace_name, write.pod_name, left, others, write.replicas));
}

// I8, in truth: with the new pod there are no more than wanted, apart from those that others
// created or gave to the set without the process knowing.
void Invariants::check_create_executing(const Write& write) {
  const SetTruth* const set = truth_.set(write.set_uid);
  if (set == nullptr) return;
  std::int64_t held = 0;
  for (const PodTruth* pod : truth_.pods_of(*set)) {
    const bool by_controller =
        pod->made_by_controller ||
        (!pod->made_by_rival.is_zero() && pod->made_by_rival < write.informed_since);
    const bool unseen = by_controller && !write.seen.contains(pod->uid);
    if (write.known.contains(pod->uid) || unseen) ++held;
  }
  if (held + 1 <= write.replicas) return;
  violate("I8", fmt::format("a pod is created for {}/{} beside {}, but {} are wanted",
                            set->namespace_name, set->name, held, write.replicas));
}

// Once another process has acted, this one must not.
void Invariants::check_single_actor(const Write& write) {
  ProcessId& last_actor = last_actors_[role(write.process)];
  if (write.process == last_actor) return;
  if (former_actors_.contains(write.process)) {
    return violate("lease", fmt::format("process {} acts after process {} has taken over",
                                        write.process, last_actor));
  }
  former_actors_.insert(last_actor);
  last_actor = write.process;
}

}  // namespace ebb::sim
