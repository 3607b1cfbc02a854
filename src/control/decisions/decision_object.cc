#include "control/decisions/decision_object.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "model/api/requests.h"
#include "model/records/policy.h"
#include "schema/core/name_rules.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxSentenceBytes = 1'000;
constexpr std::size_t kMaxNameBytes = 500;
constexpr std::size_t kMaxSentences = 16;
// The lengths to which the sentences of victims are cut, until the object is small enough.
constexpr std::array<std::size_t, 3> kShorterBytes = {200, 60, 0};

// Cuts at a character, not within one.
void cut(std::string& text, std::size_t max_bytes) {
  constexpr std::string_view kEllipsis = "...";
  if (text.size() <= max_bytes) return;
  std::size_t end = max_bytes < kEllipsis.size() ? 0 : max_bytes - kEllipsis.size();
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  text.resize(end);
  if (max_bytes >= kEllipsis.size()) text += kEllipsis;
}

void cut(std::vector<std::string>& sentences) {
  if (sentences.size() > kMaxSentences) sentences.resize(kMaxSentences);
  for (std::string& sentence : sentences) cut(sentence, kMaxSentenceBytes);
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// FNV-1a: the same in every version of ebb.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

// Ten digits of base 36 hold microseconds until the year 2085, and sort like numbers.
std::string time_suffix(Timestamp time) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  auto rest = static_cast<std::uint64_t>(std::max<Nanoseconds>(time.since_epoch_ns(), 0) / 1'000);
  std::string text(10, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    *digit = kDigits[rest % kDigits.size()];
    rest /= kDigits.size();
  }
  return text;
}

// `DeletionCost,Age`: the rules that decided, the most frequent first.
std::string deciding_rules(const Decision& decision) {
  std::map<std::string_view, std::size_t> victims;
  for (const Decision::Victim& victim : decision.victims) ++victims[victim.rule];
  std::vector<std::pair<std::string_view, std::size_t>> rules(victims.begin(), victims.end());
  std::stable_sort(rules.begin(), rules.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [rule, count] : rules) {
    if (!text.empty()) text += ',';
    text += rule;
  }
  return text;
}

json::object spec_of(const Decision& decision) {
  const DecisionWorkload workload = workload_of(decision);
  json::object spec = decision.to_json();
  spec["time"] = model::micro_time_text(decision.time);
  spec["workload"] = {{"kind", workload.kind}, {"name", workload.name}};
  spec["replicaSet"] = {{"name", decision.replica_set}, {"uid", decision.uid}};
  const std::size_t gone = decision.actual ? decision.actual->removed.size() : decision.going();
  spec["gone"] = static_cast<std::int64_t>(gone);
  if (decision.actual) spec["agreement"] = fmt::format("{}/{}", decision.actual->agreed(), gone);
  spec["decidedBy"] = deciding_rules(decision);
  spec["version"] = EBB_VERSION;
  return spec;
}

void cut_sentences(json::array& pods, std::size_t max_bytes) {
  for (json::value& pod : pods) {
    for (const std::string_view field : {"because", "outcome"}) {
      json::value* const found = pod.as_object().if_contains(field);
      if (found == nullptr) continue;
      std::string shorter(found->as_string());
      cut(shorter, max_bytes);
      found->as_string() = shorter;
    }
  }
}

// Leaves out sentences and then pods until the record is small enough: victims, and pods that
// really went.
void limit_size(json::object& spec) {
  json::array& victims = spec["victims"].as_array();
  json::value* const actual = spec.if_contains("actual");
  json::array none;
  json::array& removed = actual == nullptr ? none : actual->at("removed").as_array();
  const std::size_t all = victims.size();
  const std::size_t all_removed = removed.size();
  if (all > kMaxDecisionVictims) victims.resize(kMaxDecisionVictims);
  if (all_removed > kMaxDecisionVictims) removed.resize(kMaxDecisionVictims);
  // The metadata and what the API server adds to it.
  constexpr std::size_t kRoom = 8U << 10U;
  const auto fits = [&spec] { return json::serialize(spec).size() + kRoom <= kMaxDecisionBytes; };
  for (const std::size_t max_bytes : kShorterBytes) {
    if (fits()) break;
    cut_sentences(victims, max_bytes);
    cut_sentences(removed, max_bytes);
  }
  while (victims.size() + removed.size() > 0 && !fits()) {
    victims.resize(victims.size() / 2);
    removed.resize(removed.size() / 2);
  }
  // These two last: they move the other fields.
  const auto omitted = static_cast<std::int64_t>(all - victims.size());
  const auto omitted_removed = static_cast<std::int64_t>(all_removed - removed.size());
  if (omitted_removed > 0) actual->as_object()["omittedRemoved"] = omitted_removed;
  if (omitted > 0) spec["omittedVictims"] = omitted;
}

}  // namespace

