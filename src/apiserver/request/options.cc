#include "apiserver/request/options.h"

#include <algorithm>
#include <charconv>

#include <boost/algorithm/string/predicate.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "apiserver/request/body.h"
#include "schema/core/json.h"
#include "schema/core/utf8.h"
#include "schema/schemas/schemas_meta.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::bad_request;
using model::StatusCause;
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

// A parameter without a value means true, as in Kubernetes.
std::optional<bool> flag_parameter(const Query& query, std::string_view name) {
  const auto found = query.find(name);
  if (found == query.end()) return std::nullopt;
  return !boost::algorithm::iequals(found->second, "false") && found->second != "0";
}

model::Status invalid_options(std::string_view kind, std::vector<StatusCause> causes) {
  return model::invalid({.group = "meta.k8s.io", .resource = "", .kind = kind, .name = ""},
                        std::move(causes));
}

std::string_view options_kind(model::Method method) {
  if (method == model::Method::kPost) return "CreateOptions";
  return method == model::Method::kPut ? "UpdateOptions" : "PatchOptions";
}

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

StatusCause unsupported_dry_run(std::string_view value) {
  return model::unsupported_value("dryRun", fmt::format("[\"{}\"]", value), {"All"});
}

constexpr std::size_t kLongestManager = 128;

// The name in a User-Agent: kubectl/v1.36.0 (linux/amd64) is kubectl.
std::string name_of_agent(std::string_view header) {
  const std::string agent = schema::as_utf8(header);
  std::string name;
  for (const char letter : agent.substr(0, agent.find('/'))) {
    const bool is_printable = static_cast<unsigned char>(letter) >= ' ' && letter != 0x7f;
    if (is_printable && name.size() < kLongestManager) name += letter;
  }
  // Do not cut a character in half.
  while (!schema::is_utf8(name)) name.pop_back();
  return name;
}

void check_manager(std::string_view manager, std::vector<StatusCause>& causes) {
  if (manager.size() > kLongestManager) {
    causes.push_back(model::too_long("fieldManager", kLongestManager));
  }
  const auto* const wrong = std::find_if(manager.begin(), manager.end(), [](char letter) {
    return static_cast<unsigned char>(letter) < ' ' || letter == 0x7f;
  });
  if (wrong == manager.end()) return;
  causes.push_back(
      model::invalid_value("fieldManager", json::serialize(json::value(manager)),
                           fmt::format("invalid character U+{:04X} (at position {})",
                                       static_cast<unsigned>(*wrong), wrong - manager.begin())));
}

// Reads fieldManager and the related options.
std::vector<StatusCause> parse_manager(const ApiRequest& request, const Query& query,
                                       WriteOptions& options) {
  std::vector<StatusCause> causes;
  const std::string_view manager = parameter(query, "fieldManager");
  const std::optional<bool> force = flag_parameter(query, "force");
  options.applies =
      request.method == model::Method::kPatch && media_type(request.content_type) == kApplyPatch;
  options.force = force.value_or(false);
  options.manager = manager.empty() ? name_of_agent(request.user_agent) : std::string(manager);
  if (options.applies && manager.empty()) {
    causes.push_back(model::required_value("fieldManager", "is required for apply patch"));
  }
  if (request.method == model::Method::kPatch && !options.applies && force) {
    causes.push_back(model::forbidden_field("force", "may not be specified for non-apply patch"));
  }
  check_manager(manager, causes);
  return causes;
}

constexpr const char* kMatchField = "resourceVersionMatch";

