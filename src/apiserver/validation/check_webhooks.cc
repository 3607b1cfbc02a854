// Validates webhook configurations. URLs and the paths of services are in check_webhook_client.cc.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "apiserver/validation/checks.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

using schema::array_at;
using schema::object_at;
using schema::text_at;

namespace {

constexpr std::string_view kReviewVersions[] = {"v1", "v1beta1"};
constexpr std::int64_t kLongestTimeoutSeconds = 30;

std::string_view text_of(const json::value& value) {
  return value.is_string() ? std::string_view(value.get_string()) : std::string_view();
}

// The entries of a list; empty if it is absent.
const json::array& entries_of(const json::object& object, std::string_view field) {
  static const json::array kNone;
  const json::array* list = array_at(object, {field});
  return list == nullptr ? kNone : *list;
}

bool has(const json::array& list, std::string_view text) {
  return std::any_of(list.begin(), list.end(),
                     [&](const json::value& one) { return text_of(one) == text; });
}

std::string entry_of(const FieldPath& list, std::size_t index) {
  return FieldPath{.parent = &list, .index = index}.text();
}

// Groups and versions: at least one, and a wildcard only alone.
void check_words(const json::object& rule, std::string_view field, std::string_view what,
                 const FieldPath& path, FieldErrors& errors) {
  const json::array& words = entries_of(rule, field);
  if (words.empty()) return errors.required(below(path, field));
  if (words.size() > 1 && has(words, "*")) {
    const json::value list = words;
    errors.invalid(below(path, field), json_text(&list),
                   fmt::format("if '*' is present, must not specify other {}", what));
  }
}

// pods, pods/status, pods/*, */scale, *, */*: no entry may cover another.
void check_resources(const json::object& rule, const FieldPath& path, FieldErrors& errors) {
  const FieldPath list_path{.parent = &path, .name = "resources"};
  const json::array& resources = entries_of(rule, "resources");
  if (resources.empty()) return errors.required(list_path.text());
  std::set<std::string_view> with_all_subresources;
  std::set<std::string_view> of_all_resources;
  bool names_one = false;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    const std::string_view text = text_of(resources[i]);
    if (text.empty()) {
      errors.required(entry_of(list_path, i));
      continue;
    }
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) {
      names_one = names_one || text != "*";
      continue;
    }
    const std::string_view resource = text.substr(0, slash);
    const std::string_view subresource = text.substr(slash + 1);
    if (with_all_subresources.contains(resource)) {
      errors.invalid(entry_of(list_path, i), quoted(text),
                     fmt::format("if '{}/*' is present, must not specify {}", resource, text));
    }
    if (of_all_resources.contains(subresource)) {
      errors.invalid(entry_of(list_path, i), quoted(text),
                     fmt::format("if '*/{}' is present, must not specify {}", subresource, text));
    }
    if (subresource == "*") with_all_subresources.insert(resource);
    if (resource == "*") of_all_resources.insert(subresource);
  }
  const json::value list = resources;
  if (resources.size() > 1 && has(resources, "*/*")) {
    errors.invalid(list_path.text(), json_text(&list),
                   "if '*/*' is present, must not specify other resources");
  }
  if (names_one && has(resources, "*")) {
    errors.invalid(list_path.text(), json_text(&list),
                   "if '*' is present, must not specify other resources without subresources");
  }
}

void check_rule(const json::object& rule, const FieldPath& path, FieldErrors& errors) {
  check_words(rule, "operations", "operations", path, errors);
  check_words(rule, "apiGroups", "API groups", path, errors);
  check_words(rule, "apiVersions", "API versions", path, errors);
  const FieldPath versions{.parent = &path, .name = "apiVersions"};
  const json::array& given = entries_of(rule, "apiVersions");
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (text_of(given[i]).empty()) errors.required(entry_of(versions, i));
  }
  check_resources(rule, path, errors);
}

void check_webhook_name(std::string_view name, const FieldPath& path, FieldErrors& errors) {
  const std::string field = below(path, "name");
  if (name.empty()) return errors.required(field);
  const schema::ErrorMessages complaints = schema::dns_subdomain_errors(name);
  if (!complaints.empty()) {
    return errors.invalid(field, quoted(name), fmt::format("{}", fmt::join(complaints, ",")));
  }
  if (std::count(name.begin(), name.end(), '.') < 2) {
    errors.invalid(field, quoted(name),
                   "should be a domain with at least three segments separated by dots");
  }
}

void check_review_versions(const json::object& webhook, const FieldPath& path,
                           FieldErrors& errors) {
  const FieldPath list_path{.parent = &path, .name = "admissionReviewVersions"};
  const json::array& versions = entries_of(webhook, "admissionReviewVersions");
  const std::string known = fmt::format("{}", fmt::join(kReviewVersions, ", "));
  if (versions.empty()) {
    return errors.required(list_path.text(), fmt::format("must specify one of {}", known));
  }
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    const std::string_view version = text_of(versions[i]);
    if (!seen.insert(version).second) {
      errors.invalid(entry_of(list_path, i), quoted(version), "duplicate version");
    } else {
      errors.complain(FieldPath{.parent = &list_path, .index = i}, version,
                      schema::dns_1035_label_errors(version));
    }
  }
  if (std::none_of(std::begin(kReviewVersions), std::end(kReviewVersions),
                   [&](std::string_view one) { return seen.contains(one); })) {
    const json::value list = versions;
    errors.invalid(list_path.text(), json_text(&list),
                   fmt::format("must include at least one of {}", known));
  }
}

void check_webhook(const json::object& webhook, const FieldPath& path, FieldErrors& errors) {
  check_webhook_name(text_at(webhook, {"name"}), path, errors);
  each_entry(webhook, "rules", path, [&](const json::object& rule, const FieldPath& rule_path) {
    check_rule(rule, rule_path, errors);
  });
  check_webhook_client(*object_at(webhook, {"clientConfig"}),
                       FieldPath{.parent = &path, .name = "clientConfig"}, errors);
  if (!webhook.contains("sideEffects")) {
    errors.required(below(path, "sideEffects"), "must specify one of None, NoneOnDryRun");
  }
  const auto timeout = schema::integer_at(webhook, {"timeoutSeconds"});
  if (timeout && (*timeout < 1 || *timeout > kLongestTimeoutSeconds)) {
    errors.invalid(below(path, "timeoutSeconds"), fmt::to_string(*timeout),
                   "the timeout value must be between 1 and 30 seconds");
  }
  check_review_versions(webhook, path, errors);
  if (!entries_of(webhook, "matchConditions").empty()) {
    // matchConditions are not supported. Ignoring them would call the webhook too often, so refuse
    // it.
    errors.forbidden(below(path, "matchConditions"),
                     "CEL expressions are not supported by this API server; use rules, "
                     "namespaceSelector and objectSelector");
  }
}

}  // namespace

void check_webhook_configuration(const Write& write, FieldErrors& errors) {
  std::set<std::string_view> names;
  each_entry(write.object, "webhooks", FieldPath(),
             [&](const json::object& webhook, const FieldPath& path) {
               check_webhook(webhook, path, errors);
               const std::string_view name = text_at(webhook, {"name"});
               if (!name.empty() && !names.insert(name).second) {
                 errors.duplicate(below(path, "name"), quoted(name));
               }
             });
}

}  // namespace ebb::apiserver
