// Requirements on labels: label selectors for pods, node selector terms for nodes.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

namespace ebb::hollow {

using Labels = std::map<std::string, std::string, std::less<>>;

[[nodiscard]] Labels read_labels(const boost::json::object* labels);

struct LabelRequirement {
  // kUnknown never matches.
  enum class Operator : std::uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt, kUnknown };

  std::string key{};
  Operator op = Operator::kUnknown;
  std::vector<std::string> values{};

  // `value` is nullptr if the label is absent.
  [[nodiscard]] bool met_by(const std::string* value) const;
  [[nodiscard]] bool met_by(const Labels& labels) const;

  friend auto operator<=>(const LabelRequirement&, const LabelRequirement&) = default;
};

// Reads a list of {key, operator, values}.
[[nodiscard]] std::vector<LabelRequirement> read_requirements(const boost::json::object& parent,
                                                              std::string_view field);

[[nodiscard]] bool all_met(const std::vector<LabelRequirement>& requirements, const Labels& labels);

// An absent selector selects nothing; an empty one selects everything.
struct LabelSelector {
  bool selects_nothing = true;
  std::vector<LabelRequirement> requirements{};

  [[nodiscard]] bool selects(const Labels& labels) const {
    return !selects_nothing && all_met(requirements, labels);
  }
  friend auto operator<=>(const LabelSelector&, const LabelSelector&) = default;
};

// Reads the labelSelector of an object.
[[nodiscard]] LabelSelector read_label_selector(const boost::json::object& parent,
                                                std::string_view field);

}  // namespace ebb::hollow
