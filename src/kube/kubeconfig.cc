#include "kube/kubeconfig.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "kube/entry.h"
#include "model/yaml/yaml_to_json.h"

namespace ebb::kube {
namespace {

namespace json = boost::json;

// The limit of yaml_to_json(), with a margin.
constexpr std::size_t kMaxDepth = 1000;

Result<json::object> parse(const std::filesystem::path& file, std::string_view yaml) {
  auto documents = model::yaml_to_json(yaml);
  if (!documents) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: {}", file.string(), documents.error().message));
  }
  // kubectl creates an empty file when it needs one.
  if (documents->empty()) return json::object{};
  if (documents->size() > 1) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: a kubeconfig must be one YAML document, not {}", file.string(),
                            documents->size()));
  }
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = kMaxDepth;
  json::value value = json::parse(documents->front().json, error, {}, options);
  if (error || !value.is_object()) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("{}: a kubeconfig must be an object with clusters, users and contexts",
                            file.string()));
  }
  return std::move(value.as_object());
}

// The list `key` of `root`, whose items are {name: N, `item_key`: {...}}.
Result<void> take_entries(const std::filesystem::path& file, Entry& root, std::string_view key,
                          std::string_view item_key, Kubeconfig::Entries& all) {
  const json::array* items = root.array(key);
  if (items == nullptr) return root.check();
  Kubeconfig::Entries mine;
  for (const json::value& item : *items) {
    if (!item.is_object()) {
      root.report(fmt::format("{}: expected a list of objects", key));
      return root.check();
    }
    Entry entry = root.within(item.as_object(), key);
    const std::string name = entry.text("name");
    const json::object* value = entry.object(item_key);
    EBB_RETURN_IF_ERROR(entry.check());
    if (name.empty()) {
      root.report(fmt::format("{}: an entry has no name", key));
    } else if (!mine.emplace(name,
                             Kubeconfig::Named{file, value != nullptr ? *value : json::object{}})
                    .second) {
      root.report(fmt::format("{}: \"{}\" occurs twice", key, name));
    }
  }
  all.merge(mine);
  return root.check();
}

}  // namespace

Result<void> Kubeconfig::add(const std::filesystem::path& file, std::string_view yaml) {
  EBB_ASSIGN_OR_RETURN(auto object, parse(file, yaml));
  files_.push_back(file);
  Entry root(file, "kubeconfig", object);
  const std::string kind = root.text("kind");
  if (!kind.empty() && kind != "Config") {
    root.report(fmt::format("this is a {}, not a Config", kind));
  }
  if (current_context_.empty()) current_context_ = root.text("current-context");
  EBB_RETURN_IF_ERROR(root.check());
  EBB_RETURN_IF_ERROR(take_entries(file, root, "clusters", "cluster", clusters_));
  EBB_RETURN_IF_ERROR(take_entries(file, root, "users", "user", users_));
  return take_entries(file, root, "contexts", "context", contexts_);
}

std::string Kubeconfig::files() const {
  std::string text;
  for (const auto& file : files_) text += (text.empty() ? "" : ", ") + file.string();
  return text;
}

std::string names_of(const Kubeconfig::Entries& entries) {
  if (entries.empty()) return "none";
  std::string text;
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    if (entry != entries.begin()) text += std::next(entry) == entries.end() ? " and " : ", ";
    text += entry->first;
  }
  return text;
}

}  // namespace ebb::kube
