// Field selectors: terms `FIELD=VALUE`, `FIELD==VALUE` or `FIELD!=VALUE`, separated by commas, all
// of which must match. Empty terms are ignored. In values, a backslash escapes a comma, an equals
// sign or a backslash.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "apiserver/store/selectors.h"
#include "model/json/printable.h"

namespace ebb::apiserver {

using model::bad_request;
using model::StatusOr;

namespace {

struct Term {
  std::string_view field;
  bool equal = true;
  std::string value;
};

// Escaped commas belong to a value.
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

// Returns one whole character, however many bytes it has; empty at the end.
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

// Splits at the first operator; field names have no escapes.
StatusOr<Term> parse_term(std::string_view text, std::string_view term) {
  const std::size_t at = term.find('=');
  if (at == std::string_view::npos) {
    return tl::unexpected(bad_request(fmt::format("invalid selector: '{}'; can't understand '{}'",
                                                  model::printable_and_short(text),
                                                  model::printable_and_short(term))));
  }
  const bool unequal = at > 0 && term[at - 1] == '!';
  const bool doubled = !unequal && term.substr(at).starts_with("==");
  EBB_ASSIGN_OR_RETURN(auto value, unescape(term.substr(at + (doubled ? 2 : 1))));
  return Term{term.substr(0, unequal ? at - 1 : at), !unequal, std::move(value)};
}

StatusOr<std::size_t> find_field(const schema::Kind& kind, std::string_view label) {
  if (label == "metadata.name") return 0;
  if (label == "metadata.namespace") return 1;
  for (std::size_t i = 0; i < kind.selectable.size(); ++i) {
    if (kind.selectable[i].label == label) return i + 2;
  }
  const std::string shown = model::printable_and_short(label);
  // Kubernetes words this differently for kinds that support only these two.
  if (kind.selectable.empty() && !kind.custom) {
    return tl::unexpected(bad_request(fmt::format(
        "\"{}\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"",
        shown)));
  }
  return tl::unexpected(bad_request(fmt::format("field label not supported: {}", shown)));
}

}  // namespace

StatusOr<FieldSelector> FieldSelector::parse(const schema::Kind& kind, std::string_view text) {
  // Messages quote the text, so it must be UTF-8.
  if (!simdjson::validate_utf8(text.data(), text.size())) {
    return tl::unexpected(bad_request("the field selector is not valid UTF-8"));
  }
  std::vector<std::string_view> parts = split_terms(text);
  std::sort(parts.begin(), parts.end());
  std::vector<Term> terms;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    EBB_ASSIGN_OR_RETURN(auto term, parse_term(text, part));
    terms.push_back(std::move(term));
  }
  FieldSelector selector;
  for (Term& term : terms) {
    EBB_ASSIGN_OR_RETURN(auto field, find_field(kind, term.field));
    selector.requirements_.push_back({field, term.equal, std::move(term.value)});
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
