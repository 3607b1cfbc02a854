#include "sim/picker_answers.h"

#include <algorithm>
#include <utility>

#include "base/wire_reader.h"
#include "schema/json.h"
#include "sim/objects.h"

namespace ebb::sim {
namespace {

// How dear a pod is to a picker. FNV, because it must be the same on every machine.
std::uint64_t value_of(std::string_view host, std::string_view pod) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  const auto mix = [&](std::string_view text) {
    for (const char c : text) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
  };
  mix(host);
  mix(pod);
  return hash >> 8U;
}

std::optional<HeardQuestion> read_json(std::string_view body) {
  const boost::json::object object = read_object(body);
  const auto requested = schema::integer_at(object, {"number_of_pods_requested"});
  const auto* const names = schema::array_at(object, {"candidate_pods"});
  if (!requested || *requested < 1 || names == nullptr) return std::nullopt;
  HeardQuestion question{.requested = static_cast<std::size_t>(*requested)};
  for (const auto& name : *names) {
    if (!name.is_string()) return std::nullopt;
    question.candidates.emplace_back(name.get_string());
  }
  return question;
}

// ebb.picker.v1.PickRequest.
std::optional<HeardQuestion> read_protobuf(std::string_view body) {
  HeardQuestion question;
  WireReader reader(body);
  while (reader.next()) {
    if (reader.field() == 1) question.requested = reader.number();
    if (reader.field() == 2) question.candidates.emplace_back(reader.bytes());
  }
  if (!reader.ok() || question.requested == 0) return std::nullopt;
  return question;
}

}  // namespace

std::optional<HeardQuestion> read_question(const picker::Call& call) {
  return call.settings->protocol == picker::Protocol::kGrpc ? read_protobuf(*call.body)
                                                            : read_json(*call.body);
}

picker::Answer answer_well(const HeardQuestion& question, std::string_view host) {
  enum class Habit : std::uint8_t { kExact, kTies, kOnlyTies, kTooFew };
  const auto habit = static_cast<Habit>(value_of(host, "habit") % 4);
  // Few classes, so that many pods are equally dear.
  const std::uint64_t classes = habit == Habit::kTies ? 3 : 1'000'003;
  std::vector<std::pair<std::uint64_t, std::string>> pods;
  pods.reserve(question.candidates.size());
  for (const std::string& name : question.candidates) {
    pods.emplace_back(value_of(host, name) % classes, name);
  }
  std::sort(pods.begin(), pods.end());
  std::size_t wanted = std::min(question.requested, pods.size());
  if (habit == Habit::kTooFew) wanted /= 2;
  picker::Answer answer;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const bool tied = habit == Habit::kOnlyTies
                          ? i < wanted + 1
                          : habit == Habit::kTies && wanted > 0 && wanted < pods.size() &&
                                pods[i].first == pods[wanted - 1].first &&
                                pods[wanted].first == pods[wanted - 1].first;
    if (tied) {
      answer.tied.push_back(pods[i].second);
    } else if (i < wanted && habit != Habit::kOnlyTies) {
      answer.chosen.push_back(pods[i].second);
    }
  }
  return answer;
}

picker::Answer answer_wrongly(const HeardQuestion& question, const std::vector<std::string>& others,
                              Dice& dice) {
  picker::Answer answer;
  const auto some = [&](const std::vector<std::string>& names, picker::NameList& into) {
    for (const std::string& name : names) {
      if (dice.chance(0.3)) into.push_back(name);
    }
  };
  if (dice.chance(0.5)) some(others, answer.chosen);
  if (dice.chance(0.3)) some(others, answer.tied);
  if (dice.chance(0.3)) answer.chosen.push_back("../../etc/passwd");
  if (dice.chance(0.3)) answer.tied.push_back("");
  if (dice.chance(0.5)) some(question.candidates, answer.chosen);
  if (dice.chance(0.5)) some(question.candidates, answer.tied);
  if (dice.chance(0.3)) answer.chosen = question.candidates;
  if (dice.chance(0.3)) {
    const picker::NameList again = answer.chosen;
    for (const std::string_view name : again) answer.chosen.push_back(name);
  }
  return answer;
}

}  // namespace ebb::sim