// The rules for lists ...
std::vector<StatusCause> check_list(const ListOptions& options, std::string_view match) {
  std::vector<StatusCause> causes;
  const auto forbid = [&](std::string_view why) {
    causes.push_back(model::forbidden_field(kMatchField, why));
  };
  if (!match.empty() && !options.revision) {
    forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
  }
  if (!match.empty() && !options.continue_token.empty()) {
    forbid("resourceVersionMatch is forbidden when continue is provided");
  }
  if (!match.empty() && match != "Exact" && match != "NotOlderThan") {
    causes.push_back(
        model::unsupported_value(kMatchField, quoted(match), {"Exact", "NotOlderThan", ""}));
  }
  if (match == "Exact" && options.revision == 0U) {
    forbid("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
  }
  if (options.send_initial_events) {
    causes.push_back(
        model::forbidden_field("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return causes;
}

// ... and for watches. Clients probe for streaming lists with these.
std::vector<StatusCause> check_watch(const ListOptions& options, std::string_view match) {
  std::vector<StatusCause> causes;
  if (!options.send_initial_events && !match.empty()) {
    causes.push_back(model::forbidden_field(
        kMatchField,
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (options.send_initial_events && match != "NotOlderThan") {
    causes.push_back(model::forbidden_field(
        kMatchField, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    if (!match.empty()) {
      causes.push_back(model::unsupported_value(kMatchField, quoted(match), {"NotOlderThan"}));
    }
  }
  return causes;
}

constexpr schema::Kind kDeleteOptionsKind{
    .version = "v1", .name = "DeleteOptions", .schema = &schema::kDeleteOptions};

}  // namespace

StatusOr<ListOptions> parse_list_options(const Route& route, const Query& query) {
  ListOptions options;
  options.selection.kind = route.kind;
  options.selection.namespace_name = route.namespace_name;
  options.selection.name = route.name;

  EBB_ASSIGN_OR_RETURN(options.selection.labels,
                       LabelSelector::parse(parameter(query, "labelSelector")));
  EBB_ASSIGN_OR_RETURN(options.selection.fields,
                       FieldSelector::parse(*route.kind, parameter(query, "fieldSelector")));

  EBB_ASSIGN_OR_RETURN(const auto limit, number_parameter<std::int64_t>(query, "limit"));
  options.limit = static_cast<std::size_t>(std::max(limit.value_or(0), std::int64_t{0}));
  EBB_ASSIGN_OR_RETURN(options.timeout_seconds,
                       number_parameter<std::int64_t>(query, "timeoutSeconds"));
  const auto revision = number_parameter<Revision>(query, "resourceVersion");
  if (!revision) {
    return tl::unexpected(bad_request(
        fmt::format("invalid resource version: resourceVersion: Invalid value: \"{}\": not a "
                    "revision of this server",
                    parameter(query, "resourceVersion"))));
  }
  options.revision = *revision;
  options.continue_token = parameter(query, "continue");
  options.watch = flag_parameter(query, "watch").value_or(false);
  options.bookmarks = flag_parameter(query, "allowWatchBookmarks").value_or(false);
  options.send_initial_events = flag_parameter(query, "sendInitialEvents");

  const std::string_view match = parameter(query, kMatchField);
  std::vector<StatusCause> causes =
      options.watch ? check_watch(options, match) : check_list(options, match);
  if (!causes.empty()) return tl::unexpected(invalid_options("ListOptions", std::move(causes)));
  if (!match.empty()) {
    options.match =
        match == "Exact" ? ListOptions::Match::kExact : ListOptions::Match::kNotOlderThan;
  }
  return options;
}

StatusOr<WriteOptions> parse_write_options(const ApiRequest& request, const Query& query) {
  const std::string_view kind = options_kind(request.method);
  WriteOptions options;
  std::vector<StatusCause> causes = parse_manager(request, query, options);
  if (!causes.empty()) return tl::unexpected(invalid_options(kind, std::move(causes)));
  const auto dry_run = query.find("dryRun");
  options.dry_run = dry_run != query.end();
  // An empty value is also invalid: the client does not want anything stored.
  if (options.dry_run && dry_run->second != "All") {
    return tl::unexpected(invalid_options(kind, {unsupported_dry_run(dry_run->second)}));
  }
  const std::string_view validation = parameter(query, "fieldValidation");
  if (validation == "Strict") {
    options.validation = FieldValidation::kStrict;
  } else if (validation == "Ignore") {
    options.validation = FieldValidation::kIgnore;
  } else if (!validation.empty() && validation != "Warn") {
    return tl::unexpected(
        invalid_options(kind, {model::unsupported_value("fieldValidation", quoted(validation),
                                                        {"", "Ignore", "Strict", "Warn"})}));
  }
  return options;
}

StatusOr<DeleteOptions> read_delete_options(const json::object& given) {
  const std::string_view kind = schema::text_at(given, {"kind"});
  if (!kind.empty() && kind != "DeleteOptions") {
    return tl::unexpected(
        bad_request(fmt::format("the body of a delete must be DeleteOptions, not {}", kind)));
  }
  // DeleteOptions carry the API version of the deleted object.
  json::object plain = given;
  plain.stable_erase("kind");
  plain.stable_erase("apiVersion");
  EBB_ASSIGN_OR_RETURN(const Decoded decoded,
                       conform(kDeleteOptionsKind, {.value = std::move(plain), .duplicates = {}},
                               FieldValidation::kIgnore));
  const json::object& body = decoded.object;
  DeleteOptions options;
  options.grace_seconds = schema::integer_at(body, {"gracePeriodSeconds"});
  options.uid = schema::text_at(body, {"preconditions", "uid"});
  options.resource_version = schema::text_at(body, {"preconditions", "resourceVersion"});
  if (const json::array* dry_run = schema::array_at(body, {"dryRun"})) {
    options.dry_run = !dry_run->empty();
    for (const json::value& one : *dry_run) {
      const std::string_view text = one.is_string() ? one.get_string() : std::string_view();
      if (text != "All") {
        return tl::unexpected(invalid_options("DeleteOptions", {unsupported_dry_run(text)}));
      }
    }
  }
  const std::string_view policy = schema::text_at(body, {"propagationPolicy"});
  if (policy == "Background") {
    options.propagation = Propagation::kBackground;
  } else if (policy == "Foreground") {
    options.propagation = Propagation::kForeground;
  } else if (policy == "Orphan") {
    options.propagation = Propagation::kOrphan;
  } else if (!policy.empty()) {
    return tl::unexpected(
        invalid_options("DeleteOptions",
                        {model::unsupported_value("propagationPolicy", quoted(policy),
                                                  {"Foreground", "Background", "Orphan", "nil"})}));
  }
  if (!policy.empty() && body.contains("orphanDependents")) {
    return tl::unexpected(invalid_options(
        "DeleteOptions",
        {model::invalid_value("propagationPolicy", quoted(policy),
                              "orphanDependents and deletionPropagation cannot be both set")}));
  }
  // The deprecated way to request orphaning.
  if (schema::is_true_at(body, {"orphanDependents"})) options.propagation = Propagation::kOrphan;
  return options;
}

StatusOr<DeleteOptions> parse_delete_options(const ApiRequest& request, const Query& query) {
  if (!request.body.empty()) {
    EBB_ASSIGN_OR_RETURN(ParsedJson parsed, parse_body(request, kDeleteOptionsKind));
    if (!parsed.value.is_object()) {
      return tl::unexpected(bad_request("the body of a delete must be a DeleteOptions object"));
    }
    return read_delete_options(parsed.value.get_object());
  }
  json::object body;
  EBB_ASSIGN_OR_RETURN(const auto grace,
                       number_parameter<std::int64_t>(query, "gracePeriodSeconds"));
  if (grace) body["gracePeriodSeconds"] = *grace;
  for (const std::string_view name : {"propagationPolicy"}) {
    if (const std::string_view text = parameter(query, name); !text.empty()) body[name] = text;
  }
  if (flag_parameter(query, "orphanDependents").value_or(false)) body["orphanDependents"] = true;
  if (const auto dry_run = query.find("dryRun"); dry_run != query.end()) {
    body["dryRun"] = json::array{dry_run->second};
  }
  return read_delete_options(body);
}

}  // namespace ebb::apiserver
