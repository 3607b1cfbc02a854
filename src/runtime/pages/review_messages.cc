#include "runtime/pages/review_messages.h"

#include <boost/algorithm/string/predicate.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include "schema/core/json.h"

namespace ebb::runtime {
namespace {

namespace json = boost::json;

constexpr std::size_t kLongestToken = 16UL << 10;
// RFC 6750, section 2.1.
constexpr std::string_view kTokenCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=";

Result<json::object> read(std::string_view body, std::string_view kind) {
  json::error_code error;
  json::value value = json::parse(json::string_view(body.data(), body.size()), error);
  if (error || !value.is_object()) {
    return fail(ErrorCode::kInvalidInput, fmt::format("the API server's answer is not a {}", kind));
  }
  json::object& object = value.get_object();
  if (schema::text_at(object, {"kind"}) != kind ||
      schema::object_at(object, {"status"}) == nullptr) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("the API server's answer is not a {} with a status", kind));
  }
  return std::move(object);
}

std::vector<std::string> texts(const json::value& value) {
  std::vector<std::string> result;
  if (!value.is_array()) return result;
  for (const json::value& one : value.get_array()) {
    if (one.is_string()) result.emplace_back(one.get_string());
  }
  return result;
}

json::array array_of(const std::vector<std::string>& texts) {
  json::array result;
  for (const std::string& text : texts) result.emplace_back(text);
  return result;
}

}  // namespace

std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (!boost::algorithm::istarts_with(authorization, kScheme)) return std::nullopt;
  const std::string_view token = authorization.substr(kScheme.size());
  if (token.empty() || token.size() > kLongestToken ||
      token.find_first_not_of(kTokenCharacters) != std::string_view::npos) {
    return std::nullopt;
  }
  return token;
}

std::string token_review(std::string_view token) {
  return json::serialize(json::object{
      {"apiVersion", "authentication.k8s.io/v1"},
      {"kind", "TokenReview"},
      {"spec", json::object{{"token", json::string_view(token.data(), token.size())}}}});
}

Result<std::optional<ReviewedUser>> read_token_review(std::string_view body) {
  EBB_ASSIGN_OR_RETURN(auto review, read(body, "TokenReview"));
  if (!schema::is_true_at(review, {"status", "authenticated"})) return std::nullopt;
  const json::object* user = schema::object_at(review, {"status", "user"});
  ReviewedUser result;
  if (user != nullptr) result.name = schema::text_at(*user, {"username"});
  if (result.name.empty()) {
    return fail(ErrorCode::kInvalidInput, "the TokenReview has no status.user.username");
  }
  result.uid = schema::text_at(*user, {"uid"});
  if (const json::value* groups = schema::lookup(*user, {"groups"})) result.groups = texts(*groups);
  if (const json::object* extra = schema::object_at(*user, {"extra"})) {
    for (const auto& [key, values] : *extra) result.extra.emplace_back(key, texts(values));
  }
  return result;
}

std::string access_review(const ReviewedUser& user, std::string_view path) {
  json::object spec{
      {"nonResourceAttributes",
       json::object{{"path", json::string_view(path.data(), path.size())}, {"verb", "get"}}},
      {"user", user.name}};
  if (!user.uid.empty()) spec["uid"] = user.uid;
  if (!user.groups.empty()) spec["groups"] = array_of(user.groups);
  if (!user.extra.empty()) {
    json::object extra;
    for (const auto& [key, values] : user.extra) extra[key] = array_of(values);
    spec["extra"] = std::move(extra);
  }
  return json::serialize(json::object{{"apiVersion", "authorization.k8s.io/v1"},
                                      {"kind", "SubjectAccessReview"},
                                      {"spec", std::move(spec)}});
}

Result<bool> read_access_review(std::string_view body) {
  EBB_ASSIGN_OR_RETURN(auto review, read(body, "SubjectAccessReview"));
  return schema::is_true_at(review, {"status", "allowed"}) &&
         !schema::is_true_at(review, {"status", "denied"});
}

}  // namespace ebb::runtime
