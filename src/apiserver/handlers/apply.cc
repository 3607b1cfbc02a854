// PATCH with an apply configuration: server-side apply on an object or its status.
#include "apiserver/handlers/apply.h"

#include <optional>
#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "apiserver/handlers/create.h"
#include "apiserver/handlers/managed_fields_update.h"
#include "apiserver/handlers/update.h"
#include "apiserver/handlers/write.h"
#include "apiserver/managedfields/apply_messages.h"
#include "apiserver/managedfields/field_walks.h"
#include "apiserver/managedfields/last_applied.h"
#include "apiserver/objects/kind_specifics.h"
#include "apiserver/objects/lifecycle.h"
#include "apiserver/request/body.h"
#include "schema/core/json.h"

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

// Reports duplicate fields, which only the text shows, not the object.
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

// Brings a state merged from the live object and a configuration into the order of the table.
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
                    Decoded applied, const ManagedFields& managed) {
  EBB_RETURN_IF_ERROR(fit_to_path(call, applied.object));
  EBB_RETURN_IF_ERROR(check_preconditions(
      call, old, "", schema::text_at(applied.object, {"metadata", "resourceVersion"})));
  return replace_object(call, old, std::move(applied), options, managed);
}

}  // namespace

StatusOr<Configuration> read_configuration(const Call& call, const schema::Kind& kind,
                                           const WriteOptions& options) {
  EBB_ASSIGN_OR_RETURN(ParsedJson parsed, parse_yaml(call.request.body));
  Configuration configuration;
  if (!parsed.value.is_null()) {
    if (!parsed.value.is_object()) return tl::unexpected(no_object(parsed.value));
    configuration.object = std::move(parsed.value.get_object());
  }
  EBB_RETURN_IF_ERROR(check_identity(kind, configuration.object));
  if (const Result<void> checked = check_applied(*kind.schema, configuration.object); !checked) {
    return tl::unexpected(
        unnamed_error(fmt::format("failed to create typed patch object ({}): {}",
                                  object_text(configuration.object), checked.error().message)));
  }
  EBB_RETURN_IF_ERROR(
      check_duplicates(parsed.duplicates, options.validation, configuration.warnings));
  return configuration;
}

StatusOr<Applied> apply_configuration(const FieldWrite& write, ManagedFields managed,
                                      const json::object& live, const json::object& configuration,
                                      bool force) {
  auto applied = apply_fields(write, managed, live, configuration, force);
  if (!applied && write.manager.name == kKubectl) {
    // Migrates from client-side apply: kubectl takes over the fields that it set.
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
  EBB_ASSIGN_OR_RETURN(const WriteOptions options, parse_write_options(call.request, call.query));
  std::optional<Target> old;
  if (StatusOr<Target> found = target_of(call)) {
    old = *std::move(found);
  } else if (!call.route.subresource.empty()) {
    return tl::unexpected(found.error());
  }
  EBB_ASSIGN_OR_RETURN(Configuration configuration, read_configuration(call, call.kind(), options));
  json::object live = old ? old->content : blank_object(call.kind());
  schema::ensure_object(live, {"metadata"}).stable_erase("managedFields");
  EBB_ASSIGN_OR_RETURN(Applied applied,
                       apply_configuration(field_write(call, options),
                                           old ? managed_fields_of(old->content) : ManagedFields(),
                                           live, configuration.object, options.force));
  EBB_ASSIGN_OR_RETURN(json::object object,
                       formed(call.kind(), configuration.object, std::move(applied.object)));
  if (old) {
    return save_applied(
        call, *old, options,
        {.object = std::move(object), .warnings = std::move(configuration.warnings)},
        applied.managed);
  }
  if (const std::string_view uid = schema::text_at(object, {"metadata", "uid"}); !uid.empty()) {
    return tl::unexpected(model::conflict(
        call.subject(), fmt::format("uid mismatch: the provided object specified uid {}, and no "
                                    "existing object was found",
                                    uid)));
  }
  if (schema::text_at(object, {"metadata", "name"}).empty()) {
    return tl::unexpected(model::bad_request(
        fmt::format("the name of the object ({} based on URL) was undeterminable: name must be "
                    "provided",
                    call.route.name)));
  }
  return create_object(call, options,
                       {.object = std::move(object), .warnings = std::move(configuration.warnings)},
                       &applied.managed);
}

}  // namespace ebb::apiserver
