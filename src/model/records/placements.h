// The placements of a pool, each stored once. Nearly all pods of a cluster have one of a few
// placements, so the pool also remembers their source bytes: comparing bytes is faster than
// decoding them.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "model/records/placement.h"

namespace ebb::model {

// The source text of a placement, which a decoder builds for each pod. Typical texts need no heap
// allocation.
class PlacementSource {
 public:
  // A letter identifies the wire format.
  explicit PlacementSource(char format) { text_.push_back(format); }

  void add(char mark) { text_.push_back(mark); }
  // Includes the length, so that different sequences of texts never look alike.
  void add(char mark, std::string_view text) {
    const std::size_t size = text.size();
    char* to = grow(1 + sizeof size + size);
    *to = mark;
    std::memcpy(to + 1, &size, sizeof size);
    if (size > 0) std::memcpy(to + 1 + sizeof size, text.data(), size);
  }
  void add(char mark, std::int64_t number) {
    char* to = grow(1 + sizeof number);
    *to = mark;
    std::memcpy(to + 1, &number, sizeof number);
  }

  [[nodiscard]] bool empty() const { return text_.size() == 1; }
  [[nodiscard]] std::string_view view() const { return {text_.data(), text_.size()}; }

 private:
  char* grow(std::size_t bytes) {
    const std::size_t before = text_.size();
    text_.resize(before + bytes, boost::container::default_init);
    return text_.data() + before;
  }

  boost::container::small_vector<char, 512> text_;
};

class Placements {
 public:
  // A placement without content is null.
  [[nodiscard]] const Placement* intern(Placement placement);

  // The placement made from this source before, which may be null; nothing if the source is new.
  [[nodiscard]] std::optional<const Placement*> made_of(const PlacementSource& source);
  void remember(const PlacementSource& source, const Placement* made);

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Hash {
    std::size_t operator()(const Placement* placement) const;
  };
  struct Equal {
    bool operator()(const Placement* a, const Placement* b) const { return *a == *b; }
  };
  struct Made {
    std::string_view source;
    const Placement* placement = nullptr;
  };

  std::deque<Placement> placements_;
  boost::unordered_flat_set<const Placement*, Hash, Equal> index_;
  std::deque<std::string> sources_;
  boost::unordered_flat_map<std::string_view, const Placement*> made_;
  // Neighbours in a list usually share one.
  Made recent_;
};

}  // namespace ebb::model
