#include "apiserver/patch/json_pointer.h"

#include <algorithm>
#include <charconv>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

// Nothing if a tilde is not followed by 0 or 1.
std::optional<std::string> unescape(std::string_view step) {
  std::string plain;
  plain.reserve(step.size());
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] != '~') {
      plain += step[i];
      continue;
    }
    ++i;
    if (i == step.size() || (step[i] != '0' && step[i] != '1')) return std::nullopt;
    plain += step[i] == '0' ? '~' : '/';
  }
  return plain;
}

}  // namespace

std::optional<Pointer> parse_pointer(std::string_view text) {
  Pointer steps;
  while (!text.empty()) {
    if (text.front() != '/') return std::nullopt;
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find('/'), text.size());
    auto step = unescape(text.substr(0, end));
    if (!step) return std::nullopt;
    steps.push_back(std::move(*step));
    text.remove_prefix(end);
  }
  return steps;
}

std::optional<std::size_t> parse_index(std::string_view step) {
  if (step.empty() || (step.size() > 1 && step.front() == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (error != std::errc() || end != step.data() + step.size()) return std::nullopt;
  return index;
}

json::value* resolve(json::value& document, std::span<const std::string> steps) {
  json::value* here = &document;
  for (const std::string& step : steps) {
    if (json::object* object = here->if_object()) {
      here = object->if_contains(step);
    } else if (json::array* array = here->if_array()) {
      const auto index = parse_index(step);
      here = index ? array->if_contains(*index) : nullptr;
    } else {
      return nullptr;
    }
    if (here == nullptr) return nullptr;
  }
  return here;
}

}  // namespace ebb::apiserver
