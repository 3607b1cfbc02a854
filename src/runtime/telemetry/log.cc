#include "runtime/telemetry/log.h"

#include <algorithm>
#include <csignal>
#include <streambuf>
#include <string>

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>
#include <pthread.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

#include "model/json/printable.h"

namespace ebb::runtime {
namespace {

// `I1116 02:03:04.000000    4242 ebb] text`; the number is the thread.
constexpr const char* kTextPattern = "%L%m%d %H:%M:%S.%f %7t ebb] %v";
// %v contains the rest of the object. The time is in seconds since 1970, as in Kubernetes.
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
  if (!object.namespace_name.empty())
    name += fmt::format(R"(,"namespace":{})", quoted(object.namespace_name));
  return name + "}";
}

std::string text_of(const control::Field::Value& value) {
  const auto* object = std::get_if<control::ObjectName>(&value);
  if (object == nullptr) return json_of(value);
  if (object->namespace_name.empty()) return quoted(object->name);
  return quoted(fmt::format("{}/{}", object->namespace_name, object->name));
}

// klog's structured format: `"Response" verb="GET" milliseconds=5`. A text without fields is not
// quoted.
std::string as_text(std::string_view text, std::span<const control::Field> fields) {
  if (fields.empty()) return std::string(text);
  std::string line = quoted(text);
  for (const control::Field& field : fields) {
    line += fmt::format(" {}={}", field.key(), text_of(field.value()));
  }
  return line;
}

// Used by the thread of a LineWriter.
class StreamSink : public LineSink {
 public:
  explicit StreamSink(std::ostream& out) : out_(out) {}

  [[nodiscard]] Result<void> append(std::string_view line) override {
    if (!began_) end_with_reader();
    out_ << line << std::flush;
    return {};
  }

 private:
  // A closed pipe ends the process, as SIGPIPE ends one that writes from its main thread.
  void end_with_reader() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    ::pthread_sigmask(SIG_UNBLOCK, &pipe, nullptr);
    began_ = true;
  }

  std::ostream& out_;
  bool began_ = false;
};

// Passes what spdlog writes, one line at a time, to a LineWriter. spdlog's own asynchronous loggers
// are not usable: their queue is not bounded in bytes, and they end only when every line is
// written, however long that takes.
class QueueStream : public std::ostream {
 public:
  explicit QueueStream(LineWriter& writer) : std::ostream(&buffer_), buffer_(writer) {}

 private:
  struct Buffer : std::streambuf {
    explicit Buffer(LineWriter& to) : writer(to) {}
    std::streamsize xsputn(const char* text, std::streamsize size) override {
      writer.add(std::string(text, static_cast<std::size_t>(size)));
      return size;
    }
    LineWriter& writer;
  };
  Buffer buffer_;
};

}  // namespace

Log::Log(LogSettings settings, std::ostream& out)
    : settings_(settings),
      writer_(settings.queue),
      queue_(std::make_unique<QueueStream>(writer_)),
      logger_(std::make_shared<spdlog::logger>(
          "ebb", std::make_shared<spdlog::sinks::ostream_sink_mt>(
                     settings.in_background ? *queue_ : out, !settings.in_background))) {
  if (settings_.in_background) writer_.start(std::make_unique<StreamSink>(out));
  logger_->set_pattern(settings_.json ? kJsonPattern : kTextPattern);
  logger_->set_level(spdlog::level::info);
}

Log::~Log() {
  report_dropped();
  writer_.close(kNanosecondsPerSecond);
}

void Log::write(control::Severity severity, int verbosity, std::string_view text,
                std::span<const control::Field> fields) {
  if (severity == control::Severity::kInfo && !writes(verbosity)) return;
  report_dropped();
  add(severity, verbosity, text, fields);
}

std::uint64_t Log::take_dropped() {
  collect_dropped();
  return uncounted_.exchange(0);
}

void Log::collect_dropped() {
  const std::uint64_t dropped = writer_.take_report().dropped;
  uncounted_ += dropped;
  unreported_ += dropped;
}

void Log::report_dropped() {
  if (!settings_.in_background || !writer_.half_empty()) return;
  collect_dropped();
  const std::uint64_t dropped = unreported_.exchange(0);
  if (dropped == 0) return;
  const control::Field fields[] = {{"lines", static_cast<std::int64_t>(dropped)}};
  add(control::Severity::kWarning, 0, "dropped log lines: standard error was not read fast enough",
      fields);
}

void Log::add(control::Severity severity, int verbosity, std::string_view text,
              std::span<const control::Field> fields) {
  const bool info = severity == control::Severity::kInfo;
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
