#include "model/json/list_decoder.h"

#include <algorithm>

#include <fmt/format.h>

#include "model/json/decode_object.h"

namespace ebb::model {
namespace {

// Finds a pattern that contains a closing brace. Braces are rare in kubectl's output, so searching
// for them first is many times faster than a general search, which is slowed down by the
// indentation.
std::size_t find_by_brace(std::string_view text, std::string_view pattern) {
  const std::size_t before = pattern.find('}');
  for (std::size_t brace = text.find('}', before); brace != std::string_view::npos;
       brace = text.find('}', brace + 1)) {
    if (text.substr(brace - before).starts_with(pattern)) return brace - before;
  }
  return std::string_view::npos;
}

template <class Records>
void shorten(Records& records, std::size_t size) {
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(size), records.end());
}

}  // namespace

ListDecoder::ListDecoder(Snapshot& into)
    : into_(into), before_{into.pods.size(),  into.replica_sets.size(), into.deployments.size(),
                           into.nodes.size(), into.policies.size(),     into.pod_group_costs.size(),
                           into.skipped} {}

// The items have to start early:
//
//     {
//         "apiVersion": "v1",
//         "items": [
//             {
std::optional<std::size_t> ListDecoder::find_first_item(std::string_view window) {
  constexpr std::string_view kItems = "\"items\": [\n";
  constexpr std::size_t kFarthest = 4096;
  const std::size_t key = window.substr(0, kFarthest).find(kItems);
  if (key == std::string_view::npos) return std::nullopt;
  const std::size_t line = window.rfind('\n', key) + 1;  // npos + 1 is 0, the first line
  const std::size_t begin = key + kItems.size();
  const std::size_t first = window.find_first_not_of(' ', begin);
  if (first == std::string_view::npos || window[first] != '{') return std::nullopt;

  const std::string item_indent(first - begin, ' ');
  const std::string key_indent(key - line, ' ');
  envelope_ = window.substr(0, begin);
  separator_ = fmt::format("\n{0}}},\n{0}{{", item_indent);
  end_ = fmt::format("\n{}}}\n{}]", item_indent, key_indent);
  return first;
}

std::optional<std::size_t> ListDecoder::take(std::string_view window) {
  std::size_t begin = 0;
  if (envelope_.empty()) {
    const auto first = find_first_item(window);
    if (!first) return std::nullopt;
    begin = *first;
  }
  while (true) {
    const std::size_t gap = find_by_brace(window.substr(begin), separator_);
    if (gap == std::string_view::npos) return begin;
    const std::size_t brace = begin + gap + separator_.find('}');
    if (!decode_item(window.substr(begin, brace + 1 - begin))) {
      take_back();
      return std::nullopt;
    }
    begin += gap + separator_.size() - 1;
  }
}

bool ListDecoder::finish(std::string_view rest) {
  const std::size_t end = find_by_brace(rest, end_);
  if (!envelope_.empty() && end != std::string_view::npos) {
    const std::size_t brace = end + end_.find('}');
    if (decode_item(rest.substr(0, brace + 1)) && is_envelope(rest.substr(brace + 1))) return true;
  }
  take_back();
  return false;
}

bool ListDecoder::decode_item(std::string_view item) {
  simdjson::dom::element object;
  if (parser_.parse(item.data(), item.size(), false).get(object) != simdjson::SUCCESS) return false;
  return decode_object(object, {}, fmt::format("items[{}]", items_++), into_).has_value();
}

bool ListDecoder::is_envelope(std::string_view rest) {
  envelope_ += rest;
  simdjson::dom::object list;
  if (parser_.parse(envelope_).get(list) != simdjson::SUCCESS) return false;
  const auto count = [&](std::string_view key) {
    return std::count_if(list.begin(), list.end(), [&](auto member) { return member.key == key; });
  };
  simdjson::dom::array items;
  std::string_view api_version;
  std::string_view kind;
  return count("items") == 1 && count("apiVersion") == 1 && count("kind") == 1 &&
         list["items"].get(items) == simdjson::SUCCESS && items.size() == 0 &&
         list["apiVersion"].get(api_version) == simdjson::SUCCESS && api_version == "v1" &&
         list["kind"].get(kind) == simdjson::SUCCESS && kind == "List";
}

void ListDecoder::take_back() {
  shorten(into_.pods, before_.pods);
  shorten(into_.replica_sets, before_.replica_sets);
  shorten(into_.deployments, before_.deployments);
  shorten(into_.nodes, before_.nodes);
  shorten(into_.policies, before_.policies);
  shorten(into_.pod_group_costs, before_.pod_group_costs);
  into_.skipped = before_.skipped;
}

bool decode_list(std::string_view text, Snapshot& into) {
  ListDecoder decoder(into);
  const auto done = decoder.take(text);
  return done && decoder.finish(text.substr(*done));
}

}  // namespace ebb::model
