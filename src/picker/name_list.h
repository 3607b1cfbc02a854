// The names in a picker's answer: any text, any number. Stored in one string, because an answer may
// contain a third of a million empty names, and a string for each would take more than ten times
// the size of the answer.
#pragma once  // private to its room

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"

namespace ebb::picker {

class NameList {
 public:
  NameList() = default;
  NameList(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) push_back(name);
  }
  NameList(const std::vector<std::string>& names) {
    for (const std::string& name : names) push_back(name);
  }

  void push_back(std::string_view name) {
    text_ += name;
    EBB_CHECK(text_.size() <= UINT32_MAX);
    ends_.push_back(static_cast<std::uint32_t>(text_.size()));
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  // Valid until another name is added.
  [[nodiscard]] std::string_view operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    Iterator() = default;
    Iterator(const NameList& list, std::size_t place) : list_(&list), place_(place) {}
    std::string_view operator*() const { return (*list_)[place_]; }
    Iterator& operator++() {
      ++place_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++place_;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const NameList* list_ = nullptr;
    std::size_t place_ = 0;
  };
  using value_type = std::string_view;
  using iterator = Iterator;
  using const_iterator = Iterator;

  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size()}; }

  friend bool operator==(const NameList&, const NameList&) = default;

 private:
  std::string text_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace ebb::picker
