// Decoding a list of 20,000 realistic pods, compared with nlohmann's parser on the same bytes;
// the whole `ebb plan` on that file, compared with the decoding alone; and the same pods in
// protobuf, as a real API server sends them, into the store.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "bench/measure.h"
#include "control/cache/store.h"
#include "model/snapshot/read_snapshot.h"
#include "support/objects/generated_pods.h"
#include "support/objects/wire_encoder.h"

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

// The pods of a list, each in both formats.
struct BothFormats {
  std::vector<std::string> json;
  std::vector<std::string> protobuf;
};

BothFormats in_both_formats(const std::string& list) {
  BothFormats both;
  const boost::json::value parsed = boost::json::parse(list);
  for (const boost::json::value& item : parsed.at("items").as_array()) {
    if (item.at("kind") != "Pod") continue;
    both.json.push_back(boost::json::serialize(item));
    both.protobuf.push_back(testing::encode_pod(item.as_object()));
  }
  return both;
}

double seconds_to_store(const std::vector<std::string>& pods, control::Store::Format format) {
  return seconds([&] {
    control::Store store;
    for (const std::string& pod : pods) {
      EBB_CHECK(store.upsert(control::Resource::kPods, format, pod));
    }
    EBB_CHECK(store.pods() == pods.size());
  });
}

void compare_formats(const std::string& list) {
  const BothFormats both = in_both_formats(list);
  std::vector<double> json;
  std::vector<double> protobuf;
  for (int round = 0; round < kRounds; ++round) {
    json.push_back(seconds_to_store(both.json, control::Store::Format::kJson));
    protobuf.push_back(seconds_to_store(both.protobuf, control::Store::Format::kProtobuf));
  }
  const auto pods = static_cast<double>(both.json.size());
  print("store_pods_from_protobuf", pods / median(protobuf), "/s", ">=390000");
  print("store_pods_json_vs_protobuf", median(json) / median(protobuf), "times", ">=1.5");
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
  compare_formats(text);
}

}  // namespace ebb::bench
