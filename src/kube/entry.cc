#include "kube/entry.h"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "base/base64.h"
#include "kube/files.h"

namespace ebb::kube {

namespace json = boost::json;

std::string beside(const std::filesystem::path& file, const std::string& path) {
  return (std::filesystem::absolute(file).parent_path() / path).lexically_normal().string();
}

const json::value* Entry::find(std::string_view key) const {
  const json::value* value = object_->if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

void Entry::report(std::string problem) {
  report(
      Error{ErrorCode::kInvalidInput, fmt::format("{}: {}: {}", file_.string(), what_, problem)});
}

void Entry::report(Error error) {
  if (!problem_) problem_ = std::move(error);
}

void Entry::report_type(std::string_view key, std::string_view expected) {
  report(fmt::format("{}: expected {}", key, expected));
}

Result<void> Entry::check() const {
  if (problem_) return tl::unexpected(*problem_);
  return {};
}

Entry Entry::within(const json::object& object, std::string_view key) const {
  return {file_, fmt::format("{}: {}", what_, key), object};
}

std::string Entry::text(std::string_view key) {
  const json::value* value = find(key);
  if (value == nullptr) return {};
  if (const json::string* text = value->if_string()) return std::string(*text);
  report_type(key, "a string (in quotes, if it looks like a number or like yes or no)");
  return {};
}

bool Entry::flag(std::string_view key) {
  const json::value* value = find(key);
  if (value == nullptr) return false;
  if (const bool* flag = value->if_bool()) return *flag;
  report_type(key, "true or false");
  return false;
}

std::vector<std::string> Entry::texts(std::string_view key) {
  std::vector<std::string> result;
  const json::array* values = array(key);
  if (values == nullptr) return result;
  for (const json::value& value : *values) {
    if (const json::string* text = value.if_string()) {
      result.emplace_back(*text);
    } else {
      report_type(key, "a list of strings");
    }
  }
  return result;
}

std::string Entry::data(std::string_view key) {
  auto bytes = decode_base64(text(key));
  if (bytes) return std::move(*bytes);
  report_type(key, "base64");
  return {};
}

std::string Entry::path(std::string_view key) {
  const std::string path = text(key);
  return path.empty() ? path : beside(file_, path);
}

const json::object* Entry::object(std::string_view key) {
  const json::value* value = find(key);
  if (value == nullptr) return nullptr;
  if (const json::object* object = value->if_object()) return object;
  report_type(key, "an object");
  return nullptr;
}

const json::array* Entry::array(std::string_view key) {
  const json::value* value = find(key);
  if (value == nullptr) return nullptr;
  if (const json::array* array = value->if_array()) return array;
  report_type(key, "a list");
  return nullptr;
}

std::string Entry::data_or_file(std::string_view key) {
  if (std::string bytes = data(fmt::format("{}-data", key)); !bytes.empty()) return bytes;
  const std::string file = path(key);
  if (file.empty()) return {};
  auto content = read_file(file, key);
  if (content) return std::move(*content);
  report(fmt::format("{}: {}", key, content.error().message));
  return {};
}

}  // namespace ebb::kube
