#include "model/records/section.h"

namespace ebb::model {

namespace json = boost::json;

Section::Section(const json::value* value, std::string where, Problem& problem)
    : where_(std::move(where)), problem_(&problem) {
  if (value == nullptr || value->is_null()) return;
  object_ = value->if_object();
  if (object_ == nullptr && !*problem_) *problem_ = fmt::format("{}: must be an object", where_);
}

const json::value* Section::find(std::string_view field) const {
  const json::value* value = object_ == nullptr ? nullptr : object_->if_contains(field);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string_view Section::text(std::string_view field) const {
  const json::value* value = find(field);
  if (value == nullptr) return {};
  if (const json::string* text = value->if_string()) return *text;
  must(field, "must be a string");
  return {};
}

bool Section::flag(std::string_view field) const {
  const json::value* value = find(field);
  if (value == nullptr) return false;
  if (const bool* flag = value->if_bool()) return *flag;
  must(field, "must be true or false");
  return false;
}

std::int64_t Section::integer(std::string_view field, std::int64_t low, std::int64_t high,
                              std::int64_t fallback) const {
  const json::value* value = find(field);
  if (value == nullptr) return fallback;
  const std::int64_t* number = value->if_int64();
  if (number != nullptr && *number >= low && *number <= high) return *number;
  must(field, fmt::format("must be an integer between {} and {}", low, high));
  return fallback;
}

Section Section::section(std::string_view field) const {
  return {find(field), place(field), *problem_};
}

std::string Section::place(std::string_view field) const {
  return fmt::format("{}.{}", where_, field);
}

void Section::must(std::string_view field, std::string_view rule) const {
  if (!*problem_) *problem_ = fmt::format("{}: {}", place(field), rule);
}

}  // namespace ebb::model
