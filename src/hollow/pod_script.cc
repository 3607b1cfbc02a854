#include "hollow/pod_script.h"

#include <fmt/format.h>

#include "hollow/duration.h"
#include "schema/core/json.h"

namespace ebb::hollow {
namespace {

constexpr std::string_view kPrefix = "ebb.dev/";
// More frequent crashes would only load the API server.
constexpr Nanoseconds kShortestCrashInterval = kNanosecondsPerSecond;

struct Reader {
  std::vector<std::string>& complaints;
  std::string_view key;
  std::string_view text;

  void complain(std::string_view what) const {
    complaints.push_back(
        fmt::format("annotation {}{}: \"{}\" is ignored: {}", kPrefix, key, text, what));
  }

  void flag(bool& value) const {
    if (text != "true" && text != "false") return complain("write \"true\" or \"false\"");
    value = text == "true";
  }

  void delay(std::optional<Nanoseconds>& value, Nanoseconds min_ns = 0) const {
    const std::optional<Nanoseconds> parsed = parse_duration(text);
    if (!parsed.has_value()) return complain("write a duration such as \"30s\" or \"1m30s\"");
    if (*parsed < min_ns) return complain("it must be at least one second");
    value = parsed;
  }
};

}  // namespace

PodScript read_script(const boost::json::object& pod, std::vector<std::string>& complaints) {
  PodScript script;
  const boost::json::object* annotations = schema::object_at(pod, {"metadata", "annotations"});
  if (annotations == nullptr) return script;
  for (const auto& entry : *annotations) {
    const std::string_view name = entry.key();
    if (!name.starts_with(kPrefix) || !entry.value().is_string()) continue;
    const Reader reader{.complaints = complaints,
                        .key = name.substr(kPrefix.size()),
                        .text = entry.value().get_string()};
    if (reader.key == "never-ready") reader.flag(script.never_ready);
    if (reader.key == "crash-every") reader.delay(script.crash_every_ns, kShortestCrashInterval);
    if (reader.key == "start-delay") reader.delay(script.start_delay_ns);
    if (reader.key == "ready-delay") reader.delay(script.ready_delay_ns);
    if (reader.key == "complete-after") {
      if (schema::text_at(pod, {"spec", "restartPolicy"}) == "Never" ||
          schema::text_at(pod, {"spec", "restartPolicy"}) == "OnFailure") {
        reader.delay(script.complete_after_ns);
      } else {
        reader.complain("it requires restartPolicy Never or OnFailure");
      }
    }
  }
  return script;
}

}  // namespace ebb::hollow
