#include "asker/asker.h"

#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "asker/engine.h"
#include "net/curl_loop.h"

namespace ebb::asker {

struct Asker::State {
  // Either a call or, without settings, the withdrawal of one.
  struct Letter {
    picker::Call call{};
    Nanoseconds deadline_ns = 0;
  };

  State(AskerSettings settings, Done done) : engine(std::move(settings), std::move(done)) {}

  void post(Letter letter) {
    {
      const std::lock_guard<std::mutex> lock(mutex);
      letters.push_back(std::move(letter));
    }
    engine.wake();
  }

  // Whether to go on.
  bool take_letters() {
    std::vector<Letter> taken;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      if (stopping) return false;
      taken.swap(letters);
    }
    for (Letter& letter : taken) {
      if (letter.call.settings) {
        engine.ask(std::move(letter.call), letter.deadline_ns);
      } else {
        engine.withdraw(letter.call.id);
      }
    }
    return true;
  }

  void run() {
    while (take_letters()) engine.poll();
  }

  Engine engine;
  std::mutex mutex;
  std::vector<Letter> letters;
  bool stopping = false;
  std::thread thread;
};

Asker::Asker(AskerSettings settings, Done done)
    : state_(std::make_unique<State>(std::move(settings), std::move(done))) {
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Asker::~Asker() {
  {
    const std::lock_guard<std::mutex> lock(state_->mutex);
    state_->stopping = true;
  }
  state_->engine.wake();
  state_->thread.join();
}

void Asker::ask(picker::Call call) {
  const Nanoseconds deadline_ns = net::steady_now_ns() + call.deadline_ns;
  state_->post({std::move(call), deadline_ns});
}

void Asker::withdraw(picker::CallId id) { state_->post({.call = {.id = id}}); }

}  // namespace ebb::asker
