#include "sim/world/driven_process.h"

#include <utility>

#include <fmt/format.h>

#include "base/check.h"

namespace ebb::sim {

using control::Process;

DrivenProcess::~DrivenProcess() {
  if (link_) link_->die();
}

Now DrivenProcess::now() const {
  return {.wall = context_.time.now(),
          .mono = Timestamp::from_nanoseconds(boot_ns_ + context_.time.elapsed())};
}

void DrivenProcess::start(const control::ProcessSettings& settings, control::Telemetry& telemetry,
                          const std::string& name, std::uint64_t seed) {
  EBB_CHECK(!process_);
  ++starts_;
  name_ = name;
  process_ = std::make_unique<Process>(settings, telemetry);
  link_ = std::make_shared<Link>(context_, name, seed, *this, *this);
  context_.trace.line(name, "starts");
  input([this](Process& process) { process.start(now()); });
}

void DrivenProcess::crash() {
  if (!process_) return;
  context_.trace.line(name_, "is gone");
  link_->die();
  link_.reset();
  process_.reset();
  missed_.clear();
  paused_ = false;
  alarm_ = {};
  ended();
}

void DrivenProcess::pause(Nanoseconds duration) {
  if (!process_ || paused_) return;
  context_.trace.line(name_, fmt::format("pauses for {} s", duration / kSecond));
  paused_ = true;
  context_.time.after(duration, [this, life = starts_] {
    if (!process_ || starts_ != life) return;
    paused_ = false;
    for (const Input& each : std::exchange(missed_, {})) {
      if (process_ && starts_ == life) input(each);
    }
    if (process_ && starts_ == life) input([this](Process& process) { process.wake(now()); });
  });
}

void DrivenProcess::changed(const schema::Kind* kind) {
  if (link_) link_->changed(kind);
}

Timestamp DrivenProcess::silent_until() const {
  return link_ ? link_->silent_until() : Timestamp();
}

void DrivenProcess::answered(control::CallId id, const control::Answer& answer) {
  input([this, id, answer](Process& process) { process.answered(id, answer, now()); });
}

void DrivenProcess::received(control::CallId id, std::string_view bytes) {
  input([this, id, piece = std::string(bytes)](Process& process) {
    process.received(id, piece, now());
  });
}

void DrivenProcess::input(const Input& input) {
  if (!process_) return;
  if (paused_) return missed_.push_back(input);
  input(*process_);
  carry_out();
}

void DrivenProcess::carry_out() {
  for (const control::CallId id : process_->take_cancelled()) link_->cancel(id);
  carry_out_more(*process_);
  for (control::Call& call : process_->take_calls()) {
    const std::uint64_t tag = tag_of(call);
    link_->send(std::move(call), tag);
  }
  if (process_->done()) return crash();
  set_alarm();
}

void DrivenProcess::set_alarm() {
  const Timestamp wake = process_->wake_at();
  if (wake.is_zero() || wake == alarm_) return;
  alarm_ = wake;
  context_.time.after(elapsed_ns(now().mono, wake), [this, life = starts_, wake] {
    if (!process_ || starts_ != life || alarm_ != wake) return;
    alarm_ = {};
    input([this](Process& process) { process.wake(now()); });
  });
}

}  // namespace ebb::sim
