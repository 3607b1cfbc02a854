// The grammar of label selectors:
//   selector    = [requirement {"," requirement}]
//   requirement = "!" KEY | KEY [operator VALUE | ("in" | "notin") "(" [VALUE] {"," [VALUE]} ")"]
//   operator    = "=" | "==" | "!=" | ">" | "<"
// Blanks between words are allowed. "in" and "notin" are operators only after a key.
#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include "apiserver/store/selectors.h"
#include "model/json/printable.h"
#include "schema/core/name_rules.h"

namespace ebb::apiserver {

using model::StatusOr;

namespace {

using Operator = LabelSelector::Operator;
using Requirement = LabelSelector::Requirement;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_symbol(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }

// Splits a selector into words and symbols. Returns an empty word at the end.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) { advance(); }

  [[nodiscard]] std::string_view here() const { return word_; }
  [[nodiscard]] bool at_end() const { return word_.empty(); }
  [[nodiscard]] bool at_name() const { return !at_end() && !is_symbol(word_.front()); }

  std::string_view take() {
    const std::string_view taken = word_;
    advance();
    return taken;
  }

 private:
  void advance() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
    std::size_t size = 0;
    if (rest_.starts_with("==") || rest_.starts_with("!=")) {
      size = 2;
    } else if (!rest_.empty() && is_symbol(rest_.front())) {
      size = 1;
    } else {
      while (size < rest_.size() && !is_blank(rest_[size]) && !is_symbol(rest_[size])) ++size;
    }
    word_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
  }

  std::string_view rest_;
  std::string_view word_;
};

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// `found 'x', expected: y`.
tl::unexpected<std::string> unexpected_word(std::string_view found, std::string_view expected) {
  return tl::unexpected(
      fmt::format("found '{}', expected: {}", model::printable_and_short(found), expected));
}

std::string invalid_value(std::string_view field, std::string_view value, std::string_view why) {
  const boost::json::string shown(model::printable_and_short(value));
  return fmt::format("{}: Invalid value: {}: {}", field, boost::json::serialize(shown), why);
}

class Parser {
 public:
  template <class T>
  using Parsed = tl::expected<T, std::string>;

  explicit Parser(std::string_view text) : words_(text) {}

  Parsed<std::vector<Requirement>> parse() {
    std::vector<Requirement> requirements;
    if (words_.at_end()) return requirements;
    if (!begins_requirement()) {
      return unexpected_word(words_.here(), "!, identifier, or 'end of string'");
    }
    while (true) {
      auto requirement = parse_requirement();
      if (!requirement) {
        return tl::unexpected("unable to parse requirement: " + requirement.error());
      }
      requirements.push_back(std::move(*requirement));
      if (words_.at_end()) return requirements;
      if (words_.here() != ",") {
        return unexpected_word(words_.here(), "',' or 'end of string'");
      }
      words_.take();
      if (!begins_requirement()) return unexpected_word(words_.here(), "identifier after ','");
    }
  }

 private:
  [[nodiscard]] bool begins_requirement() const { return words_.at_name() || words_.here() == "!"; }

  Parsed<Requirement> parse_requirement() {
    Requirement requirement;
    const bool negated = words_.here() == "!";
    if (negated) words_.take();
    if (!words_.at_name()) return unexpected_word(words_.here(), "identifier");
    requirement.key = words_.take();
    if (const auto errors = schema::qualified_name_errors(requirement.key); !errors.empty()) {
      return tl::unexpected(
          invalid_value("<nil>", requirement.key, fmt::format("{}", fmt::join(errors, "; "))));
    }
    if (negated || words_.at_end() || words_.here() == ",") {
      requirement.op = negated ? Operator::kDoesNotExist : Operator::kExists;
      return requirement;
    }
    const std::string_view op = words_.take();
    EBB_ASSIGN_OR_RETURN(auto values,
                         op == "in" || op == "notin" ? parse_values() : parse_value(op));
    requirement.op = operator_of(op);
    requirement.values = std::move(values);
    return check_values(std::move(requirement));
  }

  static Operator operator_of(std::string_view word) {
    if (word == "!=" || word == "notin") return Operator::kNotIn;
    if (word == ">") return Operator::kGreater;
    if (word == "<") return Operator::kLess;
    return Operator::kIn;
  }

