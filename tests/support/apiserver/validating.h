// Validates documents for tests, decoded and with defaults, as the API server does.
#pragma once

#include <string>
#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "apiserver/decode/decode.h"
#include "apiserver/validation/validate.h"
#include "schema/core/json.h"
#include "schema/core/kind.h"

namespace ebb::support {

// Applies a merge patch to a base document, so that a test shows only what matters.
inline boost::json::value changed(boost::json::value document, const boost::json::value& change) {
  if (!change.is_object()) return change;
  boost::json::object result = document.is_object() ? document.get_object() : boost::json::object();
  for (const auto& member : change.get_object()) {
    if (member.value().is_null()) {
      result.stable_erase(member.key());
    } else {
      const boost::json::value* before = result.if_contains(member.key());
      result[member.key()] = changed(before ? *before : boost::json::value(), member.value());
    }
  }
  return result;
}

struct Document {
  const schema::Kind* kind = nullptr;
  boost::json::object object;
};

inline Document document(std::string_view base, std::string_view change = "{}") {
  const boost::json::value value = changed(boost::json::parse(base), boost::json::parse(change));
  const schema::Kind* kind = schema::find_kind(schema::text_at(value.as_object(), {"apiVersion"}),
                                               schema::text_at(value.as_object(), {"kind"}));
  EXPECT_NE(kind, nullptr);
  if (kind == nullptr) return {};
  auto decoded = apiserver::conform(*kind, {value, {}}, apiserver::FieldValidation::kStrict);
  EXPECT_TRUE(decoded.has_value()) << decoded.error().message;
  if (!decoded) return {};
  apiserver::apply_defaults(*kind->schema, decoded->object);
  return {kind, std::move(decoded->object)};
}

// The causes, one per line: spec.replicas: Invalid value: ...
inline std::string lines_of(const std::vector<model::StatusCause>& causes) {
  std::string text;
  for (const model::StatusCause& cause : causes) {
    if (!text.empty()) text += '\n';
    text += cause.field + ": " + cause.message;
  }
  return text;
}

// The problems with creating this object.
inline std::string problems(std::string_view base, std::string_view change = "{}",
                            const model::FeatureGates& gates = {}) {
  const Document wanted = document(base, change);
  return lines_of(apiserver::validate(*wanted.kind, wanted.object, nullptr, gates));
}

// The problems with an update from `base` with `before` to `base` with `after`.
inline std::string update_problems(std::string_view base, std::string_view before,
                                   std::string_view after) {
  const Document old = document(base, before);
  const Document wanted = document(base, after);
  return lines_of(apiserver::validate(*wanted.kind, wanted.object, &old.object));
}

inline std::string status_problems(std::string_view base, std::string_view before,
                                   std::string_view after) {
  const Document old = document(base, before);
  const Document wanted = document(base, after);
  return lines_of(apiserver::validate_status(*wanted.kind, wanted.object, old.object));
}

}  // namespace ebb::support
