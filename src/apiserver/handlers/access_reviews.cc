#include "apiserver/handlers/access_reviews.h"

#include <string>
#include <utility>
#include <vector>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "apiserver/decode/decode.h"
#include "apiserver/request/body.h"
#include "schema/core/json.h"
#include "schema/schemas/schemas_reviews.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using model::StatusOr;
using schema::Kind;

const Kind* find_review(std::string_view path) {
  for (const Kind& kind : schema::review_kinds()) {
    const std::string prefix = fmt::format("/apis/{}/{}/", kind.group, kind.version);
    if (!path.starts_with(prefix) || !path.ends_with(kind.plural)) continue;
    std::string_view between = path.substr(prefix.size());
    between.remove_suffix(kind.plural.size());
    constexpr std::string_view kNamespaces = "namespaces/";
    const bool in_namespace = between.starts_with(kNamespaces) &&
                              between.find('/', kNamespaces.size()) == between.size() - 1 &&
                              between.size() > kNamespaces.size() + 1;
    if (kind.namespaced ? in_namespace : between.empty()) return &kind;
  }
  return nullptr;
}

json::object everything_is_allowed() {
  return {{"allowed", true}, {"reason", "everything is allowed here"}};
}

json::object all_rules() {
  const json::array all{"*"};
  return {{"resourceRules", {json::object{{"verbs", all}, {"apiGroups", all}, {"resources", all}}}},
          {"nonResourceRules", {json::object{{"verbs", all}, {"nonResourceURLs", all}}}},
          {"incomplete", false}};
}

// Exactly one of the two kinds of attributes must be set.
std::vector<model::StatusCause> check_access(const json::object& review) {
  const bool resource = schema::object_at(review, {"spec", "resourceAttributes"}) != nullptr;
  const bool other = schema::object_at(review, {"spec", "nonResourceAttributes"}) != nullptr;
  if (resource != other) return {};
  return {{"FieldValueInvalid",
           "Invalid value: exactly one of nonResourceAttributes or resourceAttributes must be "
           "specified",
           "spec.resourceAttributes"}};
}

StatusOr<json::object> answer(const Kind& kind, const model::ApiRequest& request) {
  const model::Subject subject{
      .group = kind.group, .resource = kind.plural, .kind = kind.name, .name = ""};
  if (request.method != model::Method::kPost) {
    return tl::unexpected(model::method_not_allowed(subject, "get"));
  }
  EBB_ASSIGN_OR_RETURN(ParsedJson parsed, parse_body(request, kind));
  EBB_ASSIGN_OR_RETURN(Decoded decoded, conform(kind, std::move(parsed), FieldValidation::kIgnore));
  json::object review = std::move(decoded.object);
  if (kind.name == "SelfSubjectReview") {
    review["status"] = json::object{{"userInfo", user_info(request.as)}};
  } else if (kind.name == "SelfSubjectRulesReview") {
    review["status"] = all_rules();
  } else {
    auto causes = check_access(review);
    if (!causes.empty()) return tl::unexpected(model::invalid(subject, std::move(causes)));
    review["status"] = everything_is_allowed();
  }
  return review;
}

}  // namespace

std::optional<Review> answer_review(const model::ApiRequest& request) {
  const Kind* const kind = find_review(request.path);
  if (kind == nullptr) return std::nullopt;
  return Review{*kind, answer(*kind, request)};
}

}  // namespace ebb::apiserver
