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

}  // namespace

Log::Log(LogSettings settings, std::ostream& out)
    : settings_(settings),
      logger_(std::make_shared<spdlog::logger>(
          "ebb", std::make_shared<spdlog::sinks::ostream_sink_mt>(out, true))) {
  logger_->set_pattern(settings_.json ? kJsonPattern : kTextPattern);
  logger_->set_level(spdlog::level::info);
}

void Log::write(control::Severity severity, int verbosity, std::string_view text) {
  const bool info = severity == control::Severity::kInfo;
  if (info && !writes(verbosity)) return;
  if (!settings_.json) {
    logger_->log(level_of(severity), model::printable(std::string(text)));
    return;
  }
  std::string fields = info ? fmt::format(R"("v":{},)", std::max(verbosity, 0)) : std::string();
  fields += R"("msg":)" + boost::json::serialize(boost::json::string(text));
  logger_->log(level_of(severity), fields);
}

}  // namespace ebb::runtime
