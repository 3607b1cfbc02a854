#include "model/managed_fields_text.h"

#include "model/raw_json.h"

namespace ebb::model {

namespace {

// Within a text, quotes are escaped: this stands only where it is the name of a field.
constexpr std::string_view kName = R"(managedFields":[)";

}  // namespace

std::optional<CutText> cut_managed_fields(std::string_view json) {
  // Looked for without its first quote, since a letter is found faster among so many quotes.
  std::size_t begin = json.find(kName);
  if (begin == std::string_view::npos || begin == 0 || json[begin - 1] != '"') return std::nullopt;
  const std::size_t list = begin + kName.size() - 1;
  std::size_t end = end_of_value(json, list);
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
