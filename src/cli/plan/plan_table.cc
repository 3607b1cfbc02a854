// The plan as a table: which pods go, which stay, and why.
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/common/table.h"
#include "cli/common/zones.h"
#include "cli/plan/plan_output.h"
#include "model/json/printable.h"
#include "schema/core/time.h"

namespace ebb::cli {
namespace {

using plan::Entry;
using plan::Plan;
using plan::Request;
using plan::SetPlan;
using How = control::Split::How;

std::string or_none(std::string_view text) {
  return text.empty() ? std::string("<none>") : std::string(text);
}

std::string age_since(Timestamp time, Timestamp now) {
  return time.is_zero() ? "<unknown>" : schema::format_age(elapsed_ns(time, now));
}

// `TOPOLOGY-SPREAD` of TopologySpread.
std::string column_name(std::string_view strategy) {
  std::string name;
  for (const char letter : strategy) {
    const bool capital = letter >= 'A' && letter <= 'Z';
    if (capital && !name.empty()) name += '-';
    name +=
        capital || letter < 'a' || letter > 'z' ? letter : static_cast<char>(letter - 'a' + 'A');
  }
  return name;
}

// One column per strategy. Repeated strategies are numbered, as OLDEST-1 and OLDEST-2.
std::vector<std::string> column_names(const std::vector<ranking::Weighed>& strategies) {
  std::map<std::string_view, int> uses;
  for (const ranking::Weighed& one : strategies) ++uses[one.strategy->name];
  std::map<std::string_view, int> seen;
  std::vector<std::string> names;
  for (const ranking::Weighed& one : strategies) {
    const std::string_view strategy = one.strategy->name;
    std::string name = column_name(strategy);
    if (uses[strategy] > 1) name += fmt::format("-{}", ++seen[strategy]);
    names.push_back(std::move(name));
  }
  return names;
}

class SetTable {
 public:
  SetTable(const SetPlan& set, const Request& request, const Zones& zones, bool wide)
      : set_(set), request_(request), zones_(zones), wide_(wide) {}

  [[nodiscard]] std::string text() const {
    Table table(header());
    std::size_t position = 1;
    for (const Entry& entry : set_.remove) table.add(row(position++, entry));
    if (!set_.keep.empty()) table.add_line("kept");
    for (const Entry& entry : set_.keep) table.add(row(position++, entry));
    return table.text();
  }

 private:
  [[nodiscard]] std::vector<std::string> header() const {
    std::vector<std::string> cells{"POSITION", "POD", "NODE", "AGE"};
    if (wide_) {
      for (const char* name : {"ZONE", "PHASE", "READY", "PREFERRED", "COST", "RANK"}) {
        cells.emplace_back(name);
      }
      for (std::string& name : column_names(set_.ranking.strategies)) {
        cells.push_back(std::move(name));
      }
      for (const char* name : {"PICKER", "CO-LOCATED", "READY-AGE", "RESTARTS", "UID"}) {
        cells.emplace_back(name);
      }
    }
    if (!set_.remove.empty()) {
      cells.emplace_back("DECIDED-BY");
      cells.emplace_back("BECAUSE");
    }
    return cells;
  }

  [[nodiscard]] std::vector<std::string> row(std::size_t position, const Entry& entry) const {
    const model::Pod& pod = *entry.candidate.pod;
    std::vector<std::string> cells{std::to_string(position), std::string(pod.name.view()),
                                   or_none(pod.node.view()), age_since(pod.created, request_.now)};
    if (wide_) add_wide(entry, cells);
    if (!set_.remove.empty()) {
      cells.emplace_back(entry.reason.rule);
      cells.push_back(entry.reason.brief);
    }
    return cells;
  }

  void add_wide(const Entry& entry, std::vector<std::string>& cells) const {
    const order::Candidate& candidate = entry.candidate;
    const model::Pod& pod = *candidate.pod;
    const auto zone = zones_.find(pod.node);
    cells.push_back(or_none(zone == zones_.end() ? "" : zone->second));
    cells.emplace_back(to_string(pod.phase));
    cells.emplace_back(pod.ready ? "yes" : "no");
    cells.emplace_back(pod.prefer_for_scale_down ? "yes" : "no");
    cells.push_back(std::to_string(pod.deletion_cost));
    cells.push_back(set_.order_context.cost_ranks ? std::to_string(candidate.cost_rank) : "<none>");
    for (const std::int32_t rank : entry.by_strategy) cells.push_back(std::to_string(rank));
    cells.push_back(or_none(set_.order_context.picker ? to_string(candidate.verdict) : ""));
    cells.push_back(std::to_string(candidate.co_located));
    cells.push_back(pod.ready ? age_since(pod.ready_since, request_.now) : "<none>");
    cells.push_back(pod.sidecar_restarts == 0
                        ? std::to_string(pod.restarts)
                        : fmt::format("{}+{}", pod.restarts, pod.sidecar_restarts));
    cells.emplace_back(pod.uid.view());
  }

