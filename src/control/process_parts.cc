#include "control/process_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace ebb::control {
namespace {

constexpr Nanoseconds kGetDeadlineNs = 30 * kNanosecondsPerSecond;
constexpr Nanoseconds kListDeadlineNs = 60 * kNanosecondsPerSecond;
constexpr Nanoseconds kEventDeadlineNs = 30 * kNanosecondsPerSecond;
// What is not sent by then, after the process was asked to stop, is not sent any more.
constexpr Nanoseconds kFinishWithinNs = 10 * kNanosecondsPerSecond;
// From when nothing else is left to do: events go behind everything else.
constexpr Nanoseconds kTellWithinNs = 2 * kNanosecondsPerSecond;
constexpr Nanoseconds kReleaseWithinNs = 5 * kNanosecondsPerSecond;

// "/api/v1/namespaces/shop/pods" rather than "/api/v1/namespaces/shop/pods/web": names and what
// they are names of alternate.
bool names_a_collection(std::string_view path) {
  const auto slashes = std::count(path.begin(), path.end(), '/');
  return path.starts_with("/apis/") ? slashes % 2 == 0 : slashes % 2 == 1;
}

Nanoseconds deadline_ns(Call::Kind kind, const model::ApiRequest& request) {
  if (is_write(kind)) return kWriteDeadlineNs;
  if (kind == Call::Kind::kEvent) return kEventDeadlineNs;
  return names_a_collection(request.path) ? kListDeadlineNs : kGetDeadlineNs;
}

bool is_due(Timestamp wake_at, Timestamp mono) { return !wake_at.is_zero() && wake_at <= mono; }

}  // namespace

Process::Parts::Parts(ProcessSettings given, Telemetry& told, const ControllerFactory& factory)
    : settings(std::move(given)),
      telemetry(told),
      dispatcher_(
          {.qps = settings.qps, .burst = settings.burst, .most_in_flight = settings.most_in_flight},
          told),
      recorder_(settings.seed + 1, told) {
  if (settings.lease) elector_.emplace(*settings.lease, settings.seed, told);
  controllers_ = factory({.store = store,
                          .port = *this,
                          .telemetry = telemetry,
                          .gates = settings.gates,
                          .pickers = settings.pickers,
                          .seed = settings.seed,
                          .protobuf = settings.protobuf});
  for (const auto& controller : controllers_) store.listen(*controller);
}

CallId Process::Parts::send(Call::Kind kind, model::ApiRequest request) {
  EBB_CHECK(running_.has_value());  // controllers act when they are run or answered
  const Nanoseconds deadline = deadline_ns(kind, request);
  return queue({.who = Owner::Who::kController, .index = *running_},
               {.kind = kind, .request = std::move(request), .deadline_ns = deadline});
}

picker::CallId Process::Parts::ask(picker::Call call) {
  EBB_CHECK(running_.has_value());
  call.id = next_question_++;
  askers_.emplace(call.id, *running_);
  questions.push_back(std::move(call));
  return questions.back().id;
}

void Process::Parts::withdraw(picker::CallId id) {
  if (askers_.erase(id) == 0) return;
  const auto unread =
      std::erase_if(questions, [id](const picker::Call& call) { return call.id == id; });
  if (unread == 0) withdrawn.push_back(id);
}

void Process::Parts::note(Note note, Now now) { recorder_.note(std::move(note), now); }

CallId Process::Parts::queue(Owner owner, Call call) {
  call.id = next_id_++;
  const CallId id = call.id;
  owners_.emplace(id, owner);
  dispatcher_.add(std::move(call), now_);
  return id;
}

void Process::Parts::begin(Now now) {
  if (phase != Phase::kNew) return;
  phase = Phase::kElecting;
  if (elector_) {
    telemetry.log(
        Severity::kInfo, 0,
        fmt::format("waits for lease {}/{}", settings.lease->name_space, settings.lease->name),
        {{"lease", ObjectName{settings.lease->name_space, settings.lease->name}},
         {"identity", settings.lease->identity}});
  }
  step(now);
}