const schema::Kind& decision_kind() {
  static const schema::Kind* const kKind =
      schema::find_kind("ebb.dev/v1alpha1", "DownscaleDecision");
  EBB_CHECK(kKind != nullptr);
  return *kKind;
}

DecisionWorkload workload_of(const Decision& decision) {
  const std::string_view owner = decision.owner;
  const std::size_t slash = owner.find('/');
  if (slash == std::string_view::npos) return {"ReplicaSet", decision.replica_set};
  return {owner.substr(0, slash), owner.substr(slash + 1)};
}

std::string decision_name(const Decision& decision) {
  // A shadow decision and the decision that it is compared with may be of the same moment.
  const std::string suffix = time_suffix(decision.time) + (decision.actual ? "-shadow" : "");
  std::string name = decision.replica_set.substr(0, schema::kMaxSubdomainBytes - suffix.size() - 1);
  while (!name.empty() && !is_letter_or_digit(name.back())) name.pop_back();
  return fmt::format("{}-{}", name, suffix);
}

std::string label_value(std::string_view text) {
  if (schema::label_value_errors(text).empty()) return std::string(text);
  const std::string hash = fmt::format("{:016x}", hash_of(text));
  std::string value;
  for (const char c : text.substr(0, schema::kMaxLabelBytes - hash.size() - 1)) {
    const bool is_valid = is_letter_or_digit(c) || c == '-' || c == '.' || c == '_';
    // It has to begin with a letter or digit.
    if (is_valid && (!value.empty() || is_letter_or_digit(c))) value += c;
  }
  return value.empty() ? hash : fmt::format("{}-{}", value, hash);
}

void shorten(Decision& decision) {
  cut(decision.owner, kMaxNameBytes);
  cut(decision.consulted);
  if (decision.picker) {
    cut(decision.picker->problem, kMaxSentenceBytes);
    for (std::string* text : {&decision.picker->endpoint, &decision.picker->carrier,
                              &decision.picker->idempotency_key}) {
      cut(*text, kMaxNameBytes);
    }
    decision.picker->detail.clear();
  }
  if (decision.ranking) {
    cut(decision.ranking->problems);
    cut(decision.ranking->policy, kMaxNameBytes);
    cut(decision.ranking->carrier, kMaxNameBytes);
  }
  if (decision.actual) {
    for (Decision::Actual::Removed& pod : decision.actual->removed) {
      cut(pod.because, kMaxSentenceBytes);
    }
  }
  for (Decision::Victim& victim : decision.victims) {
    cut(victim.because, kMaxSentenceBytes);
    cut(victim.outcome, kMaxSentenceBytes);
  }
}

json::object decision_object(const Decision& decision) {
  const DecisionWorkload workload = workload_of(decision);
  json::object spec = spec_of(decision);
  limit_size(spec);
  return {{"apiVersion", decision_kind().api_version()},
          {"kind", decision_kind().name},
          {"metadata",
           {{"name", decision_name(decision)},
            {"namespace", decision.namespace_name},
            {"labels",
             {{"app.kubernetes.io/managed-by", "ebb"},
              {model::kDecisionWorkloadKindLabel, label_value(workload.kind)},
              {model::kDecisionWorkloadLabel, label_value(workload.name)}}}}},
          {"spec", std::move(spec)}};
}

}  // namespace ebb::control