  const SetPlan& set_;
  const Request& request_;
  const Zones& zones_;
  bool wide_;
};

std::string describe_set(const SetPlan& set) {
  const std::string name = model::printable(
      fmt::format("ReplicaSet {}/{}", set.set->namespace_name.view(), set.set->name.view()));
  const std::string counts = fmt::format("{} active {}, {} wanted", set.active,
                                         set.active == 1 ? "pod" : "pods", set.desired);
  if (!set.undecoded.empty()) {
    return fmt::format("{}: {}: not scaled, because a pod could not be decoded\n", name, counts);
  }
  return set.remove.empty()
             ? fmt::format("{}: {}: nothing to remove\n", name, counts)
             : fmt::format("{}: {}: {} to remove\n", name, counts, set.remove.size());
}

// The pods that all reasons in the table refer to. Rows do not repeat their names, which would make
// the table too wide for a terminal.
std::string describe_comparison(const SetPlan& set) {
  return model::printable(fmt::format("Pods to remove are compared with the first pod kept, {};",
                                      set.keep.front().candidate.pod->name.view())) +
         '\n' +
         model::printable(fmt::format("pods to keep, with the last pod removed, {}.",
                                      set.remove.back().candidate.pod->name.view())) +
         '\n';
}

std::string describe_ignored(const SetPlan& set) {
  std::vector<std::string> pods;
  for (const auto& [pod, because] : set.ignored) {
    pods.push_back(fmt::format("{} ({})", pod->name.view(), because));
  }
  for (const model::UndecodedObject* pod : set.undecoded) {
    pods.push_back(fmt::format("{} ({})", pod->name.view(), plan::kUndecoded));
  }
  return model::printable(fmt::format("Not counted: {}", fmt::join(pods, ", "))) + '\n';
}

// `Deployment shop/cart: 10 -> 5 replicas, ...`: how the new size is divided.
std::string describe_split(const Plan& plan, const Request& request) {
  std::vector<std::string> shares;
  for (const SetPlan& set : plan.sets) {
    shares.push_back(
        fmt::format("{} {} -> {}", set.set->name.view(), set.set->replicas, set.desired));
  }
  const auto how = [&]() -> std::string {
    switch (plan.split.how) {
      case How::kWhole:
        return "all in one ReplicaSet";
      case How::kSaturated:
        return "the new ReplicaSet is complete, the old ones go";
      case How::kProportional:
        return fmt::format("{} with surge, in proportion", plan.split.allowed);
      case How::kRecreate:
        return "not scaled during a Recreate rollout";
      case How::kDeleting:
        return "not scaled, being deleted";
    }
    return {};
  }();
  return model::printable(fmt::format(
      "Deployment {}/{}: {} -> {} replicas, {}: {}", request.namespace_name, request.name,
      plan.deployment->replicas, request.replicas, how, fmt::join(shares, ", ")));
}

}  // namespace

std::string plan_table(const Plan& plan, const Request& request, const model::Snapshot& snapshot,
                       bool wide) {
  const Zones zones = find_zones(snapshot);
  std::string text;
  if (plan.deployment != nullptr) text += describe_split(plan, request) + "\n\n";
  bool first = true;
  for (const SetPlan& set : plan.sets) {
    if (!first) text += '\n';
    first = false;
    text += describe_set(set);
    if (!set.remove.empty() && !set.keep.empty()) text += describe_comparison(set);
    if (set.active > 0) text += '\n' + SetTable(set, request, zones, wide).text();
    if (!set.ignored.empty() || !set.undecoded.empty()) text += '\n' + describe_ignored(set);
  }
  return text;
}

std::string plan_warnings(const Plan& plan) {
  std::string text;
  const auto add = [&](std::string_view about, const std::string& warning) {
    text += model::printable(fmt::format("Warning: {}{}", about, warning)) + '\n';
  };
  for (const SetPlan& set : plan.sets) {
    const std::string about =
        plan.sets.size() > 1 ? fmt::format("{}: ", set.set->name.view()) : std::string();
    for (const std::string& warning : set.warnings) add(about, warning);
  }
  for (const std::string& warning : plan.warnings) add("", warning);
  return text;
}

}  // namespace ebb::cli
