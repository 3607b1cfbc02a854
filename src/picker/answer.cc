#include "picker/answer.h"

#include <optional>

#include <simdjson.h>

#include "model/json/json_error.h"
#include "model/json/json_value.h"

namespace ebb::picker {
namespace {

constexpr std::string_view kChosen = "chosen_pods";
constexpr std::string_view kTied = "tied_pods";

// Enough to find a typo; an answer may consist of unknown keys only.
constexpr std::size_t kMaxOtherKeys = 16;

NameList decode_names(const model::JsonValue& list) {
  NameList names;
  list.each_item([&](const model::JsonValue& name) {
    names.push_back(name.string());
    if (!name.present()) name.report("expected a string, got null");
  });
  return names;
}

// Finds the position only in a short body: a hostile picker must not cost a second, slow parse.
std::string explain(std::string_view body, simdjson::error_code error) {
  constexpr std::size_t kMaxInspected = 65'536;
  std::optional<std::string> place;
  if (body.size() <= kMaxInspected) place = model::find_json_error(body);
  return place.value_or(simdjson::error_message(error));
}

}  // namespace

Result<Answer> decode_answer(std::string_view body) {
  if (body.find_first_not_of(" \t\r\n") == std::string_view::npos) return Answer{};
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  if (const auto error = parser.parse(body.data(), body.size()).get(document);
      error != simdjson::SUCCESS) {
    return fail(ErrorCode::kInvalidInput, explain(body, error));
  }
  model::Pool pool;
  model::DecodeContext context(pool);
  const model::JsonValue value(context, document);
  const auto [chosen, tied] = value.members({kChosen, kTied});
  Answer answer{decode_names(chosen), decode_names(tied), {}};
  value.each_member([&](const model::JsonValue& member) {
    if (member.key() != kChosen && member.key() != kTied &&
        answer.other_keys.size() < kMaxOtherKeys) {
      answer.other_keys.emplace_back(member.key());
    }
  });
  if (context.problem()) return fail(ErrorCode::kInvalidInput, *context.problem());
  return answer;
}

}  // namespace ebb::picker
