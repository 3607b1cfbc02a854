// The settings in spec.ranking of a DownscalePolicy.
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
  // How long a scale-down waits for complete ranks; nothing: the ranks decide.
  std::optional<std::int32_t> wait_seconds{};
  bool during_rollouts = false;
  // Whether to skip an exact order that takes long. Off for a user who waits for the result.
  bool bounded = true;

  // Whether a removal invalidates all ranks: a strategy says so, and ranks are not exact.
  [[nodiscard]] bool recomputes() const;
};

// `where` is the field that holds the settings: an error names the path below it and what would be
// right. Everything is checked, including rules that an API server enforces. Settings that
// recompute but publish elsewhere than in a PodGroupCost are rejected.
[[nodiscard]] Result<Settings> decode_settings(const boost::json::value& ranking,
                                               std::string_view where);

}  // namespace ebb::ranking
