// Reading fields out of a parsed JSON document, with errors that name the field.
//
// A JsonValue knows where it stands (`spec.template.metadata.labels`) and reports
// what does not fit to its DecodeContext. The first report is kept and reading
// goes on with defaults, so decoders read straight down and check once, at the
// end. As everywhere in Kubernetes, null means the same as absent.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "base/timestamp.h"
#include "model/pool.h"

namespace ebb::model {

// `a list`, `an object`, `a number`... as errors call what was found.
[[nodiscard]] std::string_view describe_type(simdjson::dom::element element);

class DecodeContext {
 public:
  explicit DecodeContext(Pool& pool) : pool_(pool) {}

  [[nodiscard]] Pool& pool() { return pool_; }
  void report(std::string problem) {
    if (!problem_) problem_ = std::move(problem);
  }
  // `path: what is wrong`, if anything was.
  [[nodiscard]] const std::optional<std::string>& problem() const { return problem_; }

 private:
  Pool& pool_;
  std::optional<std::string> problem_;
};

class JsonValue {
 public:
  JsonValue(DecodeContext& context, simdjson::dom::element element)
      : context_(&context), element_(element) {}

  // Parents are referred to by their children and must outlive them.
  JsonValue(const JsonValue&) = default;
  JsonValue& operator=(const JsonValue&) = default;

  // Whether the member stands there at all, be it null.
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

  // What was parsed; it must exist.
  [[nodiscard]] simdjson::dom::element element() const { return *element_; }

  // A string that must be there and not be empty.
  [[nodiscard]] Interned required() const;

  // The named members of an object, in the order of the names; absent ones are
  // not present(). A member that stands twice is reported.
  template <std::size_t N>
  [[nodiscard]] std::array<JsonValue, N> members(const std::string_view (&names)[N]) const;

  // Calls visit(JsonValue) for each element of an array, or each member of an object.
  template <class Visit>
  void each_item(Visit visit) const;
  template <class Visit>
  void each_member(Visit visit) const;

  // The labels of an object of strings.
  [[nodiscard]] const LabelSet* labels() const;

  [[nodiscard]] Pool& pool() const { return context_->pool(); }
  [[nodiscard]] std::string_view key() const { return key_; }
  [[nodiscard]] std::string path() const;
  void report(std::string_view problem) const;
  // Whether anything was reported yet, wherever in the document.
  [[nodiscard]] bool failed() const { return context_->problem().has_value(); }

 private:
  JsonValue(const JsonValue& parent, std::string_view key, int index)
      : context_(parent.context_), parent_(&parent), key_(key), index_(index) {}

  // Whether these are the labels of the set, in its order.
  [[nodiscard]] bool equals(const LabelSet& set) const;
  // The element as an object or array; reports and gives none if it is something else.
  [[nodiscard]] std::optional<simdjson::dom::object> object() const;
  [[nodiscard]] std::optional<simdjson::dom::array> array() const;
  void report_type(std::string_view wanted) const;

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
      if (found[i].element_) found[i].report("stands twice in the same object");
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
