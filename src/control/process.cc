#include "control/process.h"

#include <utility>

#include "control/controllers.h"
#include "control/process_parts.h"

namespace ebb::control {

Process::Process(const ProcessSettings& settings, Telemetry& telemetry)
    : Process(settings, telemetry, [settings](const ControllerContext& context) {
        return make_controllers(settings, context);
      }) {}

Process::Process(ProcessSettings settings, Telemetry& telemetry, const ControllerFactory& factory)
    : parts_(std::make_unique<Parts>(std::move(settings), telemetry, factory)) {}

Process::~Process() = default;

void Process::start(Now now) { parts_->begin(now); }

void Process::answered(CallId id, const Answer& answer, Now now) {
  parts_->answered(id, answer, now);
}

void Process::received(CallId id, std::string_view bytes, Now now) {
  parts_->received(id, bytes, now);
}

void Process::picker_replied(picker::CallId id, const picker::Reply& reply, Now now) {
  parts_->picker_replied(id, reply, now);
}

void Process::wake(Now now) { parts_->step(now); }

void Process::stop(Now now) { parts_->stop(now); }

std::vector<Call> Process::take_calls() { return std::exchange(parts_->outbox, {}); }

std::vector<CallId> Process::take_cancelled() { return std::exchange(parts_->cancelled, {}); }

std::vector<picker::Call> Process::take_questions() { return std::exchange(parts_->questions, {}); }

std::vector<picker::CallId> Process::take_withdrawn() {
  return std::exchange(parts_->withdrawn, {});
}

Timestamp Process::wake_at() const { return parts_->wake_at(); }

bool Process::done() const { return parts_->phase == Parts::Phase::kDone; }

bool Process::lost_lease() const { return parts_->lost; }

bool Process::went_back() const { return parts_->went_back; }

bool Process::synced() const { return parts_->synced && parts_->phase != Parts::Phase::kDone; }

bool Process::leads(Now now) const { return !done() && parts_->leads(now.mono); }

const Store& Process::store() const { return parts_->store; }

}  // namespace ebb::control
