#include "runtime/picker_line.h"

#include <utility>

namespace ebb::runtime {

PickerLine::PickerLine(asker::AskerSettings settings, std::function<void()> wake)
    : settings_(std::move(settings)), wake_(std::move(wake)) {}

void PickerLine::ask(picker::Call call) {
  if (!asker_) {
    asker_.emplace(settings_,
                   [this](picker::CallId id, picker::Reply reply) { put(id, std::move(reply)); });
  }
  asker_->ask(std::move(call));
}

void PickerLine::withdraw(picker::CallId id) {
  if (asker_) asker_->withdraw(id);
}

std::vector<PickerLine::Replied> PickerLine::take() {
  const std::unique_lock<std::mutex> lock(mutex_);
  return std::exchange(inbox_, {});
}

void PickerLine::put(picker::CallId id, picker::Reply reply) {
  {
    const std::unique_lock<std::mutex> lock(mutex_);
    inbox_.push_back({.id = id, .reply = std::move(reply)});
  }
  wake_();
}

}  // namespace ebb::runtime