void Process::Parts::answered(CallId id, const Answer& answer, Now now) {
  if (phase == Phase::kDone) return;
  now_ = now;
  if (const auto heard = dispatcher_.answered(id, answer, now)) route(id, *heard);
  step(now);
}

void Process::Parts::received(CallId id, std::string_view bytes, Now now) {
  if (phase == Phase::kDone) return;
  now_ = now;
  const auto owner = owners_.find(id);
  if (owner != owners_.end() && owner->second.who == Owner::Who::kReflector) {
    following_[owner->second.index].reflector.received(bytes, now);
  }
  step(now);
}

void Process::Parts::picker_replied(picker::CallId id, const picker::Reply& reply, Now now) {
  if (phase == Phase::kDone) return;
  now_ = now;
  const auto asker = askers_.find(id);
  if (asker != askers_.end()) {
    running_ = asker->second;
    askers_.erase(asker);
    controllers_[*running_]->picker_replied(id, reply, now);
    running_.reset();
  }
  step(now);
}

void Process::Parts::route(CallId id, const Answer& answer) {
  const auto found = owners_.find(id);
  if (found == owners_.end()) return;
  const Owner owner = found->second;
  owners_.erase(found);
  switch (owner.who) {
    case Owner::Who::kElector:
      return elector_->answered(answer, now_);
    case Owner::Who::kReflector:
      following_[owner.index].under_way.reset();
      return following_[owner.index].reflector.answered(answer, now_);
    case Owner::Who::kController:
      running_ = owner.index;
      controllers_[owner.index]->answered(id, answer, now_);
      running_.reset();
      return;
    case Owner::Who::kRecorder:
      return recorder_.answered(owner.ticket, answer, now_);
  }
}

void Process::Parts::step(Now now) {
  now_ = now;
  if (phase == Phase::kNew || phase == Phase::kDone) return;
  // Bounded, because who hears that something was not sent might want to send it again.
  constexpr int kMostRounds = 8;
  for (int round = 0; round < kMostRounds; ++round) {
    if (elector_ && elector_->lost(now.mono)) return lose();
    if (phase == Phase::kWorking && storage_went_back()) {
      went_back = true;
      telemetry.log(Severity::kError, 0,
                    "the API server's storage went back to an older state; what is known is of no "
                    "use any more, so this process ends");
      begin_finishing();
    }
    elect();
    if (phase == Phase::kElecting && leads(now.mono)) begin_working();
    if (phase == Phase::kWorking) follow();
    run_controllers();
    tell();
    if (!dispatch()) break;
  }
  if (phase == Phase::kFinishing) finish();
  if (phase == Phase::kReleasing) release();
  store.tidy();
}

bool Process::Parts::leads(Timestamp mono) const {
  if (elector_) return elector_->leads(mono);
  return phase != Phase::kNew && phase != Phase::kDone;
}

void Process::Parts::elect() {
  if (!elector_) return;
  if (auto request = elector_->take_wanted(now_)) {
    queue({.who = Owner::Who::kElector}, {.kind = Call::Kind::kLease,
                                          .request = std::move(*request),
                                          .deadline_ns = elector_->call_deadline_ns()});
  }
}

