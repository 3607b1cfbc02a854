#include "model/api/status.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "schema/core/utf8.h"

namespace ebb::model {

namespace json = boost::json;

namespace {

// deployments.apps, or pods for the core group.
std::string resource_of(const Subject& subject) {
  if (subject.group.empty()) return std::string(subject.resource);
  return fmt::format("{}.{}", subject.resource, subject.group);
}

Status about(const Subject& subject, int code, std::string_view reason, std::string message) {
  Status status;
  status.code = code;
  status.reason = reason;
  status.message = std::move(message);
  status.name = subject.name;
  status.group = subject.group;
  status.kind = subject.resource;
  return status;
}

Status plain(int code, std::string_view reason, std::string message) {
  return about({}, code, reason, std::move(message));
}

}  // namespace

json::object Status::to_json() const {
  json::object object{{"kind", "Status"},
                      {"apiVersion", "v1"},
                      {"metadata", json::object()},
                      {"status", "Failure"},
                      {"message", message}};
  if (!reason.empty()) object["reason"] = reason;
  json::object details;
  if (!name.empty()) details["name"] = name;
  if (!group.empty()) details["group"] = group;
  if (!kind.empty()) details["kind"] = kind;
  if (!uid.empty()) details["uid"] = uid;
  json::array list;
  for (const StatusCause& cause : causes) {
    json::object entry{{"reason", cause.reason}, {"message", cause.message}};
    if (!cause.field.empty()) entry["field"] = cause.field;
    list.push_back(std::move(entry));
  }
  if (!list.empty()) details["causes"] = std::move(list);
  if (retry_after_seconds > 0) details["retryAfterSeconds"] = retry_after_seconds;
  // Always present: some clients (kubectl debug) read it without a check.
  object["details"] = std::move(details);
  object["code"] = code;
  return object;
}

Status bad_request(std::string message) { return plain(400, "BadRequest", std::move(message)); }

Status unauthorized() { return plain(401, "Unauthorized", "Unauthorized"); }

Status forbidden(const Subject& subject, std::string_view why) {
  return about(subject, 403, "Forbidden",
               fmt::format("{} \"{}\" is forbidden: {}", resource_of(subject), subject.name, why));
}

Status not_found(const Subject& subject) {
  return about(subject, 404, "NotFound",
               fmt::format("{} \"{}\" not found", resource_of(subject), subject.name));
}

Status no_such_resource() {
  return plain(404, "NotFound", "the server could not find the requested resource");
}

Status method_not_allowed(const Subject& subject, std::string_view verb) {
  return about(
      subject, 405, "MethodNotAllowed",
      fmt::format("{} is not supported on resources of kind \"{}\"", verb, resource_of(subject)));
}

Status not_acceptable(std::string_view served) {
  return plain(406, "NotAcceptable",
               fmt::format("only the following media types are accepted: {}", served));
}

Status already_exists(const Subject& subject) {
  return about(subject, 409, "AlreadyExists",
               fmt::format("{} \"{}\" already exists", resource_of(subject), subject.name));
}

Status conflict(const Subject& subject, std::string_view why) {
  return about(subject, 409, "Conflict",
               fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", resource_of(subject),
                           subject.name, why));
}

Status expired(std::string message) { return plain(410, "Expired", std::move(message)); }

Status too_large(std::string message) {
  return plain(413, "RequestEntityTooLarge", std::move(message));
}

Status unsupported_media_type(std::string_view given, std::string_view accepted) {
  return plain(
      415, "UnsupportedMediaType",
      fmt::format("the body of the request was in an unknown format - accepted media types "
                  "include: {}{}",
                  accepted,
                  given.empty() ? "" : fmt::format(" (given: {})", schema::as_utf8(given))));
}

Status invalid(const Subject& subject, std::vector<StatusCause> causes) {
  std::string what;
  for (const StatusCause& cause : causes) {
    if (!what.empty()) what += ", ";
    what += cause.field.empty() ? cause.message : fmt::format("{}: {}", cause.field, cause.message);
  }
  if (causes.size() > 1) what = fmt::format("[{}]", what);
  const std::string kind = subject.group.empty()
                               ? std::string(subject.kind)
                               : fmt::format("{}.{}", subject.kind, subject.group);
  Status status = about(subject, 422, "Invalid",
                        fmt::format("{} \"{}\" is invalid: {}", kind, subject.name, what));
  status.kind = subject.kind;
  status.causes = std::move(causes);
  return status;
}

Status too_many_requests(std::string message, int retry_after_seconds) {
  Status status = plain(429, "TooManyRequests", std::move(message));
  status.retry_after_seconds = retry_after_seconds;
  return status;
}

Status internal_error(std::string_view why) {
  Status status = plain(500, "InternalError", fmt::format("Internal error occurred: {}", why));
  status.causes.push_back({"", std::string(why), ""});
  return status;
}

Status timeout(std::string message) { return plain(504, "Timeout", std::move(message)); }

StatusCause required_value(std::string field, std::string_view detail) {
  return {"FieldValueRequired",
          detail.empty() ? "Required value" : fmt::format("Required value: {}", detail),
          std::move(field)};
}

StatusCause invalid_value(std::string field, std::string_view value, std::string_view detail) {
  return {"FieldValueInvalid", fmt::format("Invalid value: {}: {}", value, detail),
          std::move(field)};
}

StatusCause unsupported_value(std::string field, std::string_view value,
                              const std::vector<std::string>& supported) {
  std::vector<std::string> quoted;
  quoted.reserve(supported.size());
  for (const std::string& one : supported) quoted.push_back(fmt::format("\"{}\"", one));
  return {
      "FieldValueNotSupported",
      fmt::format("Unsupported value: {}: supported values: {}", value, fmt::join(quoted, ", ")),
      std::move(field)};
}

StatusCause forbidden_field(std::string field, std::string_view detail) {
  return {"FieldValueForbidden", fmt::format("Forbidden: {}", detail), std::move(field)};
}

StatusCause duplicate_value(std::string field, std::string_view value) {
  return {"FieldValueDuplicate", fmt::format("Duplicate value: {}", value), std::move(field)};
}

StatusCause too_long(std::string field, std::size_t max_bytes) {
  return {"FieldValueTooLong", fmt::format("Too long: may not be more than {} bytes", max_bytes),
          std::move(field)};
}

}  // namespace ebb::model
