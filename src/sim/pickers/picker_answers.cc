#include "sim/pickers/picker_answers.h"

#include <algorithm>
#include <utility>

#include "base/wire_reader.h"
#include "schema/core/json.h"
#include "sim/core/objects.h"

namespace ebb::sim {
namespace {

// The value of a pod to a picker. FNV, because it must be the same on every machine.
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

std::optional<ReceivedRequest> read_json(std::string_view body) {
  const boost::json::object object = read_object(body);
  const auto requested = schema::integer_at(object, {"number_of_pods_requested"});
  const auto* const names = schema::array_at(object, {"candidate_pods"});
  if (!requested || *requested < 1 || names == nullptr) return std::nullopt;
  ReceivedRequest request{.requested = static_cast<std::size_t>(*requested)};
  for (const auto& name : *names) {
    if (!name.is_string()) return std::nullopt;
    request.candidates.emplace_back(name.get_string());
  }
  return request;
}

// ebb.picker.v1.PickRequest.
std::optional<ReceivedRequest> read_protobuf(std::string_view body) {
  ReceivedRequest request;
  WireReader reader(body);
  while (reader.next()) {
    if (reader.field() == 1) request.requested = reader.number();
    if (reader.field() == 2) request.candidates.emplace_back(reader.bytes());
  }
  if (!reader.ok() || request.requested == 0) return std::nullopt;
  return request;
}

}  // namespace

std::optional<ReceivedRequest> read_request(const picker::Call& call) {
  return call.settings->protocol == picker::Protocol::kGrpc ? read_protobuf(*call.body)
                                                            : read_json(*call.body);
}

picker::Answer answer_well(const ReceivedRequest& request, std::string_view host) {
  enum class Habit : std::uint8_t { kExact, kTies, kOnlyTies, kTooFew };
  const auto habit = static_cast<Habit>(value_of(host, "habit") % 4);
  // Few classes, so that many pods have the same value.
  const std::uint64_t classes = habit == Habit::kTies ? 3 : 1'000'003;
  std::vector<std::pair<std::uint64_t, std::string>> pods;
  pods.reserve(request.candidates.size());
  for (const std::string& name : request.candidates) {
    pods.emplace_back(value_of(host, name) % classes, name);
  }
  std::sort(pods.begin(), pods.end());
  std::size_t wanted = std::min(request.requested, pods.size());
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

picker::Answer answer_wrongly(const ReceivedRequest& request,
                              const std::vector<std::string>& others, Random& random) {
  picker::Answer answer;
  const auto some = [&](const std::vector<std::string>& names, picker::NameList& into) {
    for (const std::string& name : names) {
      if (random.chance(0.3)) into.push_back(name);
    }
  };
  if (random.chance(0.5)) some(others, answer.chosen);
  if (random.chance(0.3)) some(others, answer.tied);
  if (random.chance(0.3)) answer.chosen.push_back("../../etc/passwd");
  if (random.chance(0.3)) answer.tied.push_back("");
  if (random.chance(0.5)) some(request.candidates, answer.chosen);
  if (random.chance(0.5)) some(request.candidates, answer.tied);
  if (random.chance(0.3)) answer.chosen = request.candidates;
  if (random.chance(0.3)) {
    const picker::NameList again = answer.chosen;
    for (const std::string_view name : again) answer.chosen.push_back(name);
  }
  return answer;
}

}  // namespace ebb::sim
