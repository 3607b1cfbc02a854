#include "runtime/log.h"

#include <algorithm>
#include <string>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

#include "model/printable.h"

namespace ebb::runtime {
namespace {

// `I1116 02:03:04.000000    4242 ebb] text`, the number being the thread.
constexpr const char* kTextPattern = "%L%m%d %H:%M:%S.%f %7t ebb] %v";
// The text brings the rest of the object. Seconds since 1970, as Kubernetes has them.
constexpr const char* kJsonPattern = R"({"ts":%E.%f,"level":"%l",%v})";

spdlog::level::level_enum level_of(control::Severity severity) {
  switch (severity) {
    case control::Severity::kError:
      return spdlog::level::err;
    case control::Severity::kWarning:
      return spdlog::level::warn;
    case control::Severity::kInfo:
      break;
  }
  return spdlog::level::info;
}

std::string quoted(std::string_view text) {
  return boost::json::serialize(boost::json::string(text));
}

std::string json_of(const control::Field::Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  const auto& object = std::get<control::ObjectName>(value);
  std::string name = fmt::format(R"({{"name":{})", quoted(object.name));
  if (!object.name_space.empty())
    name += fmt::format(R"(,"namespace":{})", quoted(object.name_space));
  return name + "}";
}

std::string text_of(const control::Field::Value& value) {
  const auto* object = std::get_if<control::ObjectName>(&value);
  if (object == nullptr) return json_of(value);
  if (object->name_space.empty()) return quoted(object->name);
  return quoted(fmt::format("{}/{}", object->name_space, object->name));
}

// As klog writes structured lines: `"Response" verb="GET" milliseconds=5`. Without fields there is
// nothing that the text would have to be told from.
std::string as_text(std::string_view text, std::span<const control::Field> fields) {
  if (fields.empty()) return std::string(text);
  std::string line = quoted(text);
  for (const control::Field& field : fields) {
    line += fmt::format(" {}={}", field.key(), text_of(field.value()));
  }
  return line;
}

}  // namespace

Log::Log(LogSettings settings, std::ostream& out)
    : settings_(settings),
      logger_(std::make_shared<spdlog::logger>(
          "ebb", std::make_shared<spdlog::sinks::ostream_sink_mt>(out, true))) {
  logger_->set_pattern(settings_.json ? kJsonPattern : kTextPattern);
  logger_->set_level(spdlog::level::info);
}

void Log::write(control::Severity severity, int verbosity, std::string_view text,
                std::span<const control::Field> fields) {
  const bool info = severity == control::Severity::kInfo;
  if (info && !writes(verbosity)) return;
  if (!settings_.json) {
    logger_->log(level_of(severity), model::printable(as_text(text, fields)));
    return;
  }
  std::string members = info ? fmt::format(R"("v":{},)", std::max(verbosity, 0)) : std::string();
  members += R"("msg":)" + quoted(text);
  for (const control::Field& field : fields) {
    members += fmt::format(",{}:{}", quoted(field.key()), json_of(field.value()));
  }
  logger_->log(level_of(severity), members);
}

}  // namespace ebb::runtime
