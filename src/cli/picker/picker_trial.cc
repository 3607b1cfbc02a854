#include "cli/picker/picker_trial.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/deadline_queue.h"
#include "order/lineup.h"
#include "order/reason.h"
#include "picker/facts.h"
#include "picker/prepared_request.h"

namespace ebb::cli {
namespace {

using picker::Outcome;

constexpr Nanoseconds kSampleAgeNs = 3600 * kNanosecondsPerSecond;
constexpr std::array<std::string_view, 3> kZones = {"zone-a", "zone-b", "zone-c"};

std::vector<const model::Pod*> pods_of(const Trial& trial) {
  std::vector<const model::Pod*> pods;
  for (const order::Candidate& candidate : trial.pods) pods.push_back(candidate.pod);
  return pods;
}

std::vector<std::string> sample_names(std::string_view stem, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back(fmt::format("{}-{}", stem, i));
  return names;
}

bool has_answer(Outcome outcome) {
  return outcome == Outcome::kAnswered || outcome == Outcome::kEmpty;
}

// `a, b, c and 7 more`
std::string some_of(const picker::NameList& names) {
  constexpr std::size_t kShown = 5;
  const std::size_t shown = std::min(kShown, names.size());
  std::vector<std::string_view> first;
  for (std::size_t i = 0; i < shown; ++i) first.push_back(names[i]);
  std::string text = fmt::format("{}", fmt::join(first, ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

// The order within a list has no meaning.
bool same_answer(const picker::Answer& one, const picker::Answer& other) {
  const auto same = [](const picker::NameList& a, const picker::NameList& b) {
    return std::set<std::string_view>(a.begin(), a.end()) ==
           std::set<std::string_view>(b.begin(), b.end());
  };
  return same(one.chosen, other.chosen) && same(one.tied, other.tied);
}

// Such a key is probably meant as a list of names, as in `chosenPods`, `tied` or `pods`.
bool looks_like_a_list(std::string_view key) {
  std::string letters;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') letters += c;
  }
  for (const std::string_view part : {"chosen", "tied", "pod"}) {
    if (letters.find(part) != std::string::npos) return true;
  }
  return false;
}

void judge_keys(TrialResult& trial_result) {
  const picker::Answer& answer = trial_result.reply.answer;
  if (answer.other_keys.empty()) return;
  if (answer.chosen.empty() && answer.tied.empty() &&
      std::any_of(answer.other_keys.begin(), answer.other_keys.end(), looks_like_a_list)) {
    trial_result.problems.push_back(
        fmt::format("the answer names no pods; unknown keys: {} (expected chosen_pods, tied_pods)",
                    some_of(answer.other_keys)));
    return;
  }
  trial_result.warnings.push_back(
      fmt::format("unknown keys in the answer: {} (expected chosen_pods, tied_pods)",
                  some_of(answer.other_keys)));
}

void find_victims(const Trial& trial, const std::vector<model::Verdict>& verdicts,
                  TrialResult& trial_result) {
  std::vector<order::Candidate> candidates = trial.pods;
  order::OrderContext order_context = trial.order_context;
  order_context.picker = !verdicts.empty();
  for (std::size_t i = 0; i < verdicts.size(); ++i) candidates[i].verdict = verdicts[i];
  order::Lineup lineup(std::move(candidates), order_context);
  lineup.order_first(trial.surplus);
  for (std::size_t place = 0; place < trial.surplus; ++place) {
    const order::Reason reason = order::why_it_goes(lineup, place, trial.surplus);
    trial_result.victims.push_back({.name = std::string(lineup[place].pod->name.view()),
                                    .rule = std::string(reason.rule),
                                    .because = reason.because});
  }
}

void judge_answer(const Trial& trial, TrialResult& trial_result) {
  const auto pods = pods_of(trial);
  picker::Verdicts verdicts = picker::judge(pods, trial_result.reply.answer);
  for (const model::Verdict verdict : verdicts.of_pods) {
    trial_result.chosen += verdict == model::Verdict::kChosen ? 1 : 0;
    trial_result.tied += verdict == model::Verdict::kTied ? 1 : 0;
  }
  if (verdicts.of_pods.empty()) {
    trial_result.warnings.emplace_back(
        "the answer names no candidate, so the pods would go in the default order");
  }
  if (!verdicts.ignored.empty()) {
    trial_result.problems.push_back(
        fmt::format("{} names are ignored, because they are not candidates or are listed "
                    "twice: {}",
                    verdicts.ignored.size(), some_of(verdicts.ignored)));
  }
  judge_keys(trial_result);
  if (!trial_result.reply.hint.empty()) trial_result.warnings.push_back(trial_result.reply.hint);
  trial_result.ignored = std::move(verdicts.ignored);
  find_victims(trial, verdicts.of_pods, trial_result);
}

void judge_failure(const Trial& trial, TrialResult& trial_result) {
  std::string problem(to_string(trial_result.reply.outcome));
  if (trial_result.reply.outcome == Outcome::kStatusCode) {
    problem += fmt::format(" {}", trial_result.reply.code);
  }
  for (const std::string* more : {&trial_result.reply.detail, &trial_result.reply.hint}) {
    if (!more->empty()) problem += ": " + *more;
  }
  problem += trial_result.reply.repeatable
                 ? "; a controller retries within the time budget, then the pods go in the "
                   "default order"
                 : "; a controller does not retry, and the pods go in the default order";
  trial_result.problems.push_back(std::move(problem));
  find_victims(trial, {}, trial_result);
}

}  // namespace

void Trials::add(std::string title, const std::vector<std::string>& names, std::size_t surplus,
                 Timestamp now) {
  Trial trial{.title = std::move(title), .order_context = {.now = now}, .surplus = surplus};
  const Timestamp born = later_by(now, -kSampleAgeNs);
  for (const std::string& name : names) {
    auto pod = std::make_unique<model::Pod>();
    pod->name = pod->uid = pool_->intern(name);
    const std::size_t number = trial.pods.size();
    pod->node = pool_->intern(fmt::format("node-{}", number + 1));
    zones_.emplace(pod->node, kZones[number % kZones.size()]);
    pod->created = pod->ready_since = born;
    pod->phase = model::Phase::kRunning;
    pod->ready = true;
    trial.pods.push_back({.pod = pod.get()});
    pods_.push_back(std::move(pod));
  }
  trials_.push_back(std::move(trial));
}

void Trials::add_again() {
  Trial again = trials_.back();
  again.title = "the same request again";
  again.again = true;
  trials_.push_back(std::move(again));
}

Trials Trials::of_samples(std::size_t many, Timestamp now) {
  Trials trials;
  trials.add("1 of 3 pods", sample_names("web", 3), 1, now);
  trials.add("2 of 4 pods, as in KEP-3189", sample_names("pod", 4), 2, now);
  trials.add_again();
  trials.add("1 of 10 pods", sample_names("worker", 10), 1, now);
  const std::size_t some = std::max<std::size_t>(1, many / 10);
  trials.add(fmt::format("{} of {} pods", some, many), sample_names("shard", many), some, now);
  return trials;
}

Trials Trials::of_names(const std::vector<std::string>& names, Timestamp now) {
  Trials trials;
  trials.add(fmt::format("1 of {} pods", names.size()), names, 1, now);
  if (names.size() >= 4) {
    trials.add(fmt::format("{} of {} pods", names.size() / 2, names.size()), names,
               names.size() / 2, now);
  }
  trials.add_again();
  return trials;
}

Trials Trials::of_plan(const plan::Plan& plan, const model::Snapshot& snapshot) {
  Trials trials;
  trials.zones_ = find_zones(snapshot);
  for (const plan::SetPlan& set : plan.sets) {
    if (set.remove.empty()) continue;
    Trial trial{.title = fmt::format("{} of {} pods of {}/{}", set.remove.size(), set.active,
                                     set.set->namespace_name.view(), set.set->name.view()),
                .order_context = set.order_context,
                .surplus = set.remove.size()};
    for (const auto* entries : {&set.remove, &set.keep}) {
      for (const plan::Entry& entry : *entries) trial.pods.push_back(entry.candidate);
    }
    if (picker::prepare(pods_of(trial), trial.surplus).requested == 0) continue;
    trials.trials_.push_back(std::move(trial));
    trials.add_again();
  }
  return trials;
}

picker::PickRequest Trials::request(const Trial& trial, picker::Context context) const {
  const auto pods = pods_of(trial);
  const auto zone_of = [this](model::Interned node) {
    const auto zone = zones_.find(node);
    return zone == zones_.end() ? std::string_view() : zone->second;
  };
  return picker::make_pick_request(picker::prepare(pods, trial.surplus), context, zone_of,
                                   trial.order_context.now);
}

TrialResult judge_trial(const Trial& trial, Asked asked, Nanoseconds budget_ns,
                        const TrialResult* before) {
  TrialResult trial_result{.title = trial.title,
                           .request = std::move(asked.request),
                           .reply = std::move(asked.reply),
                           .took_ns = asked.took_ns};
  if (has_answer(trial_result.reply.outcome)) {
    judge_answer(trial, trial_result);
  } else {
    judge_failure(trial, trial_result);
  }
  if (has_answer(trial_result.reply.outcome) && trial_result.took_ns > budget_ns / 2) {
    trial_result.warnings.emplace_back(
        "the answer took more than half of the time budget, which leaves no time for a retry");
  }
  if (trial.again && before != nullptr && has_answer(trial_result.reply.outcome) &&
      has_answer(before->reply.outcome) &&
      !same_answer(trial_result.reply.answer, before->reply.answer)) {
    trial_result.problems.emplace_back(
        "the same request with the same Idempotency-Key had a different answer before; a picker "
        "must repeat its answer");
  }
  return trial_result;
}

}  // namespace ebb::cli
