#include "model/json/managed_fields_text.h"

#include "model/json/raw_json.h"

namespace ebb::model {

namespace {

// Quotes within a string are escaped, so this occurs only at the end of a field name.
constexpr std::string_view kName = R"(managedFields":[)";

}  // namespace

std::optional<CutText> cut_managed_fields(std::string_view json) {
  // The search skips the first quote: a letter is found faster among so many quotes.
  std::size_t begin = json.find(kName);
  // Another name may have the same ending, even after an escaped quote: {"a\"managedFields":[]}
  if (begin == std::string_view::npos || begin < 2 || json[begin - 1] != '"' ||
      (json[begin - 2] != '{' && json[begin - 2] != ',')) {
    return std::nullopt;
  }
  const std::size_t list = begin + kName.size() - 1;
  std::size_t end = end_of_value(json, list);
  if (end == std::string_view::npos) return std::nullopt;
  --begin;
  CutText cut{.rest = {}, .entries = json.substr(list, end - list)};
  // Also cuts one of the surrounding commas.
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
