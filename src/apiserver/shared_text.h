// Texts that have long parts in common with others, which are kept once.
//
// Most of an object's managedFields is the same in all pods of one template, and as long as
// everything else about them. Such parts are taken out of the text and shared; who reads the text
// gets it in pieces.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"

namespace ebb::apiserver {

// Keeps each text once, for as long as somebody holds it.
class TextPool {
 public:
  [[nodiscard]] std::shared_ptr<const std::string> share(std::string_view text);
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  void drop_unused();

  // By hash: the text that a key would point to is gone before we notice.
  std::unordered_multimap<std::size_t, std::weak_ptr<const std::string>> texts_;
  std::size_t sweep_at_ = 1024;
};

// A text without its shared parts, and those in their places.
class PiecedText {
 public:
  // A part that is shared, and where it stands in the text that is left.
  struct Part {
    std::size_t place = 0;
    std::shared_ptr<const std::string> text;
  };

  PiecedText() = default;
  // Nothing is shared.
  explicit PiecedText(std::string text) : own_(std::move(text)), size_(own_.size()) {}
  // Takes the fieldsV1 of managedFields out of an object's JSON.
  PiecedText(std::string_view json, TextPool& pool);
  // What `json.with_stand_ins()` was turned into: shared parts take the places of their stand-ins.
  PiecedText(std::string_view turned, const PiecedText& json);

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }  // of the whole
  [[nodiscard]] std::string str() const;
  // The whole with a text of the same length in place of each shared part, for whoever turns it
  // into another form that has those parts as they are: reading and writing them again would be
  // most of the work.
  [[nodiscard]] std::string with_stand_ins() const;
  // Adds what stands between two places of the whole. `owner` keeps this text alive.
  void append_to(Bytes& bytes, const std::shared_ptr<const void>& owner, std::size_t begin,
                 std::size_t end) const;

  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  // Bytes that are kept for this text alone.
  [[nodiscard]] std::size_t footprint() const;

 private:
  void take_out(std::string_view whole, std::size_t begin, std::shared_ptr<const std::string> part);
  void keep_rest(std::string_view whole);
  template <class Write>
  [[nodiscard]] std::string put_together(Write write_part) const;

  std::string own_;
  std::vector<Part> parts_;
  std::size_t size_ = 0;
  std::size_t taken_ = 0;  // of the whole, while it is taken apart
};

}  // namespace ebb::apiserver
