#include "model/json/json_value.h"

#include <fmt/format.h>

#include "schema/core/time.h"

namespace ebb::model {
namespace {

// A key that would be ambiguous in a dotted path is quoted in brackets.
bool is_plain(std::string_view key) {
  return !key.empty() && key.find_first_of(".[]\"/ ") == std::string_view::npos;
}

}  // namespace

std::string_view describe_type(simdjson::dom::element element) {
  using simdjson::dom::element_type;
  switch (element.type()) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
      return "a number";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "a boolean";
    case element_type::NULL_VALUE:
      return "null";
  }
  return "something else";
}

std::string JsonValue::path() const {
  if (parent_ == nullptr) return {};
  std::string path = parent_->path();
  if (index_ >= 0) return path + fmt::format("[{}]", index_);
  if (!is_plain(key_)) return path + fmt::format("[{}]", key_);
  if (!path.empty()) path += '.';
  path += key_;
  return path;
}

std::string JsonValue::with_path(std::string_view problem) const {
  const std::string where = path();
  return where.empty() ? std::string(problem) : fmt::format("{}: {}", where, problem);
}

void JsonValue::report(std::string_view problem) const { context_->report(with_path(problem)); }

void JsonValue::report_type(std::string_view wanted) const {
  report(fmt::format("expected {}, got {}", wanted, describe_type(*element_)));
}

std::optional<simdjson::dom::object> JsonValue::object() const {
  if (!present()) return std::nullopt;
  simdjson::dom::object object;
  if (element_->get(object) == simdjson::SUCCESS) return object;
  report_type("an object");
  return std::nullopt;
}

std::optional<simdjson::dom::array> JsonValue::array() const {
  if (!present()) return std::nullopt;
  simdjson::dom::array array;
  if (element_->get(array) == simdjson::SUCCESS) return array;
  report_type("a list");
  return std::nullopt;
}

std::string_view JsonValue::string() const {
  std::string_view text;
  if (present() && element_->get(text) != simdjson::SUCCESS) report_type("a string");
  return text;
}

bool JsonValue::boolean() const {
  bool value = false;
  if (present() && element_->get(value) != simdjson::SUCCESS) report_type("a boolean");
  return value;
}

Timestamp JsonValue::time() const {
  if (!present()) return {};
  std::string_view text;
  if (element_->get(text) != simdjson::SUCCESS) {
    report_type("a time such as 2026-11-01T12:00:00Z");
    return {};
  }
  const auto time = schema::parse_time(text);
  if (!time) {
    report(time.error().message);
    return {};
  }
  return *time;
}

std::optional<std::int64_t> JsonValue::int64() const {
  if (!present()) return std::nullopt;
  std::int64_t value = 0;
  if (element_->get(value) == simdjson::SUCCESS) return value;
  report_type("an integer");
  return std::nullopt;
}

std::optional<std::int32_t> JsonValue::int32() const {
  if (!present()) return std::nullopt;
  std::int64_t value = 0;
  if (element_->get(value) != simdjson::SUCCESS) {
    if (double number = 0; element_->get(number) == simdjson::SUCCESS) {
      report(fmt::format("expected a 32-bit integer, got {:#}", number));
    } else {
      report_type("an integer");
    }
    return std::nullopt;
  }
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max()) {
    report(fmt::format("expected a 32-bit integer, got {}", value));
    return std::nullopt;
  }
  return static_cast<std::int32_t>(value);
}

std::optional<std::int32_t> JsonValue::count() const {
  const auto value = int32();
  if (value && *value < 0) {
    report(fmt::format("must not be negative, got {}", *value));
    return std::nullopt;
  }
  return value;
}

Interned JsonValue::required() const {
  const Interned text = interned();
  if (text.empty() && !(present() && !element_->is_string())) {
    report(present() ? "must not be empty" : "is missing");
  }
  return text;
}

bool JsonValue::equals(const LabelSet& set) const {
  simdjson::dom::object object;
  if (!present() || element_->get(object) != simdjson::SUCCESS) return false;
  auto label = set.labels.begin();
  for (const auto member : object) {
    std::string_view value;
    if (label == set.labels.end() || member.key != label->key.view() ||
        member.value.get(value) != simdjson::SUCCESS || value != label->value.view()) {
      return false;
    }
    ++label;
  }
  return label == set.labels.end();
}

const LabelSet* JsonValue::labels() const {
  if (const LabelSet* recent = pool().recent_labels(); recent != nullptr && equals(*recent)) {
    return recent;
  }
  std::vector<Label> labels;
  each_member([&](const JsonValue& member) {
    labels.push_back({pool().intern(member.key()), member.interned()});
  });
  if (const Label* twice = sort_by_key(labels)) {
    report(fmt::format("key {} occurs twice in the same object", twice->key.view()));
    labels.clear();
  }
  return pool().intern(std::move(labels));
}

}  // namespace ebb::model
