#include "cli/common/node_options.h"

#include <fmt/format.h>

#include "cli/common/input.h"
#include "hollow/duration.h"

namespace ebb::cli {
namespace {

Result<std::vector<hollow::NodeSpec>> read_nodes(const std::string& spec, std::istream& in) {
  if (spec.empty()) return fail(ErrorCode::kUsage, "--nodes: must not be empty");
  if (hollow::is_node_grid(spec)) {
    auto grid = hollow::parse_node_grid(spec);
    if (!grid) return fail(ErrorCode::kUsage, "--nodes: " + grid.error().message);
    return grid;
  }
  auto text = read_text_file(spec, in);
  if (!text) {
    return fail(text.error().code,
                fmt::format("--nodes: {}; expected a file, or ZONESxNODES such as 3x2",
                            text.error().message));
  }
  auto listed = hollow::parse_node_file(*text);
  if (!listed) return fail(ErrorCode::kInvalidInput, spec + ": " + listed.error().message);
  return listed;
}

// `2s`, or `500ms-2s` for a random value in between.
Result<hollow::DelayRange> parse_delay(std::string_view option, std::string_view text) {
  const auto dash = text.find('-');
  const auto least = hollow::parse_duration(text.substr(0, dash));
  const auto most =
      dash == std::string_view::npos ? least : hollow::parse_duration(text.substr(dash + 1));
  if (least && most && *least <= *most) return hollow::DelayRange{*least, *most};
  return fail(
      ErrorCode::kUsage,
      fmt::format("{}: expected a duration such as 2s, or a range such as 500ms-2s, got \"{}\"",
                  option, text));
}

struct DelayOption {
  std::string_view name;
  const std::string& text;
  hollow::DelayRange& into;
};

Result<void> parse_delays(std::initializer_list<DelayOption> options) {
  for (const DelayOption& option : options) {
    if (option.text.empty()) continue;
    EBB_ASSIGN_OR_RETURN(option.into, parse_delay(option.name, option.text));
  }
  return {};
}

}  // namespace

void NodeOptions::declare(CLI::App& app, const std::string& nodes_help) {
  app.add_option("--nodes", nodes_, nodes_help)->default_str("'3x2'");
  app.add_option("--pod-start-delay", start_delay_,
                 "How long containers take to start, such as 2s or 500ms-2s (the default)");
  app.add_option("--pod-ready-delay", ready_delay_,
                 "How long started containers take to become ready; by default 500ms-1500ms");
  app.add_option(
      "--pod-termination-delay", termination_delay_,
      "How long terminating pods take to stop, at most their grace period; by default 1s-2s");
}

Result<void> NodeOptions::apply(hollow::Settings& settings, std::istream& in) const {
  EBB_RETURN_IF_ERROR(
      parse_delays({{"--pod-start-delay", start_delay_, settings.start_delay},
                    {"--pod-ready-delay", ready_delay_, settings.ready_delay},
                    {"--pod-termination-delay", termination_delay_, settings.termination}}));
  EBB_ASSIGN_OR_RETURN(settings.nodes, read_nodes(nodes_, in));
  return {};
}

Completion NodeOptions::complete() { return {{"1x3", "3x2"}, true}; }

}  // namespace ebb::cli
