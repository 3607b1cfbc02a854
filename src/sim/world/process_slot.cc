#include "sim/world/process_slot.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "sim/link/wording.h"

namespace ebb::sim {

using control::Process;

ProcessSlot::ProcessSlot(ProcessSlotContext context, std::string name, std::uint64_t seed)
    : context_(std::move(context)), name_(std::move(name)), random_(seed) {}

ProcessSlot::~ProcessSlot() {
  if (link_) link_->die();
}

Now ProcessSlot::now() const {
  const Timeline& time = context_.link.time;
  return {.wall = later_by(time.now(), wall_offset_),
          // Counts from the start of its machine.
          .mono = Timestamp::from_nanoseconds(1000 * kSecond + time.elapsed())};
}

void ProcessSlot::start() {
  EBB_CHECK(!process_);
  control::ProcessSettings settings = context_.process;
  settings.seed = random_.next();
  for (std::size_t i = 0; context_.changing_gates && i < model::kGateNames.size(); ++i) {
    settings.gates.set(static_cast<model::Gate>(i), random_.chance(0.5));
  }
  ++starts_;
  const std::string incarnation = fmt::format("{}-{}", name_, starts_);
  if (settings.lease) settings.lease->identity = incarnation;
  if (settings.sole_controller) {
    settings.sole_controller->canary_name = settings.lease ? settings.lease->name : incarnation;
    settings.sole_controller->delete_on_stop = !settings.lease;
  }
  started_ = context_.link.time.now();
  process_id_ = context_.invariants.new_process(only_watches() ? Role::kWatches
                                                : only_ranks() ? Role::kRanks
                                                               : Role::kControls);
  settings_ = settings;
  process_ = std::make_unique<Process>(std::move(settings), context_.probe);
  link_ = std::make_shared<Link>(context_.link, incarnation, random_.next(), *this,
                                 context_.invariants);
  if (streams_held_) link_->hold_streams();
  context_.link.trace.line(incarnation, "starts");
  input([this](Process& process) { process.start(now()); });
}

void ProcessSlot::crash() {
  if (!process_) return;
  context_.link.trace.line(name_, "crashes");
  retire();
}

void ProcessSlot::stop() {
  if (!process_) return;
  context_.link.trace.line(name_, "is asked to stop");
  input([this](Process& process) { process.stop(now()); });
}

// Requests that the process has sent stay in flight.
void ProcessSlot::retire() {
  link_->die();
  link_.reset();
  process_.reset();
  tags_.clear();
  picker_requests_.clear();
  context_.picker_rules.ended(process_id_);
  missed_.clear();
  paused_ = false;
  calls_until_crash_ = 0;
  alarm_ = {};
  if (on_end) on_end();
}

void ProcessSlot::pause(Nanoseconds duration) {
  if (!process_ || paused_) return;
  context_.link.trace.line(name_, fmt::format("pauses for {} s", duration / kSecond));
  paused_ = true;
  context_.picker_rules.held_up(process_id_);
  paused_until_ = later_by(context_.link.time.now(), duration);
  context_.link.time.after(duration, [this, id = process_id_] {
    if (process_ && process_id_ == id) resume();
  });
}

void ProcessSlot::resume() {
  context_.link.trace.line(name_, "continues");
  paused_ = false;
  const std::deque<Input> missed = std::exchange(missed_, {});
  const Invariants::ProcessId id = process_id_;
  // Timers may fire before or after pending input.
  const bool timers_first = random_.chance(0.5);
  if (timers_first) input([this](Process& process) { process.wake(now()); });
  for (const Input& each : missed) {
    if (!process_ || process_id_ != id) return;
    input(each);
  }
  if (process_ && process_id_ == id && !timers_first) {
    input([this](Process& process) { process.wake(now()); });
  }
}

void ProcessSlot::answered(control::CallId id, const control::Answer& answer) {
  input([this, id, answer](Process& process) {
    const auto tag = tags_.find(id);
    if (tag != tags_.end()) context_.invariants.answered(tag->second, answer);
    process.answered(id, answer, now());
  });
}

void ProcessSlot::received(control::CallId id, std::string_view bytes) {
  input([this, id, piece = std::string(bytes)](Process& process) {
    process.received(id, piece, now());
  });
}

Timestamp ProcessSlot::last_timer() const {
  Timestamp last = std::max(context_.link.time.now(), paused_until_);
  if (link_) last = std::max(last, link_->silent_until());
  // A lease may be renewed until the end of a pause, and is checked once per retry period.
  const auto& lease = context_.process.lease;
  if (lease) last = later_by(last, lease->duration_ns + 2 * lease->retry_period_ns);
  return last;
}

bool ProcessSlot::has_canary(std::string_view namespace_name, std::string_view name) const {
  const auto& options = settings_.sole_controller;
  return process_ && options && options->namespace_name == namespace_name &&
         options->canary_name == name;
}

void ProcessSlot::hold_streams(bool held) {
  streams_held_ = held;
  if (!link_) return;
  if (held) {
    link_->hold_streams();
  } else {
    link_->let_streams_go();
  }
}

void ProcessSlot::changed(const schema::Kind* kind) {
  if (link_) link_->changed(kind);
}

void ProcessSlot::input(const Input& input) {
  if (!process_) return;
  if (paused_) {
    missed_.push_back(input);
    return;
  }
  handle(input);
  carry_out();
}

void ProcessSlot::handle(const Input& input) {
  using control::Count;
  const TelemetryCounts before = context_.probe.counts();
  const bool acting_before = acts();
  input(*process_);
  const TelemetryCounts& after = context_.probe.counts();
  const bool decided = after[Count::kDecisions] != before[Count::kDecisions];
  if (decided) {
    const PickerRules::View view{process_id_, process_->store(), settings_};
    context_.picker_rules.deciding(view, now().wall);
    context_.rank_rules.deciding(view, now().wall);
  }
  context_.picker_rules.check_decisions();
  context_.rank_rules.check_decisions();
  if (settings_.sole_controller) {
    context_.evidence_rule.handled(
        {.process = process_id_,
         .store = process_->store(),
         .options = *settings_.sole_controller,
         .acting_before = acting_before,
         .acting_after = acts(),
         .decided = decided,
         .reported = after[Count::kForeignWrites] != before[Count::kForeignWrites]});
  }
  if (process_->store().mixed()) context_.picker_rules.held_up(process_id_);
}

bool ProcessSlot::acts() const {
  if (!settings_.sole_controller) return true;
  const auto statuses = process_->guard_statuses(now());
  return std::any_of(statuses.begin(), statuses.end(), [](const auto& status) {
    return status.acting && status.controller == "replicaset-controller";
  });
}

void ProcessSlot::carry_out() {
  for (const control::CallId id : process_->take_cancelled()) link_->cancel(id);
  if (!carry_out_picker_requests()) return;
  for (control::Call& call : process_->take_calls()) {
    if (crash_is_due()) return crash();
    const Invariants::Tag tag = context_.invariants.sent(process_id_, call, process_->store());
    context_.rank_rules.sent(tag, process_id_, call);
    context_.decision_rules.sent(tag, call);
    if (only_watches()) context_.shadow_rules.sent(call);
    if (const auto& options = settings_.sole_controller) {
      context_.guard_rules.sent(*options, started_, call);
      context_.invariants.informed(tag, context_.guard_rules.taken_over_not_before(*options));
    }
    if (tag != 0) tags_[call.id] = tag;
    link_->send(std::move(call), tag);
  }
  if (process_->done()) {
    context_.link.trace.line(name_, process_->lost_lease() ? "has lost its lease" : "is done");
    return retire();
  }
  if (process_->synced() && !only_ranks() && !only_watches()) {
    context_.latency_rule.check({process_id_, process_->store(), settings_});
  }
  set_alarm();
}

bool ProcessSlot::crash_is_due() {
  if (calls_until_crash_ == 0 || --calls_until_crash_ > 0) return false;
  context_.link.met.add(Fault::kCrashBetweenEffects);
  return true;
}

// Returns whether the process still exists.
bool ProcessSlot::carry_out_picker_requests() {
  for (const picker::CallId id : process_->take_withdrawn()) {
    context_.link.trace.line(name_, fmt::format("?{} is withdrawn", id));
    context_.picker_rules.withdrawn(process_id_, id);
    picker_requests_.erase(id);
  }
  for (const picker::Call& call : process_->take_picker_requests()) {
    if (crash_is_due()) {
      crash();
      return false;
    }
    ask(call);
  }
  return true;
}

void ProcessSlot::ask(const picker::Call& call) {
  // The candidates of a shadow decision may be gone, and nothing waits for the answer.
  if (call.shadow) {
    context_.invariants.check_secrets(*call.body, "the body of a picker request");
  } else {
    context_.picker_rules.asked({process_id_, process_->store(), settings_}, call);
  }
  const Pickers::Plan plan = context_.pickers.ask(call);
  context_.link.trace.line(
      name_, fmt::format("?{} to {} ({}): {}{}{}", call.id, call.settings->endpoint(),
                         call.idempotency_key, describe(call), plan.fault ? " ! " : "",
                         plan.fault ? to_string(*plan.fault) : ""));
  picker_requests_.insert(call.id);
  context_.link.time.after(plan.after, [this, process = process_id_, id = call.id, plan] {
    if (!process_ || process_id_ != process) return;
    if (plan.fault == Fault::kCrashMeanwhile) return crash();
    picker_replied(id, plan.reply);
  });
}

void ProcessSlot::picker_replied(picker::CallId id, const picker::Reply& reply) {
  input([this, id, reply](Process& process) {
    // The call may have been withdrawn, also while this event waited for the end of a pause.
    if (picker_requests_.erase(id) == 0) return;
    context_.link.trace.line(name_, fmt::format("?{} = {}", id, describe(reply)));
    context_.picker_rules.replied(process_id_, id, reply);
    process.picker_replied(id, reply, now());
  });
}

void ProcessSlot::set_alarm() {
  const Timestamp wake = process_->wake_at();
  if (wake.is_zero() || wake == alarm_) return;
  alarm_ = wake;
  const Nanoseconds delay = elapsed_ns(now().mono, wake);
  context_.link.time.after(delay, [this, id = process_id_, wake] {
    if (!process_ || process_id_ != id || alarm_ != wake) return;
    alarm_ = {};
    input([this](Process& process) { process.wake(now()); });
  });
}

}  // namespace ebb::sim
