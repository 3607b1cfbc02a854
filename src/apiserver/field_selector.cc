// Field selectors: terms `FIELD=VALUE`, `FIELD==VALUE`, `FIELD!=VALUE` between commas, all of
// which must hold. Empty terms mean nothing. In values a backslash stands before a comma, an
// equals sign or a backslash that is meant as such.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "apiserver/selectors.h"
#include "model/printable.h"

namespace ebb::apiserver {

using model::bad_request;
using model::StatusOr;

namespace {

struct Term {
  std::string_view field;
  bool equal = true;
  std::string value;
};

// Commas behind a backslash belong to a value.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] == '\\') {
      ++i;
    } else if (i >= text.size() || text[i] == ',') {
      terms.push_back(text.substr(begin, i - begin));
      begin = std::min(i + 1, text.size());
    }
  }
  if (begin < text.size()) terms.push_back(text.substr(begin));
  return terms;
}

// A whole character, however many bytes it has; nothing at the end.
std::string_view character_at(std::string_view text, std::size_t begin) {
  std::size_t end = std::min(begin + 1, text.size());
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return text.substr(begin, end - begin);
}

StatusOr<std::string> unescape(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char c = value[i];
    if (c == ',' || c == '=') {
      // Kubernetes prints the character's number.
      return tl::unexpected(bad_request(fmt::format(
          "invalid field selector: unescaped character in value: {}", static_cast<int>(c))));
    }
    if (c != '\\') {
      plain += c;
      continue;
    }
    const std::string_view escaped = character_at(value, ++i);
    if (escaped != "\\" && escaped != "," && escaped != "=") {
      return tl::unexpected(
          bad_request(fmt::format("invalid field selector: invalid escape sequence: \\{}",
                                  model::printable(std::string(escaped)))));
    }
    plain += escaped;
  }
  return plain;
}

// Splits at the first operator; fields know no escapes.
StatusOr<Term> parse_term(std::string_view text, std::string_view term) {
  const std::size_t at = term.find('=');
  if (at == std::string_view::npos) {
    return tl::unexpected(bad_request(fmt::format("invalid selector: '{}'; can't understand '{}'",
                                                  model::printable_and_short(text),
                                                  model::printable_and_short(term))));
  }
  const bool unequal = at > 0 && term[at - 1] == '!';
  const bool doubled = !unequal && term.substr(at).starts_with("==");
  auto value = unescape(term.substr(at + (doubled ? 2 : 1)));
  if (!value) return tl::unexpected(std::move(value.error()));
  return Term{term.substr(0, unequal ? at - 1 : at), !unequal, std::move(*value)};
}

StatusOr<std::size_t> find_field(const schema::Kind& kind, std::string_view label) {
  if (label == "metadata.name") return 0;
  if (label == "metadata.namespace") return 1;
  for (std::size_t i = 0; i < kind.selectable.size(); ++i) {
    if (kind.selectable[i].label == label) return i + 2;
  }
  const std::string shown = model::printable_and_short(label);
  // Kubernetes has other words for kinds that offer nothing but these two.
  if (kind.selectable.empty() && !kind.custom) {
    return tl::unexpected(bad_request(fmt::format(
        "\"{}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
        shown)));
  }
  return tl::unexpected(bad_request(fmt::format("field label not supported: {}", shown)));
}

}  // namespace

StatusOr<FieldSelector> FieldSelector::parse(const schema::Kind& kind, std::string_view text) {
  // Messages quote the text.
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return tl::unexpected(bad_request("the field selector is not valid UTF-8"));
  }
  std::vector<std::string_view> parts = split_terms(text);
  std::sort(parts.begin(), parts.end());
  std::vector<Term> terms;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    auto term = parse_term(text, part);
    if (!term) return tl::unexpected(std::move(term.error()));
    terms.push_back(std::move(*term));
  }
  FieldSelector selector;
  for (Term& term : terms) {
    auto field = find_field(kind, term.field);
    if (!field) return tl::unexpected(std::move(field.error()));
    selector.requirements_.push_back({*field, term.equal, std::move(term.value)});
  }
  return selector;
}

bool FieldSelector::matches(std::span<const std::string_view> values) const {
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& one) {
    const std::string_view value =
        one.field < values.size() ? values[one.field] : std::string_view();
    return (value == one.value) == one.equal;
  });
}

std::string_view FieldSelector::only_name() const {
  const auto found =
      std::find_if(requirements_.begin(), requirements_.end(),
                   [](const Requirement& one) { return one.field == 0 && one.equal; });
  return found == requirements_.end() ? std::string_view() : found->value;
}

}  // namespace ebb::apiserver
