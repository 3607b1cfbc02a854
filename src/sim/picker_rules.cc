#include "sim/picker_rules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sim/objects.h"
#include "sim/rank_reading.h"

namespace ebb::sim {
namespace {

bool needs_secrets(const picker::Settings& settings) {
  return !settings.client_certificate.empty() ||
         std::any_of(settings.headers.begin(), settings.headers.end(),
                     [](const picker::Header& header) { return header.from.has_value(); });
}

}  // namespace

PickerRules::Consultation& PickerRules::begin(const View& view, const picker::Call& call) {
  Consultation& one = consultations_[call.idempotency_key];
  one.process = view.process;
  one.body = *call.body;
  one.began = time_.now();
  one.budget_ns = call.settings->timeout_ns;
  std::optional<HeardQuestion> question = read_question(call);
  if (!question) {
    invariants_.violate("picker", "asks something that is no question");
    return one;
  }
  one.question = std::move(*question);
  for (const control::ReplicaSet* set : view.store.replica_sets_in(kNamespace)) {
    for (const control::Pod* pod : invariants_.pods_seen(view.process, *set, view.store)) {
      const std::string name(pod->name.view());
      if (std::find(one.question.candidates.begin(), one.question.candidates.end(), name) ==
          one.question.candidates.end()) {
        continue;
      }
      one.uids.emplace(name, pod->uid.view());
      if (one.set_uid.empty()) one.set_uid = set->uid.view();
    }
  }
  // Otherwise something may have changed since it wished to ask.
  const bool at_once = !needs_secrets(*call.settings) &&
                       view.settings.pickers.most_per_endpoint > one.question.candidates.size();
  check_candidates(view, one, at_once);
  return one;
}

// I3: a picker is asked about pods that could stay or go, and for fewer than there are.
void PickerRules::check_candidates(const View& view, const Consultation& one, bool at_once) {
  const HeardQuestion& question = one.question;
  const auto& names = question.candidates;
  if (question.requested == 0 || question.requested >= names.size()) {
    invariants_.violate("picker",
                        fmt::format("asks for {} of {} pods", question.requested, names.size()));
  }
  if (!std::is_sorted(names.begin(), names.end()) ||
      std::adjacent_find(names.begin(), names.end()) != names.end()) {
    invariants_.violate("picker", "asks about pods that are not sorted by name, or twice");
  }
  if (!at_once) return;
  for (const control::ReplicaSet* set : view.store.replica_sets_in(kNamespace)) {
    if (set->uid.view() != one.set_uid) continue;
    std::set<std::string> serving;
    const auto pods = invariants_.pods_seen(view.process, *set, view.store);
    for (const control::Pod* pod : pods) {
      if (pod->serving()) serving.emplace(pod->name.view());
    }
    if (serving != std::set<std::string>(names.begin(), names.end())) {
      invariants_.violate("I3", fmt::format("asks about {} pods of {}, of which {} serve",
                                            names.size(), set->name.view(), serving.size()));
    }
    const auto stay = static_cast<std::size_t>(std::max(set->replicas, 0));
    // Where each removal makes all ranks worthless, one goes at a time.
    const bool one_of_several = question.requested == 1 && serving.size() > stay &&
                                read_ranks(*set, pods, view.store, view.settings.gates).recompute;
    if (serving.size() != question.requested + stay && !one_of_several) {
      invariants_.violate("I3", fmt::format("asks for {} of {} pods, of which {} should stay",
                                            question.requested, serving.size(), stay));
    }
    return;
  }
  invariants_.violate("I3", "asks about pods of no ReplicaSet");
}

void PickerRules::asked(const View& view, const picker::Call& call) {
  invariants_.check_secrets(*call.body, "the body of a question");
  invariants_.check_secrets(call.idempotency_key, "an idempotency key");
  invariants_.check_secrets(call.settings->endpoint(), "an endpoint");
  if (!view.settings.gates.on(model::Gate::kDownscalePodPicker)) {
    invariants_.violate("picker", "asks although the feature is switched off");
  }
  const auto found = consultations_.find(call.idempotency_key);
  Consultation& one = found == consultations_.end() ? begin(view, call) : found->second;
  if (one.process != view.process) {
    invariants_.violate("picker", "two processes use one idempotency key");
  }
  check_attempt(one, call);
  ++one.attempts;
  one.open = call.id;
  calls_.emplace(std::pair(view.process, call.id), call.idempotency_key);
  if (!one.set_uid.empty()) {
    std::string& latest = latest_[{view.process, one.set_uid}];
    const auto other = consultations_.find(latest);
    if (latest != call.idempotency_key && other != consultations_.end() && other->second.open) {
      invariants_.violate("picker", "asks two questions about one ReplicaSet at a time");
    }
    latest = call.idempotency_key;
  }
  time_.after(call.deadline_ns + kAtOnce, [this, process = view.process, id = call.id] {
    const auto key = calls_.find({process, id});
    if (key == calls_.end() || consultations_.at(key->second).held_up) return;
    invariants_.violate("I5", fmt::format("question {} is open after its time is up", id));
  });
}

void PickerRules::check_attempt(const Consultation& one, const picker::Call& call) {
  if (one.open) invariants_.violate("picker", "asks again before the reply");
  if (one.over) invariants_.violate("picker", "asks again after it has decided");
  if (one.body != *call.body) {
    invariants_.violate("picker", "asks something else by the same idempotency key");
  }
  if (one.attempts > call.settings->max_retries) {
    invariants_.violate("picker", fmt::format("asks for the {}th time, but {} retries are allowed",
                                              one.attempts + 1, call.settings->max_retries));
  }
  if (one.last && !one.last->repeatable) {
    invariants_.violate("picker", "asks again although that cannot help");
  }
  if (time_.now() < one.not_before) {
    invariants_.violate("picker", "asks again although the picker wants patience");
  }
  const Timestamp budget_end = later_by(one.began, one.budget_ns);
  if (call.deadline_ns <= 0 || later_by(time_.now(), call.deadline_ns) > budget_end) {
    invariants_.violate("I5", "asks for an answer after its time is up");
  }
}

void PickerRules::close(ProcessId process, picker::CallId id) {
  const auto key = calls_.find({process, id});
  if (key == calls_.end()) return;
  consultations_.at(key->second).open.reset();
  calls_.erase(key);
}

void PickerRules::replied(ProcessId process, picker::CallId id, const picker::Reply& reply) {
  const auto key = calls_.find({process, id});
  if (key == calls_.end()) return;
  Consultation& one = consultations_.at(key->second);
  one.last = reply;
  one.not_before = later_by(time_.now(), reply.retry_after_ns);
  close(process, id);
}

void PickerRules::withdrawn(ProcessId process, picker::CallId id) { close(process, id); }

void PickerRules::held_up(ProcessId process) {
  for (auto& entry : consultations_) {
    if (entry.second.process == process) entry.second.held_up = true;
  }
}

void PickerRules::ended(ProcessId process) {
  std::erase_if(calls_, [process](const auto& entry) { return entry.first.first == process; });
  for (auto& entry : consultations_) {
    if (entry.second.process == process) entry.second.open.reset();
  }
}

Nanoseconds PickerRules::budget_since(ProcessId process, const std::string& set_uid,
                                      Timestamp since) const {
  const auto latest = latest_.find({process, set_uid});
  if (latest == latest_.end()) return 0;
  const Consultation& one = consultations_.at(latest->second);
  return one.began < since ? 0 : one.budget_ns;
}

}  // namespace ebb::sim
