// Fuzzes patches. The input is a document and a patch, one per line. The result is a document
// that can be stored, or an error that can be sent.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <simdjson.h>

#include "apiserver/patch/json_edit.h"
#include "apiserver/patch/patch.h"
#include "base/check.h"
#include "support/objects/patch_schemas.h"

namespace {

namespace json = boost::json;
using namespace ebb::apiserver;

std::optional<json::value> parse(std::string_view text) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::error_code error;
  json::value value = json::parse(text, error, {}, options);
  if (error) return std::nullopt;
  return value;
}

void check_error(const ebb::model::Status& status) {
  EBB_CHECK(status.code == 400 || status.code == 413 || status.code == 422);
  EBB_CHECK(!status.message.empty() && status.message.size() < 10'000);
  EBB_CHECK(simdjson::validate_utf8(status.message.data(), status.message.size()));
}

void check_result(const json::value& result) { EBB_CHECK(parse(json::serialize(result))); }

bool is_directive(std::string_view name) {
  return name == "$patch" || name == "$retainKeys" || name.starts_with("$setElementOrder") ||
         name.starts_with("$deleteFromPrimitiveList");
}

bool has_directives(const json::value& value) {
  if (const json::array* array = value.if_array()) {
    for (const json::value& entry : *array) {
      if (has_directives(entry)) return true;
    }
  } else if (const json::object* object = value.if_object()) {
    for (const auto& field : *object) {
      if (is_directive(field.key()) || has_directives(field.value())) return true;
    }
  }
  return false;
}

void check_strategic(const json::object& document, const json::object& patch) {
  const auto& schema = ebb::testing::kObject;
  const auto result = strategic_merge_patch(schema, document, patch);
  if (!result) return check_error(result.error());
  check_result(*result);
  EBB_CHECK(has_directives(document) || !has_directives(*result));
  const auto unchanged = strategic_merge_patch(schema, *result, {});
  EBB_CHECK(unchanged && json::serialize(*unchanged) == json::serialize(*result));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = text.find('\n');
  if (split == std::string_view::npos) return -1;
  const auto document = parse(text.substr(0, split));
  const auto patch = parse(text.substr(split + 1));
  if (!document || !patch) return -1;

  if (const auto result = json_patch(*document, *patch)) {
    check_result(*result);
  } else {
    check_error(result.error());
  }
  const json::value merged = merge_patch(*document, *patch);
  check_result(merged);
  EBB_CHECK(json::serialize(merge_patch(merged, json::object())) ==
            json::serialize(merged.is_object() ? merged : json::value(json::object())));
  if (document->is_object() && patch->is_object()) {
    check_strategic(document->get_object(), patch->get_object());
  }
  return 0;
}
