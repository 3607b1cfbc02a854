// ebb-sim: runs the controllers in the simulated world, by seed.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sim/campaign.h"

namespace {

using namespace ebb::sim;

void print_line(std::string_view line) {
  std::fwrite(line.data(), 1, line.size(), stdout);
  std::fputc('\n', stdout);
}

// "7..19", or one number.
bool read_range(const std::string& text, CampaignSettings& settings) {
  const std::size_t dots = text.find("..");
  const auto number = [](std::string_view digits, std::uint64_t& value) {
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return end.ec == std::errc() && end.ptr == digits.data() + digits.size();
  };
  const std::string_view view = text;
  if (dots == std::string::npos) {
    return number(view, settings.last) && number(view, settings.first);
  }
  return number(view.substr(0, dots), settings.first) &&
         number(view.substr(dots + 2), settings.last) && settings.first <= settings.last;
}

std::string all_safeguards() {
  std::vector<std::string_view> names;
  for (const SafeguardName& each : safeguard_names()) names.push_back(each.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

void print_coverage(const CampaignResult& result) {
  for (std::size_t i = 0; i < kFaults; ++i) {
    const auto fault = static_cast<Fault>(i);
    fmt::print("fault  {:<32} {}\n", to_string(fault), result.met[fault]);
  }
  for (std::size_t i = 0; i < kCounts; ++i) {
    const auto count = static_cast<ebb::control::Count>(i);
    fmt::print("count  {:<32} {}\n", to_string(count), result.counts[count]);
  }
  for (std::size_t i = 0; i < kRankOutcomes; ++i) {
    const auto outcome = static_cast<ebb::control::RankOutcome>(i);
    fmt::print("ranks  {:<32} {}\n", to_string(outcome), result.counts[outcome]);
  }
  for (const ebb::picker::Outcome outcome : ebb::picker::kOutcomes) {
    fmt::print("picker {:<32} {}\n", to_string(outcome), result.counts[outcome]);
  }
}

// Reports failures as they occur, so that nothing is lost when a long campaign is stopped, and the
// progress: forty times, but at most every few seconds.
class Reporter {
 public:
  explicit Reporter(const CampaignSettings& settings)
      : settings_(settings),
        total_(settings.last - settings.first + 1),
        step_(std::max<std::uint64_t>(100, total_ / 40)) {}

  void operator()(const CampaignResult& so_far) {
    for (; printed_ < so_far.failures.size(); ++printed_) print_failure(so_far.failures[printed_]);
    if (so_far.runs % step_ != 0 || so_far.runs == total_) return;
    fmt::print(stderr, "{} of {} runs, {} failed\n", so_far.runs, total_, so_far.failures.size());
  }

 private:
  void print_failure(const Failure& failure) const {
    fmt::print("seed {}: {}: {}\n  {}\n", failure.seed, failure.violation.rule,
               failure.violation.text, replay_command(failure.seed, settings_.run));
    std::fflush(stdout);
  }

  const CampaignSettings& settings_;
  std::uint64_t total_;
  std::uint64_t step_;
  std::size_t printed_ = 0;
};

int print_summary(const CampaignResult& result) {
  fmt::print(
      "{} runs, {} failed, {} controller writes, settled within {:.0f} s at most (seed {})\n",
      result.runs, result.failures.size(), result.writes, result.longest_to_rest,
      result.longest_seed);
  return result.failures.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Runs ebb's controllers in a simulated world: virtual time, faults by seed.\n"
      "The same seed gives the same run. Exit code 1 means that an invariant was violated.",
      "ebb-sim");
  CampaignSettings settings;
  std::string range = "1..100";
  std::vector<std::string> without;
  bool trace = false;
  bool coverage = false;
  bool no_deployments = false;
  auto* const seeds = app.add_option("--seeds", range, "Seeds to run, A..B");
  app.add_option("--seed", range, "One seed")->excludes(seeds);
  app.add_flag("--trace", trace, "Print the trace of a run (one seed)");
  app.add_option("--without", without,
                 "Switch off safeguards, to show that they are needed: " + all_safeguards())
      ->delimiter(',');
  app.add_option("--most-failures", settings.max_failures,
                 "Stop after this many failures (0: never)");
  app.add_option("--threads", settings.threads,
                 "The number of runs in parallel (0: one per processor)");
  app.add_flag("--coverage", coverage, "Print how often each fault and each rare branch occurred");
  app.add_flag("--no-deployments", no_deployments, "Run with ReplicaSets only");
  app.add_flag("--webhook", settings.run.webhook, "Run the webhook beside stock controllers");
  CLI11_PARSE(app, argc, argv);

  if (!read_range(range, settings)) {
    fmt::print(stderr, "ebb-sim: --seeds: expected A..B with A <= B, got \"{}\"\n", range);
    return 2;
  }
  for (const std::string& name : without) {
    bool known = false;
    for (const SafeguardName& each : safeguard_names()) {
      if (each.name != name) continue;
      settings.run.safeguards.*each.member = false;
      known = true;
    }
    if (known) continue;
    fmt::print(stderr, "ebb-sim: --without: unknown safeguard \"{}\"; see --help\n", name);
    return 2;
  }
  settings.run.deployments = !no_deployments;
  if (trace && settings.first == settings.last) settings.run.print = print_line;
  settings.after_each = Reporter(settings);
  const CampaignResult result = run_campaign(settings);
  if (coverage) print_coverage(result);
  return print_summary(result);
}
