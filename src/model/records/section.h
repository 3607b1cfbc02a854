// Reads a section of settings (`spec.podPicker`, `spec.ranking`), field by field. The first problem
// is kept, with its path, and reading goes on with defaults; so decoders read straight through and
// check once, at the end. Null means absent. Problems never quote the value: it may be secret.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

namespace ebb::model {

// `spec.podPicker.http.port: must be ...`, once there is a problem.
using Problem = std::optional<std::string>;

class Section {
 public:
  // Reports a value that is not an object; null counts as an empty object.
  Section(const boost::json::value* value, std::string where, Problem& problem);

  // The field, or nothing if it is absent or null.
  [[nodiscard]] const boost::json::value* find(std::string_view field) const;
  // Empty if absent.
  [[nodiscard]] std::string_view text(std::string_view field) const;
  [[nodiscard]] bool flag(std::string_view field) const;
  [[nodiscard]] std::int64_t integer(std::string_view field, std::int64_t low, std::int64_t high,
                                     std::int64_t fallback) const;
  [[nodiscard]] Section section(std::string_view field) const;
  [[nodiscard]] std::string place(std::string_view field) const;

  // Calls visit(Section) for each object of a list.
  template <class Visit>
  void each(std::string_view field, Visit visit) const;

  // Reports that a field violates its rule.
  void must(std::string_view field, std::string_view rule) const;
  void check(bool fine, std::string_view field, std::string_view rule) const {
    if (!fine) must(field, rule);
  }

 private:
  const boost::json::object* object_ = nullptr;
  std::string where_;
  Problem* problem_;
};

template <class Visit>
void Section::each(std::string_view field, Visit visit) const {
  const boost::json::value* value = find(field);
  if (value == nullptr) return;
  const boost::json::array* list = value->if_array();
  if (list == nullptr) return must(field, "must be a list");
  for (std::size_t i = 0; i < list->size() && !*problem_; ++i) {
    visit(Section(&(*list)[i], fmt::format("{}[{}]", place(field), i), *problem_));
  }
}

}  // namespace ebb::model
