#include "kube/program.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <set>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ebb::kube {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutputBytes = 1UL << 20;
// How often to check whether to stop.
constexpr int kGlanceMs = 50;

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
  }
  ~Pipe() {
    close_writing();
    if (ends_[0] >= 0) close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  [[nodiscard]] int reading() const { return ends_[0]; }
  [[nodiscard]] int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment(const Program& program) {
  std::vector<std::string> result;
  std::set<std::string, std::less<>> given;
  for (const auto& [name, value] : program.env) {
    result.push_back(fmt::format("{}={}", name, value));
    given.insert(name);
  }
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (!given.contains(text.substr(0, text.find('=')))) result.emplace_back(text);
  }
  return result;
}

// posix_spawn's two argument objects.
class SpawnSettings {
 public:
  SpawnSettings(int output, bool interactive) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    if (!interactive) posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, 1);
    // The program must not inherit ebb's sockets and files.
    posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
    sigset_t none;
    sigemptyset(&none);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    // A process group of its own can be killed with all its children, but cannot read the terminal.
    if (!interactive) posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                (interactive ? 0 : POSIX_SPAWN_SETPGROUP)));
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  [[nodiscard]] int spawn(pid_t& pid, const Program& program) const {
    std::vector<std::string> args = {program.command};
    args.insert(args.end(), program.args.begin(), program.args.end());
    std::vector<std::string> variables = environment(program);
    return posix_spawnp(&pid, program.command.c_str(), &actions_, &attributes_,
                        pointers(args).data(), pointers(variables).data());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

struct Output {
  std::string text{};
  std::string problem{};  // why it must be killed; empty: it closed its output
};

Output read_output(int pipe, Clock::time_point until, const std::atomic<bool>& stop) {
  Output output;
  std::array<char, 4096> buffer;
  while (true) {
    if (stop.load()) return {{}, "was stopped"};
    if (Clock::now() >= until) return {{}, "took too long and was killed"};
    pollfd ready{pipe, POLLIN, 0};
    if (poll(&ready, 1, kGlanceMs) <= 0) continue;
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return output;
    output.text.append(buffer.data(), static_cast<std::size_t>(count));
    if (output.text.size() > kMaxOutputBytes) return {{}, "wrote more than a MiB and was killed"};
  }
}

// It may close its output and keep running.
bool wait_for_end(pid_t pid, Clock::time_point until, const std::atomic<bool>& stop, int& status) {
  while (true) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return true;
    if (ended < 0 && errno != EINTR) return false;
    if (stop.load() || Clock::now() >= until) return false;
    poll(nullptr, 0, kGlanceMs / 10);
  }
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was terminated by signal {}", WTERMSIG(status));
  return fmt::format("exited with code {}", WEXITSTATUS(status));
}

}  // namespace

Result<std::string> run_program(const Program& program, Nanoseconds longest_ns,
                                const std::atomic<bool>& stop) {
  const Clock::time_point until = Clock::now() + std::chrono::nanoseconds(longest_ns);
  Pipe pipe;
  if (pipe.reading() < 0) {
    return fail(ErrorCode::kIo, fmt::format("cannot create a pipe: {}", std::strerror(errno)));
  }
  pid_t pid = 0;
  const int reason = SpawnSettings(pipe.writing(), program.interactive).spawn(pid, program);
  if (reason != 0) {
    return fail(ErrorCode::kNotFound,
                fmt::format("{} cannot be run: {}", program.command, std::strerror(reason)));
  }
  pipe.close_writing();
  Output output = read_output(pipe.reading(), until, stop);
  int status = 0;
  if (output.problem.empty() && !wait_for_end(pid, until, stop, status)) {
    output.problem = "took too long and was killed";
  }
  if (!output.problem.empty()) {
    kill(program.interactive ? pid : -pid, SIGKILL);
    waitpid(pid, &status, 0);
    return fail(ErrorCode::kIo, fmt::format("{} {}", program.command, output.problem));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return fail(ErrorCode::kIo, fmt::format("{} {}", program.command, describe_end(status)));
  }
  return std::move(output.text);
}

}  // namespace ebb::kube
