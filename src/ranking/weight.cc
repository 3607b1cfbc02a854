// Weight: a number that another client wrote on the pod, as a label or an annotation. This is how
// you plug in a strategy of your own. A missing value or one that is not an integer is 0; values
// out of range are clamped.
#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

#include "ranking/label_key.h"
#include "ranking/rank_by.h"
#include "schema/core/json.h"

namespace ebb::ranking {
namespace {

std::int32_t number_in(std::string_view text) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return 0;
  if (error != std::errc()) number = text.front() == '-' ? -kMax : kMax;
  return static_cast<std::int32_t>(std::clamp(number, -kMax, kMax));
}

}  // namespace

Ranks rank_by_weight(Pods pods, const Args& args, const ClusterReader& /*around*/) {
  const std::string_view label = schema::text_at(args, {"label"});
  LabelKey key(label.empty() ? schema::text_at(args, {"annotation"}) : label);
  Ranks ranks;
  ranks.reserve(pods.size());
  for (const model::Pod* pod : pods) {
    const model::Interned* value = key.find(label.empty() ? pod->numbers : pod->labels);
    ranks.push_back(value == nullptr ? 0 : number_in(value->view()));
  }
  return ranks;
}

}  // namespace ebb::ranking
