// Bytes shared by many answers: a list refers to the stored objects themselves, and a thousand
// watchers of an object send the same memory.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb {

class Bytes {
 public:
  struct Segment {
    std::shared_ptr<const void> owner;  // keeps the text alive; empty for static texts
    std::string_view text;
  };

  Bytes() = default;
  explicit Bytes(std::string text) { append(std::move(text)); }

  void append(std::string text) {
    if (text.empty()) return;
    auto owned = std::make_shared<const std::string>(std::move(text));
    const std::string_view view = *owned;
    append_shared(std::move(owned), view);
  }
  void append_static(std::string_view text) { append_shared(nullptr, text); }
  void append_shared(std::shared_ptr<const void> owner, std::string_view text) {
    size_ += text.size();
    segments_.push_back({std::move(owner), text});
  }

  void append(const Bytes& other) {
    size_ += other.size_;
    segments_.insert(segments_.end(), other.segments_.begin(), other.segments_.end());
  }

  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::string str() const {
    std::string text;
    text.reserve(size_);
    for (const Segment& segment : segments_) text += segment.text;
    return text;
  }

 private:
  std::vector<Segment> segments_;
  std::size_t size_ = 0;
};

}  // namespace ebb
