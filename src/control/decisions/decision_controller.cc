#include "control/decisions/decision_controller.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "control/core/json_document.h"
#include "control/core/key_of.h"
#include "control/core/object_json.h"
#include "control/core/work_budget.h"
#include "control/decisions/decision_object.h"
#include "control/decisions/namespace_pauses.h"
#include "model/api/requests.h"

namespace ebb::control {
namespace {

// A quarter of the patient writes that may be in flight; the rest is left to the ranker and the
// policy controller.
constexpr std::size_t kMaxInFlight = 4;
constexpr int kMaxTries = 5;
// If this many of its own records in a namespace are not in the cache, the watch is too far behind
// to know what to delete there.
constexpr std::ptrdiff_t kMaxUnseen = 16;
// A record may have been deleted before the watch showed it.
constexpr Nanoseconds kUnseenForNs = 60 * kNanosecondsPerSecond;
// By then the watch has shown whether a record is gone. If it is not, it is deleted again.
constexpr Nanoseconds kGoneWithinNs = 30 * kNanosecondsPerSecond;
// How often refusals are logged.
constexpr Nanoseconds kBetweenWarningsNs = 600 * kNanosecondsPerSecond;
constexpr std::uint64_t kUnitsPerDelete = 200;

// The results of writing a record, as in metrics.
constexpr std::string_view kWritten = "written";
constexpr std::string_view kDropped = "dropped";  // too many wait, or the process stops
constexpr std::string_view kRefused = "refused";  // by the API server
constexpr std::string_view kFailed = "failed";    // every attempt, without a refusal
constexpr std::string_view kUnavailable =
    "unavailable";  // the kind is missing, or may not be listed

class DecisionController final : public Controller {
 public:
  DecisionController(const ControllerContext& context, std::shared_ptr<DecisionQueue> decisions,
                     DecisionLimits limits, std::optional<GuardedKind> guarded)
      : context_(context), waiting_(std::move(decisions)), retention_(limits), guarded_(guarded) {}

  [[nodiscard]] std::string_view name() const override { return "decisions"; }
  [[nodiscard]] std::optional<GuardedKind> guarded() const override { return guarded_; }

  void decision_object_changed(const Change<DecisionObject>& change) override;
  void answered(CallId id, const Answer& answer, Now now) override;
  [[nodiscard]] bool still_wants(CallId id) override;
  void run(Now now) override;
  [[nodiscard]] Timestamp wake_at() const override;
  void stop() override { stopping_ = true; }
  [[nodiscard]] bool idle() const override { return in_flight_.empty(); }

 private:
  struct Pending {
    Key key{};
    // The record to create; empty for a delete.
    std::optional<WaitingDecision> creates{};
    std::string_view limit{};  // of a delete
  };

  [[nodiscard]] bool has_room() const { return in_flight_.size() < kMaxInFlight; }
  // The API server has the kind and lets ebb list it; nothing: that is not known yet.
  [[nodiscard]] std::optional<bool> is_available() const {
    return context_.store.available(Resource::kDecisions);
  }
  [[nodiscard]] bool is_behind(const std::string& namespace_name) const;
  [[nodiscard]] std::optional<Retention::Excess> next_excess(Now now);
  void count(std::string_view result, std::size_t number = 1);
  [[nodiscard]] bool has_news() const {
    return reported_size_ != retention_.size() || reported_available_ != is_available();
  }
  void report();
  void write(Now now);
  void send_create(WaitingDecision waiting);
  void send_delete(const Retention::Excess& excess);
  void create_answered(Pending pending, const Answer& answer, Now now);
  void delete_answered(const Pending& pending, const Answer& answer, Now now);
  void warn(const Key& key, std::string_view verb, const Answer& answer, Now now);

