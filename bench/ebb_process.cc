#include "bench/ebb_process.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/require.h"

namespace ebb::bench {
namespace {

constexpr auto kStopTime = std::chrono::seconds(10);

}  // namespace

EbbProcess::EbbProcess(std::vector<std::string> words, int output, std::optional<int> log) {
  words.insert(words.begin(), EBB_PROGRAM);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (log) posix_spawn_file_actions_adddup2(&actions, *log, STDERR_FILENO);
  const int failed = posix_spawn(&pid_, EBB_PROGRAM, &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  require(failed == 0, "cannot run " EBB_PROGRAM);
}

EbbProcess::~EbbProcess() {
  ::kill(pid_, SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + kStopTime;
  while (::waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace ebb::bench
