// Many short texts in one piece of memory: for lists of thousands of names that are made, read once
// and thrown away.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ebb {

class TextList {
 public:
  TextList() = default;
  TextList(std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) add(text);
  }

  void add(std::string_view text) {
    bytes_ += text;
    ends_.push_back(bytes_.size());
  }

  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  // Holds until something is added, or the list goes.
  [[nodiscard]] std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(bytes_).substr(begin, ends_[index] - begin);
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;  // of each text in the bytes
};

}  // namespace ebb
