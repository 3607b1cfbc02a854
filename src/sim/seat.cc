#include "sim/seat.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "sim/wording.h"

namespace ebb::sim {

using control::Process;

Seat::Seat(SeatSetting setting, std::string name, std::uint64_t seed)
    : setting_(std::move(setting)), name_(std::move(name)), dice_(seed) {}

Seat::~Seat() {
  if (link_) link_->die();
}

Now Seat::now() const {
  const Timeline& time = setting_.link.time;
  return {.wall = later_by(time.now(), wall_offset_),
          // From when its machine was switched on.
          .mono = Timestamp::from_nanoseconds(1000 * kSecond + time.elapsed())};
}

void Seat::start() {
  EBB_CHECK(!process_);
  control::ProcessSettings settings = setting_.process;
  settings.seed = dice_.next();
  for (std::size_t i = 0; setting_.changing_gates && i < model::kGateNames.size(); ++i) {
    settings.gates.set(static_cast<model::Gate>(i), dice_.chance(0.5));
  }
  ++starts_;
  const std::string incarnation = fmt::format("{}-{}", name_, starts_);
  if (settings.lease) settings.lease->identity = incarnation;
  process_id_ = setting_.invariants.new_process(only_ranks() ? Role::kRanks : Role::kControls);
  settings_ = settings;
  process_ = std::make_unique<Process>(std::move(settings), setting_.witness);
  link_ =
      std::make_shared<Link>(setting_.link, incarnation, dice_.next(), *this, setting_.invariants);
  if (streams_held_) link_->hold_streams();
  setting_.link.trace.line(incarnation, "starts");
  input([this](Process& process) { process.start(now()); });
}

void Seat::crash() {
  if (!process_) return;
  setting_.link.trace.line(name_, "crashes");
  retire();
}

void Seat::stop() {
  if (!process_) return;
  setting_.link.trace.line(name_, "is told to stop");
  input([this](Process& process) { process.stop(now()); });
}

// What the process has sent stays on its way.
void Seat::retire() {
  link_->die();
  link_.reset();
  process_.reset();
  tags_.clear();
  questions_.clear();
  setting_.picker_rules.ended(process_id_);
  missed_.clear();
  paused_ = false;
  calls_until_crash_ = 0;
  alarm_ = {};
  if (on_end) on_end();
}

void Seat::pause(Nanoseconds duration) {
  if (!process_ || paused_) return;
  setting_.link.trace.line(name_, fmt::format("stands still for {} s", duration / kSecond));
  paused_ = true;
  setting_.picker_rules.held_up(process_id_);
  paused_until_ = later_by(setting_.link.time.now(), duration);
  setting_.link.time.after(duration, [this, id = process_id_] {
    if (process_ && process_id_ == id) resume();
  });
}

void Seat::resume() {
  setting_.link.trace.line(name_, "goes on");
  paused_ = false;
  const std::deque<Input> missed = std::exchange(missed_, {});
  const Invariants::ProcessId id = process_id_;
  // Its timers may be seen before what has come in, or after.
  const bool timers_first = dice_.chance(0.5);
  if (timers_first) input([this](Process& process) { process.wake(now()); });
  for (const Input& each : missed) {
    if (!process_ || process_id_ != id) return;
    input(each);
  }
  if (process_ && process_id_ == id && !timers_first) {
    input([this](Process& process) { process.wake(now()); });
  }
}

void Seat::answered(control::CallId id, const control::Answer& answer) {
  input([this, id, answer](Process& process) {
    const auto tag = tags_.find(id);
    if (tag != tags_.end()) setting_.invariants.answered(tag->second, answer);
    process.answered(id, answer, now());
  });
}

void Seat::received(control::CallId id, std::string_view bytes) {
  input([this, id, piece = std::string(bytes)](Process& process) {
    process.received(id, piece, now());
  });
}

Timestamp Seat::last_timer() const {
  Timestamp last = std::max(setting_.link.time.now(), paused_until_);
  if (link_) last = std::max(last, link_->silent_until());
  // A lease is renewed up to the end of a pause, and looked at as seldom as its retry period says.
  const auto& lease = setting_.process.lease;
  if (lease) last = later_by(last, lease->duration_ns + 2 * lease->retry_period_ns);
  return last;
}

void Seat::hold_streams(bool held) {
  streams_held_ = held;
  if (!link_) return;
  if (held) {
    link_->hold_streams();
  } else {
    link_->let_streams_go();
  }
}

void Seat::changed(const schema::Kind* kind) {
  if (link_) link_->changed(kind);
}

void Seat::input(const Input& input) {
  if (!process_) return;
  if (paused_) {
    missed_.push_back(input);
    return;
  }
  const std::uint64_t decisions = setting_.witness.counts()[control::Count::kDecisions];
  input(*process_);
  if (setting_.witness.counts()[control::Count::kDecisions] != decisions) {
    const PickerRules::View view{process_id_, process_->store(), settings_};
    setting_.picker_rules.deciding(view, now().wall);
    setting_.rank_rules.deciding(view, now().wall);
  }
  setting_.picker_rules.check_told();
  setting_.rank_rules.check_told();
  if (process_->store().mixed()) setting_.picker_rules.held_up(process_id_);
  carry_out();
}

void Seat::carry_out() {
  for (const control::CallId id : process_->take_cancelled()) link_->cancel(id);
  if (!carry_out_questions()) return;
  for (control::Call& call : process_->take_calls()) {
    if (crash_is_due()) return crash();
    const Invariants::Tag tag = setting_.invariants.sent(process_id_, call, process_->store());
    setting_.rank_rules.sent(tag, process_id_, call);
    if (tag != 0) tags_[call.id] = tag;
    link_->send(std::move(call), tag);
  }
  if (process_->done()) {
    setting_.link.trace.line(name_, process_->lost_lease() ? "has lost its lease" : "is done");
    return retire();
  }
  if (process_->synced() && !only_ranks()) {
    setting_.punctuality.look({process_id_, process_->store(), settings_});
  }
  set_alarm();
}

bool Seat::crash_is_due() {
  if (calls_until_crash_ == 0 || --calls_until_crash_ > 0) return false;
  setting_.link.met.add(Fault::kCrashBetweenEffects);
  return true;
}

// Whether the process is still there.
bool Seat::carry_out_questions() {
  for (const picker::CallId id : process_->take_withdrawn()) {
    setting_.link.trace.line(name_, fmt::format("?{} is withdrawn", id));
    setting_.picker_rules.withdrawn(process_id_, id);
    questions_.erase(id);
  }
  for (const picker::Call& call : process_->take_questions()) {
    if (crash_is_due()) {
      crash();
      return false;
    }
    ask(call);
  }
  return true;
}

void Seat::ask(const picker::Call& call) {
  setting_.picker_rules.asked({process_id_, process_->store(), settings_}, call);
  const Pickers::Plan plan = setting_.pickers.ask(call);
  setting_.link.trace.line(
      name_, fmt::format("?{} to {} ({}): {}{}{}", call.id, call.settings->endpoint(),
                         call.idempotency_key, describe(call), plan.fault ? " ! " : "",
                         plan.fault ? to_string(*plan.fault) : ""));
  questions_.insert(call.id);
  setting_.link.time.after(plan.after, [this, process = process_id_, id = call.id, plan] {
    if (!process_ || process_id_ != process) return;
    if (plan.fault == Fault::kCrashMeanwhile) return crash();
    picker_replied(id, plan.reply);
  });
}

void Seat::picker_replied(picker::CallId id, const picker::Reply& reply) {
  input([this, id, reply](Process& process) {
    // It may have been withdrawn, also while this waited for the end of a pause.
    if (questions_.erase(id) == 0) return;
    setting_.link.trace.line(name_, fmt::format("?{} = {}", id, describe(reply)));
    setting_.picker_rules.replied(process_id_, id, reply);
    process.picker_replied(id, reply, now());
  });
}

void Seat::set_alarm() {
  const Timestamp wake = process_->wake_at();
  if (wake.is_zero() || wake == alarm_) return;
  alarm_ = wake;
  const Nanoseconds delay = elapsed_ns(now().mono, wake);
  setting_.link.time.after(delay, [this, id = process_id_, wake] {
    if (!process_ || process_id_ != id || alarm_ != wake) return;
    alarm_ = {};
    input([this](Process& process) { process.wake(now()); });
  });
}

}  // namespace ebb::sim
