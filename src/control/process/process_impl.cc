#include "control/process/process_impl.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace ebb::control {
namespace {

constexpr Nanoseconds kGetDeadlineNs = 30 * kNanosecondsPerSecond;
constexpr Nanoseconds kListDeadlineNs = 60 * kNanosecondsPerSecond;
constexpr Nanoseconds kEventDeadlineNs = 30 * kNanosecondsPerSecond;
// Time after stop() within which queued calls are still sent.
constexpr Nanoseconds kFinishWithinNs = 10 * kNanosecondsPerSecond;
// Time for the remaining events once nothing else is left to do: events have the lowest priority.
constexpr Nanoseconds kFlushWithinNs = 2 * kNanosecondsPerSecond;
constexpr Nanoseconds kReleaseWithinNs = 5 * kNanosecondsPerSecond;

// True for "/api/v1/namespaces/shop/pods", false for "/api/v1/namespaces/shop/pods/web": resources
// and names alternate.
bool names_a_collection(std::string_view path) {
  const auto slashes = std::count(path.begin(), path.end(), '/');
  return path.starts_with("/apis/") ? slashes % 2 == 0 : slashes % 2 == 1;
}

Nanoseconds deadline_ns(Call::Kind kind, const model::ApiRequest& request) {
  if (is_write(kind)) return kWriteDeadlineNs;
  if (kind == Call::Kind::kEvent) return kEventDeadlineNs;
  return names_a_collection(request.path) ? kListDeadlineNs : kGetDeadlineNs;
}

// Makes the API server give up when ebb does. Otherwise a request that is held by a webhook or
// waits for storage could be carried out up to a minute later, when ebb considers its outcome
// settled and another process may lead.
void limit_on_server(Call& call) {
  const bool whole_seconds = call.deadline_ns % kNanosecondsPerSecond == 0;
  call.request.query += fmt::format("{}timeout={}{}", call.request.query.empty() ? "" : "&",
                                    call.deadline_ns / (whole_seconds ? kSecond : kMillisecond),
                                    whole_seconds ? "s" : "ms");
}

bool changes_something(const Call& call) {
  return is_write(call.kind) ||
         (call.kind == Call::Kind::kLease && call.request.method != model::Method::kGet);
}

bool is_due(Timestamp wake_at, Timestamp mono) { return !wake_at.is_zero() && wake_at <= mono; }

}  // namespace

Process::Impl::Impl(ProcessSettings given, Telemetry& given_telemetry,
                    const ControllerFactory& factory)
    : settings(std::move(given)),
      telemetry(given_telemetry),
      store({.owners_by_full_reference = settings.safeguards.owners_by_full_reference}),
      dispatcher_(
          {.qps = settings.qps, .burst = settings.burst, .max_in_flight = settings.max_in_flight},
          given_telemetry),
      recorder_(settings.seed + 1, given_telemetry) {
  if (settings.lease) elector_.emplace(*settings.lease, settings.seed, given_telemetry);
  model::ObjectName canary;
  if (settings.sole_controller && (settings.replica_sets || settings.deployments)) {
    guards_.emplace(settings, store, given_telemetry);
    store.listen(*guards_);
    canary = {.namespace_name = settings.sole_controller->namespace_name,
              .name = settings.sole_controller->canary_name};
  }
  controllers_ = factory({.store = store,
                          .sink = *this,
                          .telemetry = telemetry,
                          .gates = settings.gates,
                          .pickers = settings.pickers,
                          .seed = settings.seed,
                          .protobuf = settings.protobuf,
                          .canary = std::move(canary)});
  suspended_.resize(controllers_.size(), guards_.has_value());
  for (const auto& controller : controllers_) store.listen(*controller);
}

CallId Process::Impl::send(Call::Kind kind, model::ApiRequest request) {
  const Nanoseconds deadline = deadline_ns(kind, request);
  return send_within(deadline, kind, std::move(request));
}

CallId Process::Impl::send_within(Nanoseconds deadline_ns, Call::Kind kind,
                                  model::ApiRequest request) {
  EBB_CHECK(running_.has_value());  // controllers act only while they are run or answered
  return queue({.who = Owner::Who::kController, .index = *running_},
               {.kind = kind, .request = std::move(request), .deadline_ns = deadline_ns});
}

picker::CallId Process::Impl::ask(picker::Call call) {
  EBB_CHECK(running_.has_value());
  call.id = next_picker_request_++;
  picker_request_owners_.emplace(call.id, *running_);
  picker_requests.push_back(std::move(call));
  return picker_requests.back().id;
}

