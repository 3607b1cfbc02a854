#include "runtime/host/picker_calls.h"

#include <utility>

namespace ebb::runtime {

PickerCalls::PickerCalls(picker_client::PickerClientSettings settings, std::function<void()> wake)
    : settings_(std::move(settings)), wake_(std::move(wake)) {}

void PickerCalls::ask(picker::Call call) {
  if (!picker_client_) {
    picker_client_.emplace(
        settings_, [this](picker::CallId id, picker::Reply reply) { put(id, std::move(reply)); });
  }
  picker_client_->ask(std::move(call));
}

void PickerCalls::withdraw(picker::CallId id) {
  if (picker_client_) picker_client_->withdraw(id);
}

std::vector<PickerCalls::Replied> PickerCalls::take() {
  const MutexLock lock(mutex_);
  return std::exchange(inbox_, {});
}

void PickerCalls::put(picker::CallId id, picker::Reply reply) {
  {
    const MutexLock lock(mutex_);
    inbox_.push_back({.id = id, .reply = std::move(reply)});
  }
  wake_();
}

}  // namespace ebb::runtime
