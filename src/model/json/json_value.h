// Reads fields of a parsed JSON document, with errors that name the field.
//
// A JsonValue knows its path (`spec.template.metadata.labels`) and reports invalid values to its
// DecodeContext. The first report is kept and reading continues with defaults, so decoders read
// straight through and check once, at the end. As everywhere in Kubernetes, null means the same as
// absent.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "base/timestamp.h"
#include "model/records/pool.h"

namespace ebb::model {

// The type for error messages: `a list`, `an object`, `a number`...
[[nodiscard]] std::string_view describe_type(simdjson::dom::element element);

class DecodeContext {
 public:
  explicit DecodeContext(Pool& pool) : pool_(pool) {}

  [[nodiscard]] Pool& pool() { return pool_; }
  void report(std::string problem) {
    remark(std::move(problem));
    damaged_ = true;
  }
  // An invalid value that is treated as absent (see WireReading).
  void remark(std::string problem) {
    if (!problem_) problem_ = std::move(problem);
  }
  // `path: what is wrong`, if anything was reported.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }
  // Whether anything but remarks was reported.
  [[nodiscard]] bool damaged() const { return damaged_; }

 private:
  Pool& pool_;
  std::optional<std::string> problem_;
  bool damaged_ = false;
};

class JsonValue {
 public:
  JsonValue(DecodeContext& context, simdjson::dom::element element)
      : context_(&context), element_(element) {}

  // Children refer to their parents, so parents must outlive them.
  JsonValue(const JsonValue&) = default;
  JsonValue& operator=(const JsonValue&) = default;

  // Whether the member is present, even if it is null.
  [[nodiscard]] bool exists() const { return element_.has_value(); }
  [[nodiscard]] bool present() const { return element_.has_value() && !element_->is_null(); }

  [[nodiscard]] std::string_view string() const;
  [[nodiscard]] Interned interned() const { return pool().intern(string()); }
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] Timestamp time() const;
  [[nodiscard]] std::optional<std::int32_t> int32() const;
  [[nodiscard]] std::optional<std::int64_t> int64() const;
  // An int32 of at least 0.
  [[nodiscard]] std::optional<std::int32_t> count() const;
  // For fields that may be a number or a string.
  [[nodiscard]] bool is_string() const { return present() && element_->is_string(); }

  // The parsed element; it must exist.
  [[nodiscard]] simdjson::dom::element element() const { return *element_; }

  // A string that must be present and not empty.
  [[nodiscard]] Interned required() const;

  // The named members of an object, in the order of the names; absent ones are not present(). A
  // duplicate member is reported.
  template <std::size_t N>
  [[nodiscard]] std::array<JsonValue, N> members(const std::string_view (&names)[N]) const;

  // Calls visit(JsonValue) for each element of an array, or each member of an object.
  template <class Visit>
  void each_item(Visit visit) const;
  template <class Visit>
  void each_member(Visit visit) const;

  // The labels of an object whose values are strings.
  [[nodiscard]] const LabelSet* labels() const;

  [[nodiscard]] Pool& pool() const { return context_->pool(); }
  [[nodiscard]] std::string_view key() const { return key_; }
  [[nodiscard]] std::string path() const;
  void report(std::string_view problem) const;
  void remark(std::string_view problem) const { context_->remark(with_path(problem)); }
  // Whether anything was reported so far, anywhere in the document.
  [[nodiscard]] bool failed() const { return context_->problem().has_value(); }

 private:
  JsonValue(const JsonValue& parent, std::string_view key, int index)
      : context_(parent.context_), parent_(&parent), key_(key), index_(index) {}

  // Whether these are the labels of the set, in its order.
  [[nodiscard]] bool equals(const LabelSet& set) const;
  // The element as an object or array; reports any other type and returns nothing.
  [[nodiscard]] std::optional<simdjson::dom::object> object() const;
  [[nodiscard]] std::optional<simdjson::dom::array> array() const;
  void report_type(std::string_view wanted) const;
  [[nodiscard]] std::string with_path(std::string_view problem) const;

  DecodeContext* context_;
  const JsonValue* parent_ = nullptr;
  std::optional<simdjson::dom::element> element_;
  std::string_view key_;
  int index_ = -1;
};

template <std::size_t N>
std::array<JsonValue, N> JsonValue::members(const std::string_view (&names)[N]) const {
  auto found = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<JsonValue, N>{JsonValue(*this, names[I], -1)...};
  }
  (std::make_index_sequence<N>());
  const auto all = object();
  if (!all) return found;
  for (const auto member : *all) {
    for (std::size_t i = 0; i < N; ++i) {
      if (member.key != names[i]) continue;
      if (found[i].element_) found[i].report("occurs twice in the same object");
      found[i].element_ = member.value;
      break;
    }
  }
  return found;
}

template <class Visit>
void JsonValue::each_item(Visit visit) const {
  const auto all = array();
  if (!all) return;
  JsonValue item(*this, {}, 0);
  for (const auto element : *all) {
    item.element_ = element;
    visit(static_cast<const JsonValue&>(item));
    ++item.index_;
  }
}

template <class Visit>
void JsonValue::each_member(Visit visit) const {
  const auto all = object();
  if (!all) return;
  JsonValue item(*this, {}, -1);
  for (const auto member : *all) {
    item.key_ = member.key;
    item.element_ = member.value;
    visit(static_cast<const JsonValue&>(item));
  }
}

}  // namespace ebb::model
