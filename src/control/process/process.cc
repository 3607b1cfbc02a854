#include "control/process/process.h"

#include <utility>

#include "control/process/make_controllers.h"
#include "control/process/process_impl.h"

namespace ebb::control {

Process::Process(const ProcessSettings& settings, Telemetry& telemetry)
    : Process(settings, telemetry, [settings](const ControllerContext& context) {
        return make_controllers(settings, context);
      }) {}

Process::Process(ProcessSettings settings, Telemetry& telemetry, const ControllerFactory& factory)
    : impl_(std::make_unique<Impl>(std::move(settings), telemetry, factory)) {}

Process::~Process() = default;

void Process::start(Now now) { impl_->begin(now); }

void Process::answered(CallId id, const Answer& answer, Now now) {
  impl_->answered(id, answer, now);
}

void Process::received(CallId id, std::string_view bytes, Now now) {
  impl_->received(id, bytes, now);
}

void Process::picker_replied(picker::CallId id, const picker::Reply& reply, Now now) {
  impl_->picker_replied(id, reply, now);
}

void Process::review(ReviewId id, std::string_view body, Now now) { impl_->review(id, body, now); }

void Process::drop_review(ReviewId id, Now now) { impl_->drop_review(id, now); }

void Process::set_ca_bundle(const std::string& pem, Now now) { impl_->set_ca_bundle(pem, now); }

void Process::wake(Now now) { impl_->step(now); }

void Process::stop(Now now) { impl_->stop(now); }

std::vector<Call> Process::take_calls() { return std::exchange(impl_->outbox, {}); }

std::vector<CallId> Process::take_cancelled() { return std::exchange(impl_->cancelled, {}); }

std::vector<picker::Call> Process::take_picker_requests() {
  return std::exchange(impl_->picker_requests, {});
}

std::vector<picker::CallId> Process::take_withdrawn() {
  return std::exchange(impl_->withdrawn, {});
}

std::vector<ReviewAnswer> Process::take_review_answers() {
  return std::exchange(impl_->review_answers, {});
}

Timestamp Process::wake_at() const { return impl_->wake_at(); }

bool Process::done() const { return impl_->phase == Impl::Phase::kDone; }

bool Process::lost_lease() const { return impl_->lost; }

bool Process::went_back() const { return impl_->went_back; }

bool Process::canary_forbidden() const { return impl_->canary_forbidden; }

std::vector<GuardStatus> Process::guard_statuses(Now now) const {
  return impl_->guard_statuses(now);
}

bool Process::synced() const { return impl_->synced && impl_->phase != Impl::Phase::kDone; }

bool Process::leads(Now now) const { return !done() && impl_->leads(now.mono); }

Timestamp Process::watches_down_since(Now now) const { return impl_->watches_down_since(now); }

const Store& Process::store() const { return impl_->store; }

}  // namespace ebb::control