void Process::Parts::begin_working() {
  phase = Phase::kWorking;
  // Pods and ReplicaSets matter to both controllers.
  std::vector<Resource> resources = {Resource::kPods, Resource::kReplicaSets};
  if (settings.deployments) resources.push_back(Resource::kDeployments);
  const bool asks = settings.replica_sets && settings.gates.on(model::Gate::kDownscalePodPicker);
  const bool ranks = settings.gates.on(model::Gate::kPodCostRanking);
  const bool writes_ranks = ranks && settings.ranker;
  const bool reads_ranks = ranks && settings.replica_sets;
  if (asks || reads_ranks || writes_ranks) resources.push_back(Resource::kPolicies);
  // Where pods are, for pickers and strategies.
  if (asks || writes_ranks) resources.push_back(Resource::kNodes);
  if (reads_ranks || writes_ranks) resources.push_back(Resource::kGroupCosts);
  for (const Resource resource : resources) {
    const std::uint64_t seed = settings.seed + 2 + following_.size();
    const bool in_protobuf = resource == Resource::kPods || resource == Resource::kNodes;
    const bool optional = resource == Resource::kPolicies || resource == Resource::kNodes ||
                          resource == Resource::kGroupCosts;
    following_.push_back({.reflector = Reflector({.resource = resource,
                                                  .protobuf = settings.protobuf && in_protobuf,
                                                  .seed = seed,
                                                  .optional = optional},
                                                 store, telemetry),
                          .under_way = std::nullopt});
  }
}

void Process::Parts::follow() {
  for (std::size_t index = 0; index < following_.size(); ++index) {
    auto& [reflector, under_way] = following_[index];
    if (under_way && reflector.wants_cancel()) {
      if (dispatcher_.forget(*under_way)) cancelled.push_back(*under_way);
      owners_.erase(*under_way);
      under_way.reset();
      reflector.cancelled(now_);
    }
    if (under_way) continue;
    if (auto wanted = reflector.take_wanted(now_)) {
      under_way = queue({.who = Owner::Who::kReflector, .index = index},
                        {.kind = wanted->kind,
                         .request = std::move(wanted->request),
                         .deadline_ns = wanted->deadline_ns});
    }
  }
  look_whether_synced();
}

void Process::Parts::look_whether_synced() {
  if (synced || !std::all_of(following_.begin(), following_.end(),
                             [](const Following& each) { return each.reflector.synced(); })) {
    return;
  }
  synced = true;
  telemetry.log(Severity::kInfo, 0, fmt::format("has seen everything: {} pods", store.pods()),
                {{"pods", store.pods()}});
}

void Process::Parts::run_controllers() {
  if (!synced || store.mixed()) return;
  if (phase != Phase::kWorking && phase != Phase::kFinishing) return;
  for (std::size_t index = 0; index < controllers_.size(); ++index) {
    if (!is_due(controllers_[index]->wake_at(), now_.mono)) continue;
    running_ = index;
    controllers_[index]->run(now_);
    running_.reset();
  }
}

void Process::Parts::tell() {
  if (phase != Phase::kWorking && phase != Phase::kFinishing) return;
  while (auto wanted = recorder_.take_wanted(now_)) {
    queue({.who = Owner::Who::kRecorder, .ticket = wanted->ticket},
          {.kind = Call::Kind::kEvent,
           .request = std::move(wanted->request),
           .deadline_ns = kEventDeadlineNs});
  }
}

bool Process::Parts::dispatch() {
  const auto still_wanted = [this](CallId id) {
    const auto owner = owners_.find(id);
    return owner == owners_.end() || owner->second.who != Owner::Who::kController ||
           controllers_[owner->second.index]->still_wants(id);
  };
  for (Call& call : dispatcher_.take(now_, leads(now_.mono), still_wanted)) {
    outbox.push_back(std::move(call));
  }
  const auto refused = dispatcher_.take_refused();
  for (const auto& [id, answer] : refused) route(id, answer);
  return !refused.empty();
}

void Process::Parts::cancel_following() {
  for (auto& [reflector, under_way] : following_) {
    if (!under_way) continue;
    const bool sent = dispatcher_.forget(*under_way);
    const bool unread =
        std::erase_if(outbox, [id = *under_way](const Call& call) { return call.id == id; }) > 0;
    if (sent && !unread) cancelled.push_back(*under_way);
    owners_.erase(*under_way);
    under_way.reset();
  }
}

