#include "picker/prepared_request.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

namespace ebb::picker {

using model::Pod;
using model::Verdict;

std::size_t number_to_request(std::span<const Pod* const> pods, std::size_t surplus) {
  const auto going_anyway = static_cast<std::size_t>(
      std::count_if(pods.begin(), pods.end(), [](const Pod* pod) { return !pod->serving(); }));
  return going_anyway < surplus && surplus < pods.size() ? surplus - going_anyway : 0;
}

namespace {

// The common prefix of all names.
std::size_t common_prefix(std::span<const Pod* const> pods) {
  if (pods.empty()) return 0;
  const std::string_view first = pods.front()->name.view();
  std::size_t length = first.size();
  for (const Pod* pod : pods) {
    const std::string_view name = pod->name.view();
    length = std::min(length, name.size());
    const auto [end, other] = std::mismatch(
        first.begin(), first.begin() + static_cast<std::ptrdiff_t>(length), name.begin());
    length = static_cast<std::size_t>(end - first.begin());
  }
  return length;
}

// The first eight bytes as a number with the same order.
std::uint64_t leading_bytes(std::string_view text) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number = number << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
  }
  return number;
}

// Pods of a ReplicaSet share its name as a prefix, so comparing thousands of names mostly compares
// equal bytes. The bytes after the prefix are compared first, as numbers.
void sort_by_name(std::vector<const Pod*>& pods) {
  struct Place {
    std::uint64_t letters;
    const Pod* pod;
  };
  const std::size_t prefix = common_prefix(pods);
  std::vector<Place> places;
  places.reserve(pods.size());
  for (const Pod* pod : pods) {
    places.push_back({leading_bytes(pod->name.view().substr(prefix)), pod});
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    if (a.letters != b.letters) return a.letters < b.letters;
    return a.pod->name.view() < b.pod->name.view();
  });
  std::transform(places.begin(), places.end(), pods.begin(),
                 [](const Place& place) { return place.pod; });
}

}  // namespace

PreparedRequest prepare(std::span<const Pod* const> pods, std::size_t surplus) {
  PreparedRequest prepared{
      .requested = number_to_request(pods, surplus), .candidates = {}, .pods = {}};
  std::copy_if(pods.begin(), pods.end(), std::back_inserter(prepared.pods),
               [](const Pod* pod) { return pod->serving(); });
  sort_by_name(prepared.pods);
  prepared.candidates.reserve(prepared.pods.size());
  for (const Pod* pod : prepared.pods) prepared.candidates.emplace_back(pod->name.view());
  return prepared;
}

namespace {

using Places = boost::unordered_flat_map<std::string_view, std::size_t>;

Verdicts judge_places(const Places& places, std::size_t size, const Answer& answer) {
  Verdicts verdicts;
  verdicts.of_pods.assign(size, Verdict::kUnnamed);
  bool any = false;
  const auto apply = [&](const NameList& names, Verdict verdict) {
    for (const std::string_view name : names) {
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
  places.reserve(pods.size());
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (pods[i]->serving()) places.emplace(pods[i]->name.view(), i);
  }
  return judge_places(places, pods.size(), answer);
}

Verdicts judge_names(std::span<const std::string_view> candidates, const Answer& answer) {
  Places places;
  places.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) places.emplace(candidates[i], i);
  return judge_places(places, candidates.size(), answer);
}

}  // namespace ebb::picker
