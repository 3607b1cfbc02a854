#include "apiserver/options.h"

#include <charconv>

#include <fmt/format.h>

#include "apiserver/negotiate.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::bad_request;
using model::StatusOr;

namespace {

std::string_view parameter(const Query& query, std::string_view name) {
  const auto found = query.find(name);
  return found == query.end() ? std::string_view() : std::string_view(found->second);
}

template <class Number>
StatusOr<std::optional<Number>> number_parameter(const Query& query, std::string_view name) {
  const std::string_view text = parameter(query, name);
  if (text.empty()) return std::nullopt;
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return tl::unexpected(bad_request(
        fmt::format("invalid value \"{}\" for query parameter {}: not a number", text, name)));
  }
  return number;
}

// Present without a value means yes, as in Kubernetes.
std::optional<bool> flag_parameter(const Query& query, std::string_view name) {
  const auto found = query.find(name);
  if (found == query.end()) return std::nullopt;
  return found->second != "false" && found->second != "0";
}

StatusOr<ListOptions::Match> parse_match(const ListOptions& options, std::string_view text) {
  if (text.empty()) return ListOptions::Match::kUnset;
  const auto forbidden = [&](std::string_view why) {
    return tl::unexpected(bad_request(fmt::format("resourceVersionMatch: Forbidden: {}", why)));
  };
  if (text != "Exact" && text != "NotOlderThan") {
    return tl::unexpected(bad_request(
        fmt::format("resourceVersionMatch: Unsupported value: \"{}\": supported values: \"Exact\", "
                    "\"NotOlderThan\"",
                    text)));
  }
  const bool streams = options.watch && options.send_initial_events.value_or(false);
  if (!options.revision && !streams) {
    return forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (!options.continue_token.empty()) {
    return forbidden("resourceVersionMatch is forbidden when continue is provided");
  }
  if (options.watch && !options.send_initial_events) {
    return forbidden(
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
  }
  if (text == "Exact" && (options.revision == 0U || options.watch)) {
    return forbidden("resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
  }
  return text == "Exact" ? ListOptions::Match::kExact : ListOptions::Match::kNotOlderThan;
}

// The rules of streaming lists: clients probe for support by them.
std::optional<model::Status> check_initial_events(const ListOptions& options) {
  if (!options.send_initial_events) return std::nullopt;
  std::string why;
  if (!options.watch) {
    why = "sendInitialEvents is forbidden for list";
  } else if (options.match != ListOptions::Match::kNotOlderThan) {
    why = "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
  }
  if (why.empty()) return std::nullopt;
  return model::invalid({.group = "meta.k8s.io", .resource = "", .kind = "ListOptions", .name = ""},
                        {model::forbidden_field("sendInitialEvents", why)});
}

}  // namespace

StatusOr<ListOptions> parse_list_options(const Route& route, const Query& query) {
  ListOptions options;
  options.selection.kind = route.kind;
  options.selection.namespace_name = route.namespace_name;
  options.selection.name = route.name;

  StatusOr<LabelSelector> labels = LabelSelector::parse(parameter(query, "labelSelector"));
  if (!labels) return tl::unexpected(labels.error());
  options.selection.labels = *std::move(labels);
  StatusOr<FieldSelector> fields =
      FieldSelector::parse(*route.kind, parameter(query, "fieldSelector"));
  if (!fields) return tl::unexpected(fields.error());
  options.selection.fields = *std::move(fields);

  const auto limit = number_parameter<std::int64_t>(query, "limit");
  if (!limit) return tl::unexpected(limit.error());
  if (limit->value_or(0) < 0) return tl::unexpected(bad_request("limit must not be negative"));
  options.limit = static_cast<std::size_t>(limit->value_or(0));
  const auto timeout = number_parameter<std::int64_t>(query, "timeoutSeconds");
  if (!timeout) return tl::unexpected(timeout.error());
  options.timeout_seconds = *timeout;
  const auto revision = number_parameter<Revision>(query, "resourceVersion");
  if (!revision) {
    return tl::unexpected(
        bad_request(fmt::format("Invalid value: \"{}\": resourceVersion: not a "
                                "revision of this server",
                                parameter(query, "resourceVersion"))));
  }
  options.revision = *revision;
  options.continue_token = parameter(query, "continue");
  options.watch = flag_parameter(query, "watch").value_or(false);
  options.bookmarks = flag_parameter(query, "allowWatchBookmarks").value_or(false);
  options.send_initial_events = flag_parameter(query, "sendInitialEvents");

  StatusOr<ListOptions::Match> match =
      parse_match(options, parameter(query, "resourceVersionMatch"));
  if (!match) return tl::unexpected(match.error());
  options.match = *match;
  if (auto wrong = check_initial_events(options)) return tl::unexpected(*std::move(wrong));
  return options;
}

StatusOr<WriteOptions> parse_write_options(const Query& query) {
  WriteOptions options;
  const std::string_view dry_run = parameter(query, "dryRun");
  if (!dry_run.empty() && dry_run != "All") {
    return tl::unexpected(bad_request(
        fmt::format("dryRun: Unsupported value: \"{}\": supported values: \"All\"", dry_run)));
  }
  options.dry_run = !dry_run.empty();
  const std::string_view validation = parameter(query, "fieldValidation");
  if (validation == "Strict") {
    options.validation = FieldValidation::kStrict;
  } else if (validation == "Ignore") {
    options.validation = FieldValidation::kIgnore;
  } else if (!validation.empty() && validation != "Warn") {
    return tl::unexpected(bad_request(
        fmt::format("fieldValidation: Unsupported value: \"{}\": supported values: \"Ignore\", "
                    "\"Strict\", \"Warn\"",
                    validation)));
  }
  return options;
}

StatusOr<DeleteOptions> read_delete_options(const json::object& body) {
  DeleteOptions options;
  options.grace_seconds = schema::integer_at(body, {"gracePeriodSeconds"});
  options.uid = schema::text_at(body, {"preconditions", "uid"});
  options.resource_version = schema::text_at(body, {"preconditions", "resourceVersion"});
  if (const json::array* dry_run = schema::array_at(body, {"dryRun"})) {
    options.dry_run = !dry_run->empty();
  }
  const std::string_view policy = schema::text_at(body, {"propagationPolicy"});
  if (policy == "Background") {
    options.propagation = Propagation::kBackground;
  } else if (policy == "Foreground") {
    options.propagation = Propagation::kForeground;
  } else if (policy == "Orphan") {
    options.propagation = Propagation::kOrphan;
  } else if (!policy.empty()) {
    return tl::unexpected(model::invalid(
        {.group = "meta.k8s.io", .resource = "", .kind = "DeleteOptions", .name = ""},
        {model::invalid_value("propagationPolicy", fmt::format("\"{}\"", policy),
                              "must be one of Background, Foreground, Orphan")}));
  }
  // The older way to say orphan.
  if (schema::is_true_at(body, {"orphanDependents"})) options.propagation = Propagation::kOrphan;
  return options;
}

StatusOr<DeleteOptions> parse_delete_options(const ApiRequest& request, const Query& query) {
  if (!request.body.empty()) {
    const std::string_view type = media_type(request.content_type);
    if (!type.empty() && type != "application/json") {
      return tl::unexpected(model::unsupported_media_type(type, "application/json"));
    }
    StatusOr<ParsedJson> parsed = parse_json(request.body);
    if (!parsed) return tl::unexpected(parsed.error());
    if (!parsed->value.is_object()) {
      return tl::unexpected(bad_request("the body of a delete must be a DeleteOptions object"));
    }
    return read_delete_options(parsed->value.get_object());
  }
  json::object body;
  const auto grace = number_parameter<std::int64_t>(query, "gracePeriodSeconds");
  if (!grace) return tl::unexpected(grace.error());
  if (*grace) body["gracePeriodSeconds"] = **grace;
  for (const std::string_view name : {"propagationPolicy"}) {
    if (const std::string_view text = parameter(query, name); !text.empty()) body[name] = text;
  }
  if (flag_parameter(query, "orphanDependents").value_or(false)) body["orphanDependents"] = true;
  if (!parameter(query, "dryRun").empty()) body["dryRun"] = {"All"};
  return read_delete_options(body);
}

}  // namespace ebb::apiserver
