// The user of a request. There is no authorization: the token holder can impersonate any user.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apiserver/handlers/access_reviews.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using model::Impersonation;
using Texts = std::vector<std::string>;

constexpr std::string_view kUser = "ebb-admin";
constexpr std::string_view kAnonymous = "system:anonymous";
constexpr std::string_view kAuthenticated = "system:authenticated";
constexpr std::string_view kUnauthenticated = "system:unauthenticated";
constexpr std::string_view kServiceAccount = "system:serviceaccount:";

// Returns the namespace in a service account's user name; nothing for other users.
std::optional<std::string_view> namespace_of(std::string_view user) {
  if (!user.starts_with(kServiceAccount)) return std::nullopt;
  const std::string_view rest = user.substr(kServiceAccount.size());
  const std::size_t colon = rest.find(':');
  if (colon == 0 || colon >= rest.size() - 1 || rest.find(':', colon + 1) != rest.npos) {
    return std::nullopt;
  }
  return rest.substr(0, colon);
}

// The requested groups, and the groups that every user of this kind is in.
json::array groups_of(const Impersonation& as) {
  json::array groups(as.groups.begin(), as.groups.end());
  if (const auto namespace_name = namespace_of(as.user); namespace_name && groups.empty()) {
    groups.emplace_back("system:serviceaccounts");
    groups.emplace_back(fmt::format("system:serviceaccounts:{}", *namespace_name));
  }
  const bool is_listed =
      std::any_of(as.groups.begin(), as.groups.end(), [](const std::string& group) {
        return group == kAuthenticated || group == kUnauthenticated;
      });
  if (!is_listed) groups.emplace_back(as.user == kAnonymous ? kUnauthenticated : kAuthenticated);
  return groups;
}

std::string quoted(std::string_view text) { return json::serialize(json::value(text)); }

// Prints a list as Go does.
std::string list_text(const Texts& texts) {
  if (texts.empty()) return "[]string(nil)";
  Texts items;
  for (const std::string& text : texts) items.push_back(quoted(text));
  return fmt::format("[]string{{{}}}", fmt::join(items, ", "));
}

std::string extra_text(const Impersonation& as) {
  if (as.extra.empty()) return "map[string][]string(nil)";
  Texts items;
  for (const auto& [key, values] : as.extra) {
    items.push_back(fmt::format("{}:{}", quoted(key), list_text(values)));
  }
  return fmt::format("map[string][]string{{{}}}", fmt::join(items, ", "));
}

}  // namespace

json::object user_info(const Impersonation& as) {
  if (as.user.empty()) {
    return {{"username", kUser}, {"groups", {"system:masters", kAuthenticated}}};
  }
  json::object info{{"username", as.user}};
  if (!as.uid.empty()) info["uid"] = as.uid;
  info["groups"] = groups_of(as);
  if (as.extra.empty()) return info;
  json::object& extra = info["extra"].emplace_object();
  for (const auto& [key, values] : as.extra) {
    extra[key] = json::array(values.begin(), values.end());
  }
  return info;
}

model::StatusOr<void> check_impersonation(const Impersonation& as) {
  const bool is_named = !as.user.empty();
  if (is_named || (as.uid.empty() && as.groups.empty() && as.extra.empty())) return {};
  return tl::unexpected(model::bad_request(fmt::format(
      R"(requested &user.DefaultInfo{{Name:"", UID:{}, Groups:{}, Extra:{}}} without impersonating a user name)",
      quoted(as.uid), list_text(as.groups), extra_text(as))));
}

}  // namespace ebb::apiserver
