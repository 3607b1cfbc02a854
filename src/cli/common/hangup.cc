#include "cli/common/hangup.h"

#include <atomic>
#include <csignal>

namespace ebb::cli {
namespace {

// A global, because a signal handler has no arguments.
std::atomic<runtime::Controllers*> hung_up_on = nullptr;
std::atomic<bool> came_early = false;

extern "C" void on_hangup(int /*signal*/) {
  if (runtime::Controllers* controllers = hung_up_on) {
    controllers->reopen_decision_log();
  } else {
    came_early = true;
  }
}

}  // namespace

HangupHandler::HangupHandler() {
  came_early = false;
  std::signal(SIGHUP, on_hangup);
}

HangupHandler::~HangupHandler() {
  std::signal(SIGHUP, SIG_DFL);
  detach();
}

void HangupHandler::attach(runtime::Controllers& controllers) {
  hung_up_on = &controllers;
  if (came_early.exchange(false)) controllers.reopen_decision_log();
}

void HangupHandler::detach() { hung_up_on = nullptr; }

}  // namespace ebb::cli
