// Decoding a list of 20,000 realistic pods, against nlohmann's parse of the same bytes;
// and the whole `ebb plan` on that file, against the decoding alone.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "bench/measure.h"
#include "model/read_snapshot.h"
#include "support/generated_pods.h"

namespace ebb::bench {
namespace {

constexpr int kRounds = 5;

void decode(const simdjson::padded_string& text) {
  model::SnapshotReader reader;
  EBB_CHECK(reader.add("generated", text));
  const auto snapshot = std::move(reader).finish();
  EBB_CHECK(snapshot.has_value());
  keep(snapshot);
}

void run_plan(const std::string& file) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<std::string> words{
      EBB_PROGRAM, "plan", "rs/web-7d4b9c6f5d", "-n", "shop", "--replicas", "18000", "-f", file};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  EBB_CHECK(posix_spawn(&child, EBB_PROGRAM, &actions, nullptr, arguments.data(), environ) == 0);
  int status = 0;
  EBB_CHECK(waitpid(child, &status, 0) == child && status == 0);
  posix_spawn_file_actions_destroy(&actions);
}

}  // namespace

void run_decode_benchmarks() {
  const std::string text = testing::generate_pod_list({.pods = 20'000, .nodes = 5'000, .seed = 1});
  const simdjson::padded_string padded(text);
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("ebb-bench-{}.json", getpid());
  std::ofstream(file) << text;
  print("generated_list", static_cast<double>(text.size()) / 1e6, "MB", "120");

  std::vector<double> against_nlohmann;
  std::vector<double> against_decoding;
  for (int round = 0; round < kRounds; ++round) {
    const double decoding = seconds([&] { decode(padded); });
    against_nlohmann.push_back(
        seconds([&] { keep(nlohmann::json::parse(text.begin(), text.end())); }) / decoding);
    against_decoding.push_back(seconds([&] { run_plan(file); }) / decoding);
  }
  std::filesystem::remove(file);
  print("nlohmann_parse_vs_decode_of_20000_pods", median(against_nlohmann), "times", ">=10");
  print("plan_command_vs_decode_of_20000_pods", median(against_decoding), "times", "<=2");
}

}  // namespace ebb::bench
