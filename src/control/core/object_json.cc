#include "control/core/object_json.h"

#include <charconv>

#include <fmt/format.h>
#include <simdjson.h>

#include "control/core/json_document.h"
#include "model/json/printable.h"

namespace ebb::control {
namespace {

std::string_view text_of(simdjson::ondemand::value value) {
  std::string_view text;
  return value.get_string().get(text) == simdjson::SUCCESS ? text : std::string_view();
}

bool read_metadata(simdjson::ondemand::object metadata, Written& written) {
  for (auto field : metadata) {
    std::string_view key;
    simdjson::ondemand::value value;
    if (field.unescaped_key().get(key) != simdjson::SUCCESS ||
        field.value().get(value) != simdjson::SUCCESS) {
      return false;
    }
    if (key == "name") written.name = text_of(value);
    if (key == "uid") written.uid = text_of(value);
    if (key == "resourceVersion") written.revision = revision_number(text_of(value));
    if (key == "deletionTimestamp") written.deleting = !text_of(value).empty();
  }
  return !written.uid.empty();
}

}  // namespace

model::Revision revision_number(std::string_view resource_version) {
  model::Revision number = 0;
  const char* const end = resource_version.data() + resource_version.size();
  const auto [stop, error] = std::from_chars(resource_version.data(), end, number);
  return error == std::errc() && stop == end ? number : 0;
}

std::optional<Written> read_written(const Answer& answer) {
  thread_local simdjson::ondemand::parser parser;
  const simdjson::padded_string text(answer.response.body.str());
  simdjson::ondemand::document document;
  simdjson::ondemand::object metadata;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS ||
      document.find_field_unordered("metadata").get_object().get(metadata) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  Written written;
  if (!read_metadata(metadata, written)) return std::nullopt;
  return written;
}

std::string error_text(const Answer& answer) {
  const std::string why =
      answer.error.empty() ? "" : fmt::format(": {}", model::shortened(answer.error));
  switch (answer.outcome) {
    case Answer::Outcome::kNotSent:
      return "the request could not be sent" + why;
    case Answer::Outcome::kUnknown:
    case Answer::Outcome::kEnded:
      return "the API server did not answer" + why;
    case Answer::Outcome::kAnswered:
      break;
  }
  const Refusal refusal = read_refusal(answer);
  if (!refusal.message.empty()) return model::shortened(refusal.message);
  if (answer.response.code == 0) return "the API server did not answer";
  return fmt::format("the API server answered {}", answer.response.code);
}

}  // namespace ebb::control
