#include "picker/answer.h"

#include <optional>

#include <simdjson.h>

#include "model/json_error.h"
#include "model/json_value.h"

namespace ebb::picker {
namespace {

constexpr std::string_view kChosen = "chosen_pods";
constexpr std::string_view kTied = "tied_pods";

// Enough to find a typing error; an answer may be nothing but keys.
constexpr std::size_t kMostOtherKeys = 16;

NameList decode_names(const model::JsonValue& list) {
  NameList names;
  list.each_item([&](const model::JsonValue& name) {
    names.push_back(name.string());
    if (!name.present()) name.report("expected a string, got null");
  });
  return names;
}

// The place is looked for in what somebody may have written by hand, not for a hostile picker.
std::string explain(std::string_view body, simdjson::error_code error) {
  constexpr std::size_t kMostLookedAt = 65'536;
  std::optional<std::string> place;
  if (body.size() <= kMostLookedAt) place = model::find_json_error(body);
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
        answer.other_keys.size() < kMostOtherKeys) {
      answer.other_keys.emplace_back(member.key());
    }
  });
  if (context.problem()) return fail(ErrorCode::kInvalidInput, *context.problem());
  return answer;
}

}  // namespace ebb::picker
