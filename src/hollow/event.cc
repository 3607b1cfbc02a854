#include "hollow/event.h"

#include <fmt/format.h>

#include "hollow/repeatable_random.h"

namespace ebb::hollow {
namespace {

// Kubernetes truncates longer messages.
constexpr std::size_t kMaxMessage = 1024;

}  // namespace

model::ApiRequest event_request(const Event& details, Timestamp now, std::uint64_t number) {
  // Events about nodes live in the namespace default.
  const std::string namespace_name =
      details.about.namespace_name.empty() ? "default" : details.about.namespace_name;
  const auto moment = static_cast<std::uint64_t>(now.since_epoch_ns());
  boost::json::object about{{"apiVersion", details.kind->api_version()},
                            {"kind", details.kind->name},
                            {"name", details.about.name},
                            {"uid", details.uid}};
  if (!details.about.namespace_name.empty()) about["namespace"] = details.about.namespace_name;
  if (!details.field_path.empty()) about["fieldPath"] = details.field_path;
  boost::json::object source{{"component", details.component}};
  if (!details.host.empty()) source["host"] = details.host;
  const std::string time = model::time_text(now);
  const boost::json::object event{
      {"apiVersion", "v1"},
      {"kind", "Event"},
      {"metadata",
       {{"name", fmt::format("{}.{:x}{:04x}{:02x}", details.about.name, moment, number & 0xffffU,
                             random_of(0, details.component) & 0xffU)},
        {"namespace", namespace_name}}},
      {"involvedObject", std::move(about)},
      {"reason", details.reason},
      {"message", details.message.substr(0, kMaxMessage)},
      {"source", std::move(source)},
      {"firstTimestamp", time},
      {"lastTimestamp", time},
      {"count", 1},
      {"type", details.warning ? "Warning" : "Normal"},
      {"reportingComponent", details.component},
      {"reportingInstance", details.host}};
  return model::create_request(model::collection_path(*model::event_kind(), namespace_name), event);
}

}  // namespace ebb::hollow
