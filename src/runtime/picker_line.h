// The way from a process to its pickers and back. Questions go to the asker, which has a thread of
// its own; replies wait here until the thread that runs the process takes them.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "asker/asker.h"

namespace ebb::runtime {

class PickerLine {
 public:
  struct Replied {
    picker::CallId id = 0;
    picker::Reply reply{};
  };

  // `wake` is called from the asker's thread whenever there is something to take.
  PickerLine(asker::AskerSettings settings, std::function<void()> wake);

  // All from the thread that runs the process.
  void ask(picker::Call call);
  // Its reply may have come already, and is then among those that are taken.
  void withdraw(picker::CallId id);
  [[nodiscard]] std::vector<Replied> take();

 private:
  void put(picker::CallId id, picker::Reply reply);

  asker::AskerSettings settings_;
  std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<Replied> inbox_;  // under the mutex
  // Made for the first question: most processes never have one. It is the last member, so that
  // its thread has ended before anything goes that its replies need.
  std::optional<asker::Asker> asker_;
};

}  // namespace ebb::runtime
