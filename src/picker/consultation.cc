#include "picker/consultation.h"

#include <algorithm>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

namespace ebb::picker {

using model::Pod;
using model::Verdict;

std::size_t number_to_ask_for(std::span<const Pod* const> pods, std::size_t surplus) {
  const auto going_anyway = static_cast<std::size_t>(
      std::count_if(pods.begin(), pods.end(), [](const Pod* pod) { return !pod->serving(); }));
  return going_anyway < surplus && surplus < pods.size() ? surplus - going_anyway : 0;
}

Consultation prepare(std::span<const Pod* const> pods, std::size_t surplus) {
  Consultation consultation{.requested = number_to_ask_for(pods, surplus), .candidates = {}};
  for (const Pod* pod : pods) {
    if (pod->serving()) consultation.candidates.emplace_back(pod->name.view());
  }
  std::sort(consultation.candidates.begin(), consultation.candidates.end());
  return consultation;
}

namespace {

using Places = boost::unordered_flat_map<std::string_view, std::size_t>;

Verdicts judge_places(const Places& places, std::size_t size, const Answer& answer) {
  Verdicts verdicts;
  verdicts.of_pods.assign(size, Verdict::kUnnamed);
  bool any = false;
  const auto apply = [&](const std::vector<std::string>& names, Verdict verdict) {
    for (const std::string& name : names) {
      const auto place = places.find(name);
      if (place == places.end() || verdicts.of_pods[place->second] == verdict) {
        verdicts.ignored.push_back(name);
      } else if (verdicts.of_pods[place->second] == Verdict::kUnnamed) {
        verdicts.of_pods[place->second] = verdict;
        any = true;
      }
    }
  };
  apply(answer.chosen, Verdict::kChosen);
  apply(answer.tied, Verdict::kTied);
  if (!any) verdicts.of_pods.clear();
  return verdicts;
}

}  // namespace

Verdicts judge(std::span<const Pod* const> pods, const Answer& answer) {
  Places places;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (pods[i]->serving()) places.emplace(pods[i]->name.view(), i);
  }
  return judge_places(places, pods.size(), answer);
}

Verdicts judge_names(std::span<const std::string_view> candidates, const Answer& answer) {
  Places places;
  for (std::size_t i = 0; i < candidates.size(); ++i) places.emplace(candidates[i], i);
  return judge_places(places, candidates.size(), answer);
}

}  // namespace ebb::picker
