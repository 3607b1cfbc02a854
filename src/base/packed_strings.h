// Many short strings in one block of memory: for lists of thousands of names that are built, read
// once and discarded.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ebb {

class PackedStrings {
 public:
  PackedStrings() = default;
  PackedStrings(std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) add(text);
  }

  void add(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  // Valid until a string is added or the list is destroyed.
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;  // of each text in the bytes
};

}  // namespace ebb
