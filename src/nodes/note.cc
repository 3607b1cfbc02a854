#include "nodes/note.h"

#include <fmt/format.h>

#include "nodes/luck.h"

namespace ebb::nodes {
namespace {

// Kubernetes cuts what does not fit.
constexpr std::size_t kMostMessage = 1024;

}  // namespace

model::ApiRequest event_request(const Note& note, Timestamp now, std::uint64_t number) {
  // Events about nodes live in the namespace default.
  const std::string namespace_name =
      note.about.namespace_name.empty() ? "default" : note.about.namespace_name;
  const auto moment = static_cast<std::uint64_t>(now.since_epoch_ns());
  boost::json::object about{{"apiVersion", note.kind->api_version()},
                            {"kind", note.kind->name},
                            {"name", note.about.name},
                            {"uid", note.uid}};
  if (!note.about.namespace_name.empty()) about["namespace"] = note.about.namespace_name;
  if (!note.field_path.empty()) about["fieldPath"] = note.field_path;
  boost::json::object source{{"component", note.component}};
  if (!note.host.empty()) source["host"] = note.host;
  const std::string time = model::time_text(now);
  const boost::json::object event{
      {"apiVersion", "v1"},
      {"kind", "Event"},
      {"metadata",
       {{"name", fmt::format("{}.{:x}{:04x}{:02x}", note.about.name, moment, number & 0xffffU,
                             luck_of(0, note.component) & 0xffU)},
        {"namespace", namespace_name}}},
      {"involvedObject", std::move(about)},
      {"reason", note.reason},
      {"message", note.message.substr(0, kMostMessage)},
      {"source", std::move(source)},
      {"firstTimestamp", time},
      {"lastTimestamp", time},
      {"count", 1},
      {"type", note.warning ? "Warning" : "Normal"},
      {"reportingComponent", note.component},
      {"reportingInstance", note.host}};
  return model::create_request(model::collection_path(*model::event_kind(), namespace_name), event);
}

}  // namespace ebb::nodes