void Process::Impl::withdraw(picker::CallId id) {
  if (picker_request_owners_.erase(id) == 0) return;
  const auto unread =
      std::erase_if(picker_requests, [id](const picker::Call& call) { return call.id == id; });
  if (unread == 0) withdrawn.push_back(id);
}

void Process::Impl::record_event(Event event, Now now) {
  recorder_.record_event(std::move(event), now);
}

CallId Process::Impl::queue(Owner owner, Call call) {
  call.id = next_id_++;
  const CallId id = call.id;
  owners_.emplace(id, owner);
  if (changes_something(call) && settings.safeguards.limits_writes_on_server) limit_on_server(call);
  dispatcher_.add(std::move(call), now_);
  return id;
}

void Process::Impl::begin(Now now) {
  if (phase != Phase::kNew) return;
  phase = Phase::kElecting;
  if (elector_) {
    telemetry.log(Severity::kInfo, 0,
                  fmt::format("waiting for lease {}/{}", settings.lease->namespace_name,
                              settings.lease->name),
                  {{"lease", ObjectName{settings.lease->namespace_name, settings.lease->name}},
                   {"identity", settings.lease->identity}});
  } else if (settings.start_wait_ns > 0 && settings.safeguards.awaits_predecessor) {
    work_at_ = later_by(now.mono, settings.start_wait_ns);
    telemetry.log(
        Severity::kInfo, 0,
        fmt::format("waiting {} s, because requests of a previous process may still be in "
                    "flight and there is no lease",
                    settings.start_wait_ns / kNanosecondsPerSecond));
  }
  step(now);
}

void Process::Impl::answered(CallId id, const Answer& answer, Now now) {
  if (phase == Phase::kDone) return;
  now_ = now;
  if (const auto passed = dispatcher_.answered(id, answer, now)) route(id, *passed);
  step(now);
}

void Process::Impl::received(CallId id, std::string_view bytes, Now now) {
  if (phase == Phase::kDone) return;
  now_ = now;
  const auto owner = owners_.find(id);
  if (owner != owners_.end() && owner->second.who == Owner::Who::kReflector) {
    reflectors_[owner->second.index].reflector.received(bytes, now);
  }
  step(now);
}

void Process::Impl::picker_replied(picker::CallId id, const picker::Reply& reply, Now now) {
  if (phase == Phase::kDone) return;
  now_ = now;
  const auto picker_client = picker_request_owners_.find(id);
  if (picker_client != picker_request_owners_.end()) {
    running_ = picker_client->second;
    picker_request_owners_.erase(picker_client);
    controllers_[*running_]->picker_replied(id, reply, now);
    running_.reset();
  }
  step(now);
}

void Process::Impl::route(CallId id, const Answer& answer) {
  const auto found = owners_.find(id);
  if (found == owners_.end()) return;
  const Owner owner = found->second;
  owners_.erase(found);
  switch (owner.who) {
    case Owner::Who::kElector:
      return elector_->answered(answer, now_);
    case Owner::Who::kGuard:
      return guards_->answered(owner.ticket, answer, now_);
    case Owner::Who::kReflector:
      reflectors_[owner.index].in_flight.reset();
      return reflectors_[owner.index].reflector.answered(answer, now_);
    case Owner::Who::kController:
      running_ = owner.index;
      controllers_[owner.index]->answered(id, answer, now_);
      running_.reset();
      return;
    case Owner::Who::kRecorder:
      return recorder_.answered(owner.ticket, answer, now_);
  }
}

void Process::Impl::step(Now now) {
  now_ = now;
  if (phase == Phase::kNew || phase == Phase::kDone) return;
  // Bounded, because a sender may react to kNotSent with another call.
  constexpr int kMaxRounds = 8;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (elector_ && elector_->lost(now.mono)) return lose();
    if (phase == Phase::kWorking && storage_went_back()) {
      went_back = true;
      telemetry.log(Severity::kError, 0,
                    "the API server's storage went back to an older state, so the caches are "
                    "invalid; shutting down");
      begin_finishing();
    }
    elect();
    if (phase == Phase::kElecting && leads(now.mono) && work_at_ <= now.mono) begin_working();
    if (phase == Phase::kWorking) follow();
    guard();
    run_controllers();
    flush_events();
    if (!dispatch()) break;
  }
  if (phase == Phase::kFinishing) finish();
  if (phase == Phase::kReleasing) release();
  store.tidy();
}

bool Process::Impl::leads(Timestamp mono) const {
  if (elector_) return elector_->leads(mono);
  return phase != Phase::kNew && phase != Phase::kDone;
}

