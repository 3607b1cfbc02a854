// Fuzzes the functions that split and cut JSON text without parsing it. They agree with a full
// parse, and a cut changes nothing else.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/serialize.hpp>
#include <simdjson.h>

#include "apiserver/decode/compact_json.h"
#include "apiserver/store/shared_text.h"
#include "base/check.h"
#include "control/cache/object_reader.h"
#include "input.h"
#include "model/json/managed_fields_text.h"
#include "model/json/raw_json.h"
#include "schema/core/json.h"

namespace {

namespace json = boost::json;
using ebb::fuzz::parse_plainly;
using ebb::model::RawJsonCursor;

struct Part {
  std::string_view key;
  std::string_view text;
};

std::vector<Part> parts_of(std::string_view container) {
  std::vector<Part> parts;
  RawJsonCursor cursor(container);
  while (const auto part = cursor.next()) {
    EBB_CHECK(!part->text.empty() && part->whole.ends_with(part->text));
    EBB_CHECK(part->whole.data() >= container.data());
    EBB_CHECK(part->whole.data() + part->whole.size() <= container.data() + container.size());
    EBB_CHECK(parts.empty() || part->whole.data() > parts.back().text.data());
    parts.push_back({part->key, part->text});
  }
  return parts;
}

// Members and elements, all the way down.
void check_parts(std::string_view text, const json::value& value, int depth) {
  if (!value.is_structured() || depth > 20) return;
  const std::vector<Part> parts = parts_of(text);
  if (const json::array* list = value.if_array()) {
    EBB_CHECK(parts.size() == list->size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      check_parts(parts[i].text, (*list)[i], depth + 1);
    return;
  }
  const json::object& object = value.get_object();
  EBB_CHECK(parts.size() == object.size());
  for (const Part& part : parts) {
    EBB_CHECK(ebb::model::raw_member(text, part.key).data() == part.text.data());
    const auto name = ebb::apiserver::unescaped(part.key);
    EBB_CHECK(name && object.contains(*name));
    const json::value& member = object.at(*name);
    const auto parsed = parse_plainly(part.text);
    EBB_CHECK(parsed && *parsed == member);
    check_parts(part.text, member, depth + 1);
  }
}

void check_compact(const json::value& parsed) {
  const std::string text = json::serialize(parsed);
  // Read back, because a number of 50 digits changes when it is printed.
  const json::value value = parse_plainly(text).value();
  EBB_CHECK(ebb::model::end_of_value(text, 0) == text.size());
  std::size_t count = 0;
  if (const json::object* object = value.if_object()) {
    EBB_CHECK(
        ebb::apiserver::for_each_member(text, [&](std::string_view name, std::string_view member) {
          ++count;
          const auto plain = ebb::apiserver::unescaped(name);
          std::string again;
          EBB_CHECK(plain && object->contains(*plain));
          ebb::apiserver::append_quoted(*plain, again);
          EBB_CHECK(parse_plainly(again).value() == json::value(*plain));
          EBB_CHECK(parse_plainly(member).has_value());
          return true;
        }));
    EBB_CHECK(count == object->size());
  } else {
    EBB_CHECK(ebb::apiserver::for_each_entry(text, [&](std::string_view entry) {
      EBB_CHECK(parse_plainly(entry).value() == value.get_array()[count++]);
      return true;
    }));
    EBB_CHECK(count == value.get_array().size());
  }
}

void check_kept_text(std::string_view text, const json::object& object) {
  if (ebb::schema::object_at(object, {"metadata"}) == nullptr) return;
  const auto kept = parse_plainly(ebb::control::kept_text(text, "ReplicaSet", "apps/v1"));
  EBB_CHECK(kept.has_value());
  json::object expected = object;
  ebb::schema::object_at(expected, {"metadata"})->erase("managedFields");
  if (!expected.contains("kind")) {
    expected["kind"] = "ReplicaSet";
    // As every object of the API has either both or none.
    if (object.contains("apiVersion")) return;
    expected["apiVersion"] = "apps/v1";
  }
  EBB_CHECK(*kept == json::value(expected));
}

// A cut part, put back, gives the whole text.
void check_cut(std::string_view text) {
  const auto cut = ebb::model::cut_managed_fields(text);
  if (!cut) return;
  if (!parse_plainly(text)) return;
  EBB_CHECK(parse_plainly(cut->rest).has_value());
  EBB_CHECK(parse_plainly(cut->entries).value().is_array());
  const std::size_t gone = text.size() - cut->rest.size();
  const std::string_view name = R"("managedFields":)";
  EBB_CHECK(gone == cut->entries.size() + name.size() ||
            gone == cut->entries.size() + name.size() + 1);
}

void check_shared(std::string_view text) {
  ebb::apiserver::TextPool pool;
  const ebb::apiserver::PiecedText pieces(text, pool);
  EBB_CHECK(pieces.str() == text && pieces.size() == text.size());
  EBB_CHECK(pieces.with_placeholders().size() == text.size());
  ebb::Bytes bytes;
  pieces.append_to(bytes, nullptr, text.size() / 3, text.size());
  EBB_CHECK(bytes.str() == text.substr(text.size() / 3));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ebb::fuzz::as_text(data, size);
  (void)parts_of(text);
  (void)ebb::apiserver::for_each_member(text, [](auto, auto) { return true; });
  (void)ebb::apiserver::for_each_entry(text, [](auto) { return true; });
  (void)ebb::control::kept_text(text, "ReplicaSet");
  check_cut(text);
  check_shared(text);
  const auto value = parse_plainly(text);
  if (!value || !value->is_structured()) return 0;
  check_compact(*value);
  if (ebb::fuzz::has_odd_names(text)) return 0;
  check_parts(text, *value, 0);
  if (value->is_object()) check_kept_text(text, value->get_object());
  return 0;
}