  // The value after = == != > <
  Parsed<std::vector<std::string>> parse_value(std::string_view op) {
    if (op != "=" && op != "==" && op != "!=" && op != ">" && op != "<") {
      return unexpected_word(op, "in, notin, =, ==, !=, gt, lt");
    }
    if (words_.at_end() || words_.here() == ",") return std::vector<std::string>{""};
    if (!words_.at_name()) return unexpected_word(words_.here(), "identifier");
    return std::vector<std::string>{std::string(words_.take())};
  }

  // The values after in and notin, sorted and without duplicates.
  Parsed<std::vector<std::string>> parse_values() {
    if (words_.here() != "(") {
      return tl::unexpected(
          fmt::format("found '{}' expected: '('", model::printable_and_short(words_.here())));
    }
    words_.take();
    std::vector<std::string> values;
    while (true) {
      const bool named = words_.at_name();
      values.emplace_back(named ? words_.take() : std::string_view());
      if (words_.here() == ")") break;
      if (words_.here() != ",") {
        const bool first = values.size() == 1;
        return unexpected_word(words_.here(), named   ? "',' or ')'"
                                              : first ? "',', ')' or identifier"
                                                      : "',', or identifier");
      }
      words_.take();
    }
    words_.take();
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  static Parsed<Requirement> check_values(Requirement requirement) {
    std::vector<std::string> errors;
    const bool compares = requirement.op == Operator::kGreater || requirement.op == Operator::kLess;
    if (compares && !parse_integer(requirement.values.front())) {
      errors.push_back(invalid_value("values[0]", requirement.values.front(),
                                     "for 'Gt', 'Lt' operators, the value must be an integer"));
    }
    for (std::size_t i = 0; i < requirement.values.size(); ++i) {
      const auto wrong = schema::label_value_errors(requirement.values[i]);
      if (wrong.empty()) continue;
      errors.push_back(invalid_value(fmt::format("values[{}][{}]", i, requirement.key),
                                     requirement.values[i],
                                     fmt::format("{}", fmt::join(wrong, "; "))));
    }
    if (errors.empty()) return requirement;
    const std::string all = fmt::format("{}", fmt::join(errors, ", "));
    return tl::unexpected(errors.size() == 1 ? all : fmt::format("[{}]", all));
  }

  Words words_;
};

const std::string_view* find_label(std::span<const LabelView> labels, std::string_view key) {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const LabelView& label) { return label.first == key; });
  return found == labels.end() ? nullptr : &found->second;
}

bool compares(const Requirement& requirement, std::string_view value) {
  const auto number = parse_integer(value);
  const auto limit = parse_integer(requirement.values.front());
  if (!number || !limit) return false;
  return requirement.op == Operator::kGreater ? *number > *limit : *number < *limit;
}

bool holds(const Requirement& requirement, const std::string_view* value) {
  const auto is_listed = [&] {
    return std::find(requirement.values.begin(), requirement.values.end(), *value) !=
           requirement.values.end();
  };
  switch (requirement.op) {
    case Operator::kIn:
      return value != nullptr && is_listed();
    case Operator::kNotIn:
      return value == nullptr || !is_listed();
    case Operator::kExists:
      return value != nullptr;
    case Operator::kDoesNotExist:
      return value == nullptr;
    case Operator::kGreater:
    case Operator::kLess:
      return value != nullptr && compares(requirement, *value);
  }
  return false;
}

}  // namespace

StatusOr<LabelSelector> LabelSelector::parse(std::string_view text) {
  // Messages quote the text, so it must be UTF-8.
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return tl::unexpected(model::bad_request("the label selector is not valid UTF-8"));
  }
  auto requirements = Parser(text).parse();
  if (!requirements) return tl::unexpected(model::bad_request(std::move(requirements.error())));
  LabelSelector selector;
  selector.requirements_ = std::move(*requirements);
  std::stable_sort(selector.requirements_.begin(), selector.requirements_.end(),
                   [](const Requirement& a, const Requirement& b) { return a.key < b.key; });
  return selector;
}

bool LabelSelector::matches(std::span<const LabelView> labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& one) {
    return holds(one, find_label(labels, one.key));
  });
}

}  // namespace ebb::apiserver
