// Texts that share long parts with other texts; each part is stored once.
//
// Most of an object's managedFields is the same in all pods of one template, and as long as the
// rest of the object. Such parts are taken out of the text and shared; readers get the text in
// pieces.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"

namespace ebb::apiserver {

// Keeps each text once, while it is referenced.
class TextPool {
 public:
  [[nodiscard]] std::shared_ptr<const std::string> share(std::string_view text);
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  void drop_unused();

  // By hash, because a key that points to the text would outlive it.
  std::unordered_multimap<std::size_t, std::weak_ptr<const std::string>> texts_;
  std::size_t sweep_at_ = 1024;
};

// A text without its shared parts, and references to them.
class PiecedText {
 public:
  // A shared part, and its position in the remaining text.
  struct Part {
    std::size_t place = 0;
    std::shared_ptr<const std::string> text;
  };

  PiecedText() = default;
  // Shares nothing.
  explicit PiecedText(std::string text) : own_(std::move(text)), size_(own_.size()) {}
  // Takes the fieldsV1 of managedFields out of an object's JSON.
  PiecedText(std::string_view json, TextPool& pool);
  // `turned` is a conversion of `json.with_placeholders()`: shared parts replace their
  // placeholders.
  PiecedText(std::string_view turned, const PiecedText& json);

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }  // of the whole text
  [[nodiscard]] std::string str() const;
  // The whole text, with a placeholder of the same length for each shared part. It is for
  // converters to another format that contains those parts unchanged, because parsing and printing
  // them would dominate the cost.
  [[nodiscard]] std::string with_placeholders() const;
  // Appends the text between two positions of the whole. `owner` keeps this text alive.
  void append_to(Bytes& bytes, const std::shared_ptr<const void>& owner, std::size_t begin,
                 std::size_t end) const;

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  // The bytes that are used by this text alone.
  [[nodiscard]] std::size_t footprint() const;

 private:
  void take_out(std::string_view whole, std::size_t begin, std::shared_ptr<const std::string> part);
  void keep_rest(std::string_view whole);
  template <class Write>
  [[nodiscard]] std::string put_together(Write write_part) const;

  std::string own_;
  std::vector<Part> parts_;
  std::size_t size_ = 0;
  std::size_t taken_ = 0;  // position in the whole text during construction
};

}  // namespace ebb::apiserver
