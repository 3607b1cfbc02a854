// The Status object in which a Kubernetes API server reports the result of a request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <tl/expected.hpp>

#include "base/result.h"

namespace ebb::model {

struct StatusCause {
  std::string reason;   // FieldValueInvalid
  std::string message;  // Invalid value: -1: must be greater than or equal to 0
  std::string field;    // spec.replicas
};

// A failure. Messages and reasons copy Kubernetes exactly, because clients compare them.
struct Status {
  int code = 500;
  std::string reason;
  std::string message;
  // details
  std::string name;
  std::string group;
  std::string kind;
  std::string uid;
  std::vector<StatusCause> causes;
  int retry_after_seconds = 0;

  [[nodiscard]] boost::json::object to_json() const;
};

// EBB_ASSIGN_OR_RETURN and EBB_RETURN_IF_ERROR (base/result.h) unwrap it.
template <class T>
using StatusOr = tl::expected<T, Status>;

// The object that messages name: `deployments.apps "web" not found`.
struct Subject {
  std::string_view group;
  std::string_view resource;  // plural
  std::string_view kind;      // for invalid() only
  std::string_view name;
};

[[nodiscard]] Status bad_request(std::string message);
[[nodiscard]] Status unauthorized();
[[nodiscard]] Status forbidden(const Subject& subject, std::string_view why);
[[nodiscard]] Status not_found(const Subject& subject);
// For a path that matches no served resource.
[[nodiscard]] Status no_such_resource();
[[nodiscard]] Status method_not_allowed(const Subject& subject, std::string_view verb);
[[nodiscard]] Status not_acceptable(std::string_view served);
[[nodiscard]] Status already_exists(const Subject& subject);
[[nodiscard]] Status conflict(const Subject& subject, std::string_view why);
[[nodiscard]] Status expired(std::string message);
[[nodiscard]] Status too_large(std::string message);
[[nodiscard]] Status unsupported_media_type(std::string_view given, std::string_view accepted);
[[nodiscard]] Status invalid(const Subject& subject, std::vector<StatusCause> causes);
[[nodiscard]] Status too_many_requests(std::string message, int retry_after_seconds);
[[nodiscard]] Status internal_error(std::string_view why);
[[nodiscard]] Status timeout(std::string message);

// Field validation causes, in Kubernetes' wording.
[[nodiscard]] StatusCause required_value(std::string field, std::string_view detail);
// `value` is the offending value as JSON text.
[[nodiscard]] StatusCause invalid_value(std::string field, std::string_view value,
                                        std::string_view detail);
[[nodiscard]] StatusCause unsupported_value(std::string field, std::string_view value,
                                            const std::vector<std::string>& supported);
[[nodiscard]] StatusCause forbidden_field(std::string field, std::string_view detail);
[[nodiscard]] StatusCause duplicate_value(std::string field, std::string_view value);
[[nodiscard]] StatusCause too_long(std::string field, std::size_t max_bytes);

}  // namespace ebb::model