  ControllerContext context_;
  std::shared_ptr<DecisionQueue> waiting_;
  Retention retention_;
  std::optional<GuardedKind> guarded_;
  NamespacePauses create_pauses_;
  NamespacePauses delete_pauses_;
  std::unordered_map<CallId, Pending> in_flight_;
  std::map<Key, Timestamp> unseen_;  // created, and not in the cache yet
  WorkBudget budget_;
  DeadlineQueue<Key> gone_by_;  // records that may have been deleted, and are in the cache
  Timestamp ran_at_{};
  Timestamp warned_at_{};
  // Everything that there was to do at the last run has to wait.
  bool is_blocked_ = false;
  bool created_last_ = false;
  std::uint64_t added_before_ = 0;  // to the queue, until the last run
  std::optional<std::size_t> reported_size_;
  std::optional<bool> reported_available_;
  bool stopping_ = false;
};

std::string workload_text(const DecisionObject& decision) {
  return fmt::format("{}/{}", decision.workload_kind.view(), decision.workload.view());
}

void DecisionController::decision_object_changed(const Change<DecisionObject>& change) {
  is_blocked_ = false;
  const DecisionObject& decision = change.after != nullptr ? *change.after : *change.before;
  const Key key = key_of(decision);
  unseen_.erase(key);
  // A finalizer can delay the end of a deleted record, but ebb has nothing left to do.
  if (change.after == nullptr || decision.deleting) {
    gone_by_.erase(key);
    return retention_.remove(key);
  }
  retention_.put({.key = key,
                  .uid = std::string(decision.uid.view()),
                  .workload = workload_text(decision),
                  .created = decision.created});
}

void DecisionController::count(std::string_view result, std::size_t number) {
  if (number == 0) return;
  context_.telemetry.count(Count::kDecisionObjects, result, static_cast<std::int64_t>(number));
}

void DecisionController::run(Now now) {
  ran_at_ = now.mono;
  is_blocked_ = false;
  added_before_ = waiting_->added();
  count(kDropped, waiting_->take_dropped());
  for (const Key& key : gone_by_.take_due(now.mono)) retention_.keep(key);
  std::erase_if(unseen_, [now](const auto& each) {
    return elapsed_ns(each.second, now.mono) >= kUnseenForNs;
  });
  if (is_available() == false) {
    waiting_->clear();
    count(kUnavailable, waiting_->take_dropped());
  }
  if (budget_.begin(now)) write(now);
  if (stopping_) {
    // A successor must not wait for them.
    waiting_->clear();
    count(kDropped, waiting_->take_dropped());
  }
  report();
}

bool DecisionController::is_behind(const std::string& namespace_name) const {
  const auto first = unseen_.lower_bound({.namespace_name = namespace_name, .name = {}});
  const auto last = std::find_if(first, unseen_.end(), [&](const auto& each) {
    return each.first.namespace_name != namespace_name;
  });
  return std::distance(first, last) >= kMaxUnseen;
}

std::optional<Retention::Excess> DecisionController::next_excess(Now now) {
  if (stopping_) return std::nullopt;
  return retention_.next(is_available() == true, [&](const std::string& tenant) {
    budget_.spend(1);
    return !delete_pauses_.paused(tenant, now);
  });
}

// Creates and deletes alternate: a tenant with endless decisions must not keep old records.
void DecisionController::write(Now now) {
  const auto may_create = [&](const std::string& tenant) {
    return !create_pauses_.paused(tenant, now) && !is_behind(tenant);
  };
  while (has_room() && !budget_.spent()) {
    std::optional<Retention::Excess> excess;
    if (created_last_) excess = next_excess(now);
    std::optional<WaitingDecision> record;
    if (!excess && is_available() == true) record = waiting_->next(may_create);
    if (!excess && !record) excess = next_excess(now);
    created_last_ = record.has_value();
    is_blocked_ = !record && !excess;
    if (is_blocked_) return;
    if (record) {
      send_create(std::move(*record));
    } else {
      send_delete(*excess);
    }
  }
}

void DecisionController::report() {
  reported_size_ = retention_.size();
  reported_available_ = is_available();
  context_.telemetry.set(Gauge::kDecisionObjects, {}, static_cast<double>(*reported_size_));
  context_.telemetry.set(Gauge::kDecisionObjectsAvailable, {},
                         reported_available_.value_or(false) ? 1 : 0);
}

Timestamp DecisionController::wake_at() const {
  if (has_news()) return kRightAway;
  Timestamp wake = gone_by_.next();
  const bool has_work = !waiting_->empty() || (!stopping_ && retention_.any());
  if (!has_work || !has_room()) return wake;
  const bool is_new = waiting_->added() != added_before_;
  if (!is_blocked_ || is_new) return sooner(wake, budget_.when(kRightAway));
  wake = sooner(wake, create_pauses_.next_end(ran_at_));
  wake = sooner(wake, delete_pauses_.next_end(ran_at_));
  if (!unseen_.empty()) wake = sooner(wake, later_by(ran_at_, kUnseenForNs));
  return wake;
}

void DecisionController::send_create(WaitingDecision waiting) {
  const Decision& decision = waiting.decision;
  const Key key{.namespace_name = decision.namespace_name, .name = decision_name(decision)};
  model::ApiRequest request = model::create_request(
      model::collection_path(decision_kind(), key.namespace_name), decision_object(decision));
  budget_.spend(3 * units_to_parse(request.body.size()));
  const CallId id = context_.sink.send(Call::Kind::kPatientWrite, std::move(request));
  in_flight_.emplace(id, Pending{.key = key, .creates = std::move(waiting)});
}

void DecisionController::send_delete(const Retention::Excess& excess) {
  budget_.spend(kUnitsPerDelete);
  const CallId id = context_.sink.send(
      Call::Kind::kPatientWrite,
      model::delete_request(model::object_path(decision_kind(), excess.key), {.uid = excess.uid}));
  in_flight_.emplace(id, Pending{.key = excess.key, .limit = excess.limit});
}

// A stopping process leaves the deletes to its successor.
bool DecisionController::still_wants(CallId id) {
  const auto found = in_flight_.find(id);
  return found == in_flight_.end() || found->second.creates.has_value() || !stopping_;
}

void DecisionController::answered(CallId id, const Answer& answer, Now now) {
  auto node = in_flight_.extract(id);
  if (node.empty()) return;
  is_blocked_ = false;
  Pending& pending = node.mapped();
  if (pending.creates) return create_answered(std::move(pending), answer, now);
  delete_answered(pending, answer, now);
}

void DecisionController::create_answered(Pending pending, const Answer& answer, Now now) {
  const std::string& namespace_name = pending.key.namespace_name;
  const bool answered = answer.outcome == Answer::Outcome::kAnswered;
  const bool is_denied = is_admission_denial(answer);
  // An earlier attempt was carried out.
  const bool exists = answered && answer.response.code == 409 && !is_denied;
  if (answer.succeeded() || exists) {
    create_pauses_.succeeded(namespace_name);
    // The watch may be faster than the answer.
    if (!exists && !retention_.contains(pending.key)) unseen_.emplace(pending.key, now.mono);
    return count(kWritten);
  }
  create_pauses_.failed(namespace_name, now);
  const bool is_final = answered && answer.response.code >= 400 && answer.response.code < 500 &&
                        answer.response.code != 429;
  WaitingDecision& waiting = *pending.creates;
  // A call that was not sent costs no attempt.
  const bool was_sent = answer.outcome != Answer::Outcome::kNotSent;
  if (is_final || is_denied || (was_sent && ++waiting.tries >= kMaxTries)) {
    warn(pending.key, "write", answer, now);
    return count(is_final || is_denied ? kRefused : kFailed);
  }
  waiting_->put_back(std::move(waiting));
}

void DecisionController::delete_answered(const Pending& pending, const Answer& answer, Now now) {
  const std::string& namespace_name = pending.key.namespace_name;
  // Also if it was gone, or replaced by another one: the watch tells.
  const bool is_gone = answer.outcome == Answer::Outcome::kAnswered &&
                       (answer.response.code == 404 || answer.response.code == 409) &&
                       !is_admission_denial(answer);
  if (answer.succeeded() || is_gone) {
    delete_pauses_.succeeded(namespace_name);
    if (answer.succeeded()) context_.telemetry.count(Count::kDecisionObjectsDeleted, pending.limit);
    gone_by_.set(pending.key, later_by(now.mono, kGoneWithinNs));
    return;
  }
  delete_pauses_.failed(namespace_name, now);
  if (answer.outcome == Answer::Outcome::kNotSent) return retention_.keep(pending.key);
  // It may be gone all the same. Until then it does not count: no other record goes in its place.
  gone_by_.set(pending.key, later_by(now.mono, kGoneWithinNs));
  if (answer.outcome == Answer::Outcome::kAnswered) warn(pending.key, "delete", answer, now);
}

void DecisionController::warn(const Key& key, std::string_view verb, const Answer& answer,
                              Now now) {
  const bool is_first =
      warned_at_.is_zero() || elapsed_ns(warned_at_, now.mono) >= kBetweenWarningsNs;
  const int verbosity = is_first ? 0 : 2;
  if (is_first) warned_at_ = now.mono;
  if (!is_first && !context_.telemetry.logs(verbosity)) return;
  const std::string error = error_text(answer);
  context_.telemetry.log(
      Severity::kWarning, verbosity,
      fmt::format("cannot {} DownscaleDecision {}/{}: {}", verb, key.namespace_name, key.name,
                  error),
      {{"downscaleDecision", ObjectName{key.namespace_name, key.name}}, {"err", error}});
}

}  // namespace

std::unique_ptr<Controller> make_decision_controller(const ControllerContext& context,
                                                     std::shared_ptr<DecisionQueue> decisions,
                                                     DecisionLimits limits,
                                                     std::optional<GuardedKind> guarded) {
  return std::make_unique<DecisionController>(context, std::move(decisions), limits, guarded);
}

}  // namespace ebb::control
