// What spec.ranking of a DownscalePolicy asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"

namespace ebb::ranking {

struct Strategy;  // strategy.h

// Where ranks are written.
enum class Publish : std::uint8_t { kPodGroupCost, kAnnotation, kStatusField, kPodDeletionCost };
[[nodiscard]] std::string_view to_string(Publish publish);  // as in the policy

struct Weighed {
  const Strategy* strategy = nullptr;  // of the table, never null
  boost::json::object args{};          // complete and valid: defaults are filled in
  std::int32_t weight = 1;
  std::optional<std::int32_t> threshold{};  // ranks above count as this
};

struct Settings {
  std::vector<Weighed> strategies{};  // at least one; a preset is expanded
  bool exact = false;
  Publish publish = Publish::kPodGroupCost;
  // How long a scale-down waits for complete ranks; nothing: as the ranks themselves ask for.
  std::optional<std::int32_t> wait_seconds{};
  bool during_rollouts = false;

  // Whether a removal makes all ranks worthless: a strategy says so, and ranks are not exact.
  [[nodiscard]] bool recomputes() const;
};

// `where` is the field that holds it: an error names the place below it and what would be right.
// Everything is checked, also what an API server should have refused. What publishes elsewhere
// than as PodGroupCost although it has to be recomputed is refused.
[[nodiscard]] Result<Settings> decode_settings(const boost::json::value& ranking,
                                               std::string_view where);

}  // namespace ebb::ranking
