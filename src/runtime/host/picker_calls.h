// Carries calls from a process to its pickers, and replies back. The picker client runs on its own
// thread; replies wait here until the thread that runs the process takes them.
#pragma once  // private to its room

#include <functional>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "pickerclient/picker_client.h"

namespace ebb::runtime {

class PickerCalls {
 public:
  struct Replied {
    picker::CallId id = 0;
    picker::Reply reply{};
  };

  // `wake` is called from the picker client's thread whenever a reply can be taken.
  PickerCalls(picker_client::PickerClientSettings settings, std::function<void()> wake);

  // All of these are called from the thread that runs the process.
  void ask(picker::Call call);
  // If the reply has already arrived, take() still returns it.
  void withdraw(picker::CallId id);
  [[nodiscard]] std::vector<Replied> take();

 private:
  void put(picker::CallId id, picker::Reply reply);

  picker_client::PickerClientSettings settings_;
  std::function<void()> wake_;
  Mutex mutex_;
  std::vector<Replied> inbox_ EBB_GUARDED_BY(mutex_);
  // Created for the first call: most processes never make one. It is the last member, so that its
  // thread ends before anything that its replies need is destroyed.
  std::optional<picker_client::PickerClient> picker_client_;
};

}  // namespace ebb::runtime
