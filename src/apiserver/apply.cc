// PATCH with a configuration to apply: server-side apply on an object or its status.
#include "apiserver/apply.h"

#include <optional>
#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "apiserver/apply_messages.h"
#include "apiserver/body.h"
#include "apiserver/create.h"
#include "apiserver/field_walks.h"
#include "apiserver/last_applied.h"
#include "apiserver/lifecycle.h"
#include "apiserver/particulars.h"
#include "apiserver/tracking.h"
#include "apiserver/update.h"
#include "apiserver/write.h"
#include "schema/json.h"

namespace ebb::apiserver {

namespace json = boost::json;
using model::StatusOr;

namespace {

StatusOr<void> check_identity(const schema::Kind& kind, const json::object& configuration) {
  const std::string_view version = schema::text_at(configuration, {"apiVersion"});
  const std::string_view name = schema::text_at(configuration, {"kind"});
  if (version != kind.api_version() || name != kind.name) {
    return tl::unexpected(
        model::bad_request(fmt::format("invalid object type: {}", type_text(version, name))));
  }
  const json::object* metadata = schema::object_at(configuration, {"metadata"});
  const json::value* entries =
      metadata == nullptr ? nullptr : metadata->if_contains("managedFields");
  if (entries != nullptr && !entries->is_null()) {
    return tl::unexpected(model::bad_request("metadata.managedFields must be nil"));
  }
  return {};
}

// Fields that stand twice are said about the text, not about the object.
StatusOr<void> check_duplicates(const std::vector<std::string>& duplicates,
                                FieldValidation validation, std::vector<std::string>& warnings) {
  if (validation == FieldValidation::kIgnore) return {};
  for (const std::string& path : duplicates) {
    const std::string_view key = std::string_view(path).substr(path.rfind('.') + 1);
    std::string text = fmt::format("line 1: key \"{}\" already set in map", key);
    if (validation == FieldValidation::kStrict) {
      return tl::unexpected(model::bad_request(
          "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  " +
          text));
    }
    warnings.push_back(std::move(text));
  }
  return {};
}

// A state that was put together from the live one and a configuration, in the form of the table.
StatusOr<json::object> formed(const schema::Kind& kind, const json::object& configuration,
                              json::object object) {
  StatusOr<Decoded> decoded =
      conform(kind, {.value = std::move(object), .duplicates = {}}, FieldValidation::kIgnore);
  if (decoded) return std::move(decoded->object);
  return tl::unexpected(
      unnamed_error(fmt::format("failed to convert new object ({}) to proper version: {}",
                                object_text(configuration), decoded.error().message)));
}

Answer save_applied(const Call& call, const Target& old, const WriteOptions& options,
                    json::object object, const ManagedFields& managed,
                    std::vector<std::string> warnings) {
  if (const StatusOr<void> fits = fit_to_path(call, object); !fits) {
    return tl::unexpected(fits.error());
  }
  const StatusOr<void> checked =
      check_preconditions(call, old, "", schema::text_at(object, {"metadata", "resourceVersion"}));
  if (!checked) return tl::unexpected(checked.error());
  StatusOr<json::object> next = next_state(call, old, std::move(object), options, managed);
  if (!next) return tl::unexpected(next.error());
  return save(call, {.old = old,
                     .object = *std::move(next),
                     .options = options,
                     .warnings = std::move(warnings),
                     .of_status = call.route.subresource == "status"});
}

}  // namespace

StatusOr<Configuration> read_configuration(const Call& call, const schema::Kind& kind,
                                           const WriteOptions& options) {
  StatusOr<ParsedJson> parsed = parse_yaml(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  Configuration configuration;
  if (!parsed->value.is_null()) {
    if (!parsed->value.is_object()) return tl::unexpected(no_object(parsed->value));
    configuration.object = std::move(parsed->value.get_object());
  }
  const StatusOr<void> known = check_identity(kind, configuration.object);
  if (!known) return tl::unexpected(known.error());
  if (const Result<void> checked = check_applied(*kind.shape, configuration.object); !checked) {
    return tl::unexpected(
        unnamed_error(fmt::format("failed to create typed patch object ({}): {}",
                                  object_text(configuration.object), checked.error().message)));
  }
  const StatusOr<void> unique =
      check_duplicates(parsed->duplicates, options.validation, configuration.warnings);
  if (!unique) return tl::unexpected(unique.error());
  return configuration;
}

StatusOr<Applied> apply_configuration(const FieldWrite& write, ManagedFields managed,
                                      const json::object& live, const json::object& configuration,
                                      bool force) {
  auto applied = apply_fields(write, managed, live, configuration, force);
  if (!applied && write.manager.name == kKubectl) {
    // Who applied on the client so far goes on on the server, with the fields it has.
    FieldConflicts left = without_last_applied(write.kind, live, applied.error());
    if (left.empty()) {
      applied = apply_fields(write, std::move(managed), live, configuration, true);
    } else {
      applied = tl::unexpected(std::move(left));
    }
  }
  if (!applied) return tl::unexpected(conflict_status(applied.error()));
  if (write.manager.name == kKubectl) renew_last_applied(configuration, applied->object);
  return *std::move(applied);
}

Answer apply(const Call& call) {
  const StatusOr<WriteOptions> options = parse_write_options(call.request, call.query);
  if (!options) return tl::unexpected(options.error());
  std::optional<Target> old;
  if (StatusOr<Target> found = target_of(call)) {
    old = *std::move(found);
  } else if (!call.route.subresource.empty()) {
    return tl::unexpected(found.error());
  }
  StatusOr<Configuration> configuration = read_configuration(call, call.kind(), *options);
  if (!configuration) return tl::unexpected(configuration.error());
  json::object live = old ? old->content : blank_object(call.kind());
  schema::ensure_object(live, {"metadata"}).stable_erase("managedFields");
  StatusOr<Applied> applied = apply_configuration(
      field_write(call, *options), old ? managed_fields_of(old->content) : ManagedFields(), live,
      configuration->object, options->force);
  if (!applied) return tl::unexpected(applied.error());
  StatusOr<json::object> object =
      formed(call.kind(), configuration->object, std::move(applied->object));
  if (!object) return tl::unexpected(object.error());
  if (old) {
    return save_applied(call, *old, *options, *std::move(object), applied->managed,
                        std::move(configuration->warnings));
  }
  if (const std::string_view uid = schema::text_at(*object, {"metadata", "uid"}); !uid.empty()) {
    return tl::unexpected(model::conflict(
        call.subject(), fmt::format("uid mismatch: the provided object specified uid {}, and no "
                                    "existing object was found",
                                    uid)));
  }
  if (schema::text_at(*object, {"metadata", "name"}).empty()) {
    return tl::unexpected(model::bad_request(
        fmt::format("the name of the object ({} based on URL) was undeterminable: name must be "
                    "provided",
                    call.route.name)));
  }
  return create_object(
      call, *options,
      {.object = *std::move(object), .warnings = std::move(configuration->warnings)},
      &applied->managed);
}

}  // namespace ebb::apiserver
