#include "control/object_json.h"

#include <charconv>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <simdjson.h>

#include "schema/json.h"

namespace ebb::control {
namespace {

namespace json = boost::json;

constexpr std::size_t kDeepest = 200;

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

std::optional<json::object> parse_object(std::string_view text) {
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = kDeepest;
  json::value value = json::parse(text, error, {}, options);
  if (error || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

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
  switch (answer.outcome) {
    case Answer::Outcome::kNotSent:
      return "the request could not be sent";
    case Answer::Outcome::kUnknown:
    case Answer::Outcome::kEnded:
      return "the API server did not answer";
    case Answer::Outcome::kAnswered:
      break;
  }
  if (const auto status = parse_object(answer.response.body.str())) {
    const std::string_view message = schema::text_at(*status, {"message"});
    if (!message.empty()) return std::string(message);
  }
  if (answer.response.code == 0) return "the API server did not answer";
  return fmt::format("the API server answered {}", answer.response.code);
}

bool has_cause(const Answer& answer, std::string_view reason) {
  const auto status = parse_object(answer.response.body.str());
  if (!status) return false;
  const json::array* causes = schema::array_at(*status, {"details", "causes"});
  if (causes == nullptr) return false;
  for (const json::value& cause : *causes) {
    if (cause.is_object() && schema::text_at(cause.get_object(), {"reason"}) == reason) return true;
  }
  return false;
}

}  // namespace ebb::control