void Process::Parts::lose() {
  lost = true;
  telemetry.count(Count::kLeaseLost);
  telemetry.set(Gauge::kLeaderStatus, settings.lease->name, 0);
  telemetry.log(Severity::kError, 0,
                fmt::format("lost lease {}/{}: {}", settings.lease->name_space,
                            settings.lease->name, elector_->why_lost()),
                {{"lease", ObjectName{settings.lease->name_space, settings.lease->name}},
                 {"identity", settings.lease->identity},
                 {"err", elector_->why_lost()}});
  cancel_following();
  recorder_.give_up("the lease was lost");
  dispatcher_.close();
  dispatch();  // what waited hears that it was not sent
  outbox.clear();
  phase = Phase::kDone;
}

void Process::Parts::stop(Now now) {
  now_ = now;
  if (phase == Phase::kNew) phase = Phase::kDone;
  if (phase != Phase::kElecting && phase != Phase::kWorking) return;
  telemetry.log(Severity::kInfo, 0, "stops");
  begin_finishing();
  step(now);
}

bool Process::Parts::storage_went_back() const {
  return std::any_of(following_.begin(), following_.end(),
                     [this](const auto& one) { return one.reflector.went_back(now_); });
}

void Process::Parts::begin_finishing() {
  stop_at_ = now_.mono;
  phase = Phase::kFinishing;
  cancel_following();
  for (std::size_t index = 0; index < controllers_.size(); ++index) {
    running_ = index;
    controllers_[index]->stop();
    running_.reset();
  }
  recorder_.stop();
}

bool Process::Parts::controllers_are_idle() const {
  return std::all_of(controllers_.begin(), controllers_.end(),
                     [](const auto& controller) { return controller->idle(); });
}

void Process::Parts::finish() {
  const bool late = now_.mono >= later_by(stop_at_, kFinishWithinNs);
  if (late) {
    dispatcher_.close_to_all_but_events();
    dispatch();
    tell();  // of what ended just now
    dispatch();
  }
  if (!late && !controllers_are_idle()) return;
  if (tell_until_.is_zero()) tell_until_ = later_by(now_.mono, kTellWithinNs);
  if (!recorder_.idle() && now_.mono < tell_until_) return;
  // What may still be carried out must not meet a successor.
  if (now_.mono < dispatcher_.settled_at()) return;
  recorder_.give_up("the process had to stop first");
  dispatcher_.close();
  dispatch();
  phase = Phase::kReleasing;
  release_at_ = now_.mono;
  if (elector_) elector_->release();
}

void Process::Parts::release() {
  if (elector_ && now_.mono < later_by(release_at_, kReleaseWithinNs)) {
    elect();
    dispatch();
    if (!elector_->released()) return;
  }
  phase = Phase::kDone;
}

Timestamp Process::Parts::wake_at() const {
  if (phase == Phase::kNew || phase == Phase::kDone) return {};
  Timestamp wake = dispatcher_.wake_at();
  if (elector_) wake = sooner(wake, elector_->wake_at());
  if (phase == Phase::kReleasing) return sooner(wake, later_by(release_at_, kReleaseWithinNs));
  if (phase == Phase::kElecting) return wake;
  wake = sooner(wake, recorder_.wake_at());
  if (phase == Phase::kWorking) {
    for (const Following& each : following_) {
      if (!each.under_way) wake = sooner(wake, each.reflector.wake_at());
    }
  } else {
    const Timestamp settled = dispatcher_.settled_at();
    for (const Timestamp moment : {settled, tell_until_, later_by(stop_at_, kFinishWithinNs)}) {
      if (moment > now_.mono) wake = sooner(wake, moment);
    }
  }
  if (!synced || store.mixed()) return wake;
  for (const auto& controller : controllers_) {
    const Timestamp due = controller->wake_at();
    // Who has been run and stops has nothing more to do at once, whatever it would like.
    if (phase == Phase::kFinishing && due <= now_.mono) continue;
    wake = sooner(wake, due);
  }
  return wake;
}

}  // namespace ebb::control
