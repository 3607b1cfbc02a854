#include "pickerclient/picker_client.h"

#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "net/client/curl_loop.h"
#include "pickerclient/engine.h"

namespace ebb::picker_client {

struct PickerClient::State {
  // Either a call or, without settings, the cancellation of one.
  struct Message {
    picker::Call call{};
    Nanoseconds deadline_ns = 0;
  };

  State(PickerClientSettings settings, Done done) : engine(std::move(settings), std::move(done)) {}

  void post(Message message) {
    {
      const MutexLock lock(mutex);
      messages.push_back(std::move(message));
    }
    engine.wake();
  }

  // Returns whether to continue.
  bool take_letters() {
    std::vector<Message> taken;
    {
      const MutexLock lock(mutex);
      if (stopping) return false;
      taken.swap(messages);
    }
    for (Message& message : taken) {
      if (message.call.settings) {
        engine.ask(std::move(message.call), message.deadline_ns);
      } else {
        engine.withdraw(message.call.id);
      }
    }
    return true;
  }

  void run() {
    while (take_letters()) engine.poll();
  }

  Engine engine;
  Mutex mutex;
  std::vector<Message> messages EBB_GUARDED_BY(mutex);
  bool stopping EBB_GUARDED_BY(mutex) = false;
  std::thread thread;
};

PickerClient::PickerClient(PickerClientSettings settings, Done done)
    : state_(std::make_unique<State>(std::move(settings), std::move(done))) {
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

PickerClient::~PickerClient() {
  {
    const MutexLock lock(state_->mutex);
    state_->stopping = true;
  }
  state_->engine.wake();
  state_->thread.join();
}

void PickerClient::ask(picker::Call call) {
  const Nanoseconds deadline_ns = net::steady_now_ns() + call.deadline_ns;
  state_->post({std::move(call), deadline_ns});
}

void PickerClient::withdraw(picker::CallId id) { state_->post({.call = {.id = id}}); }

}  // namespace ebb::picker_client