void Process::Impl::elect() {
  if (!elector_) return;
  if (auto request = elector_->take_wanted(now_)) {
    queue({.who = Owner::Who::kElector}, {.kind = Call::Kind::kLease,
                                          .request = std::move(*request),
                                          .deadline_ns = elector_->call_deadline_ns()});
  }
}

void Process::Impl::begin_working() {
  phase = Phase::kWorking;
  // Both controllers need pods and ReplicaSets.
  std::vector<Resource> resources = {Resource::kPods, Resource::kReplicaSets};
  if (settings.deployments) resources.push_back(Resource::kDeployments);
  const bool decides = settings.replica_sets || settings.shadow || settings.webhook;
  const bool asks = decides && settings.gates.on(model::Gate::kDownscalePodPicker);
  const bool ranks = settings.gates.on(model::Gate::kPodCostRanking);
  const bool writes_ranks = ranks && settings.ranker;
  const bool reads_ranks = ranks && decides;
  if (asks || reads_ranks || writes_ranks || settings.webhook) {
    resources.push_back(Resource::kPolicies);
  }
  // Pickers and strategies need to know where pods run. Policies in shadow mode are ranked without
  // a ranker.
  if (asks || reads_ranks || writes_ranks) resources.push_back(Resource::kNodes);
  if (reads_ranks || writes_ranks) resources.push_back(Resource::kGroupCosts);
  if (decides && settings.decision_objects) {
    resources.push_back(Resource::kDecisions);
  }
  for (const Resource resource : resources) {
    const std::uint64_t seed = settings.seed + 2 + reflectors_.size();
    const bool in_protobuf = resource == Resource::kPods || resource == Resource::kNodes;
    const bool optional = resource == Resource::kPolicies || resource == Resource::kNodes ||
                          resource == Resource::kGroupCosts || resource == Resource::kDecisions;
    reflectors_.push_back({.reflector = Reflector({.resource = resource,
                                                   .protobuf = settings.protobuf && in_protobuf,
                                                   .seed = seed,
                                                   .optional = optional},
                                                  store, telemetry),
                           .in_flight = std::nullopt,
                           .awaited = resource != Resource::kDecisions});
  }
}

void Process::Impl::follow() {
  for (std::size_t index = 0; index < reflectors_.size(); ++index) {
    Reflector& reflector = reflectors_[index].reflector;
    std::optional<CallId>& in_flight = reflectors_[index].in_flight;
    reflector.wake(now_);
    if (in_flight && reflector.wants_cancel()) {
      if (dispatcher_.forget(*in_flight)) cancelled.push_back(*in_flight);
      owners_.erase(*in_flight);
      in_flight.reset();
      reflector.cancelled(now_);
    }
    if (in_flight) continue;
    if (auto wanted = reflector.take_wanted(now_)) {
      in_flight = queue({.who = Owner::Who::kReflector, .index = index},
                        {.kind = wanted->kind,
                         .request = std::move(wanted->request),
                         .deadline_ns = wanted->deadline_ns});
    }
  }
  check_synced();
}

void Process::Impl::check_synced() {
  if (synced ||
      !std::all_of(reflectors_.begin(), reflectors_.end(), [](const FollowedResource& each) {
        return !each.awaited || each.reflector.synced();
      })) {
    return;
  }
  synced = true;
  if (guards_) guards_->begin_watching_others();
  telemetry.log(Severity::kInfo, 0, fmt::format("caches synced: {} pods", store.pods()),
                {{"pods", store.pods()}});
}

bool Process::Impl::may_run(std::size_t controller) const {
  return synced && (!store.mixed() || controllers_[controller]->runs_while_mixed()) &&
         may_write(controller);
}

void Process::Impl::run_controllers() {
  if (phase != Phase::kWorking && phase != Phase::kFinishing) return;
  for (std::size_t index = 0; index < controllers_.size(); ++index) {
    if (!may_run(index) || !is_due(controllers_[index]->wake_at(), now_.mono)) continue;
    suspended_[index] = false;
    running_ = index;
    controllers_[index]->run(now_);
    running_.reset();
  }
}

void Process::Impl::flush_events() {
  if (phase != Phase::kWorking && phase != Phase::kFinishing) return;
  while (auto wanted = recorder_.take_wanted(now_)) {
    queue({.who = Owner::Who::kRecorder, .ticket = wanted->ticket},
          {.kind = Call::Kind::kEvent,
           .request = std::move(wanted->request),
           .deadline_ns = kEventDeadlineNs});
  }
}

