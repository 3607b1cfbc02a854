#include "model/managed_fields_text.h"

namespace ebb::model {

namespace {

// Within a text, quotes are escaped: this stands only where it is the name of a field.
constexpr std::string_view kName = R"(managedFields":[)";

// Behind the bracket that closes the one at `begin`, or npos.
std::size_t end_of_list(std::string_view json, std::size_t begin) {
  std::size_t depth = 0;
  for (std::size_t at = begin; at < json.size(); ++at) {
    switch (json[at]) {
      case '"':
        for (++at; at < json.size() && json[at] != '"'; ++at) {
          if (json[at] == '\\') ++at;
        }
        break;
      case '[':
        ++depth;
        break;
      case ']':
        if (--depth == 0) return at + 1;
        break;
      default:
        break;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<CutText> cut_managed_fields(std::string_view json) {
  // Looked for without its first quote, since a letter is found faster among so many quotes.
  std::size_t begin = json.find(kName);
  if (begin == std::string_view::npos || begin == 0 || json[begin - 1] != '"') return std::nullopt;
  const std::size_t list = begin + kName.size() - 1;
  std::size_t end = end_of_list(json, list);
  if (end == std::string_view::npos) return std::nullopt;
  --begin;
  CutText cut{.rest = {}, .entries = json.substr(list, end - list)};
  // One of the commas around it goes with it.
  if (begin > 0 && json[begin - 1] == ',') {
    --begin;
  } else if (end < json.size() && json[end] == ',') {
    ++end;
  }
  cut.rest.reserve(json.size() - (end - begin));
  cut.rest += json.substr(0, begin);
  cut.rest += json.substr(end);
  return cut;
}

}  // namespace ebb::model