bool Process::Impl::dispatch() {
  withhold_writes();
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

void Process::Impl::cancel_following() {
  for (FollowedResource& each : reflectors_) {
    std::optional<CallId>& in_flight = each.in_flight;
    if (!in_flight) continue;
    const bool sent = dispatcher_.forget(*in_flight);
    const bool unread =
        std::erase_if(outbox, [id = *in_flight](const Call& call) { return call.id == id; }) > 0;
    if (sent && !unread) cancelled.push_back(*in_flight);
    owners_.erase(*in_flight);
    in_flight.reset();
  }
}

void Process::Impl::lose() {
  lost = true;
  telemetry.count(Count::kLeaseLost);
  telemetry.set(Gauge::kLeaderStatus, settings.lease->name, 0);
  telemetry.log(Severity::kError, 0,
                fmt::format("lost lease {}/{}: {}", settings.lease->namespace_name,
                            settings.lease->name, elector_->why_lost()),
                {{"lease", ObjectName{settings.lease->namespace_name, settings.lease->name}},
                 {"identity", settings.lease->identity},
                 {"err", elector_->why_lost()}});
  cancel_following();
  recorder_.give_up("the lease was lost");
  dispatcher_.close();
  dispatch();  // waiting calls are answered kNotSent
  outbox.clear();
  phase = Phase::kDone;
}

void Process::Impl::stop(Now now) {
  now_ = now;
  if (phase == Phase::kNew) phase = Phase::kDone;
  if (phase != Phase::kElecting && phase != Phase::kWorking) return;
  telemetry.log(Severity::kInfo, 0, "shutting down");
  begin_finishing();
  step(now);
}

bool Process::Impl::storage_went_back() const {
  return std::any_of(reflectors_.begin(), reflectors_.end(),
                     [this](const auto& one) { return one.reflector.went_back(now_); });
}

void Process::Impl::begin_finishing() {
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

bool Process::Impl::controllers_are_idle() const {
  return std::all_of(controllers_.begin(), controllers_.end(),
                     [](const auto& controller) { return controller->idle(); });
}

void Process::Impl::finish() {
  const bool late = now_.mono >= later_by(stop_at_, kFinishWithinNs);
  if (late) {
    dispatcher_.close_to_all_but_events();
    dispatch();
    flush_events();  // of the syncs that have just ended
    dispatch();
  }
  if (!late && !controllers_are_idle()) return;
  if (flush_until_.is_zero()) flush_until_ = later_by(now_.mono, kFlushWithinNs);
  if (!recorder_.idle() && now_.mono < flush_until_) return;
  // Writes that may still be carried out must not overlap with a successor.
  if (now_.mono < dispatcher_.settled_at()) return;
  recorder_.give_up("the process shut down first");
  dispatcher_.close();
  dispatch();
  phase = Phase::kReleasing;
  release_at_ = now_.mono;
  if (guards_) guards_->stop();
}

// The canary goes first: it may be written only while the lease is held.
void Process::Impl::release() {
  if (now_.mono < later_by(release_at_, kReleaseWithinNs)) {
    guard();
    if (elector_ && (!guards_ || guards_->stopped())) {
      elector_->release();
      elect();
    }
    dispatch();
    if (guards_ && !guards_->stopped()) return;
    if (elector_ && !elector_->released()) return;
  }
  phase = Phase::kDone;
}

Timestamp Process::Impl::wake_at() const {
  if (phase == Phase::kNew || phase == Phase::kDone) return {};
  Timestamp wake = dispatcher_.wake_at();
  if (elector_) wake = sooner(wake, elector_->wake_at());
  if (guards_) wake = sooner(wake, guards_->wake_at(now_.mono));
  if (phase == Phase::kReleasing) return sooner(wake, later_by(release_at_, kReleaseWithinNs));
  if (phase == Phase::kElecting) return sooner(wake, work_at_);
  wake = sooner(wake, recorder_.wake_at());
  if (phase == Phase::kWorking) {
    for (const FollowedResource& each : reflectors_) {
      wake = sooner(wake, each.reflector.wake_at());
    }
  } else {
    const Timestamp settled = dispatcher_.settled_at();
    for (const Timestamp moment : {settled, flush_until_, later_by(stop_at_, kFinishWithinNs)}) {
      if (moment > now_.mono) wake = sooner(wake, moment);
    }
  }
  for (std::size_t index = 0; index < controllers_.size(); ++index) {
    if (!may_run(index)) continue;
    const Timestamp due = controllers_[index]->wake_at();
    // A controller that ran while stopping has nothing more to do immediately, whatever it asks
    // for.
    if (phase == Phase::kFinishing && due <= now_.mono) continue;
    wake = sooner(wake, due);
  }
  return wake;
}

}  // namespace ebb::control
