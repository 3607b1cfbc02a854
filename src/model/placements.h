// The placements of a pool, each there once. What they were made of is remembered, for nearly
// every pod of a cluster has one of a few: to see bytes again is quicker than to read them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "model/placement.h"

namespace ebb::model {

// Text that placements are made of, put together by a decoder for each pod anew: what is usual
// needs no memory from elsewhere.
class PlacementSource {
 public:
  // Formats are told apart by a letter.
  explicit PlacementSource(char format) { text_.push_back(format); }

  void add(char mark) { text_.push_back(mark); }
  // With its length, so that no two sequences of texts look alike.
  void add(char mark, std::string_view text);

  [[nodiscard]] bool empty() const { return text_.size() == 1; }
  [[nodiscard]] std::string_view view() const { return {text_.data(), text_.size()}; }

 private:
  boost::container::small_vector<char, 512> text_;
};

class Placements {
 public:
  // One that says nothing is null.
  [[nodiscard]] const Placement* intern(Placement placement);

  // What was made of this before, which may be null; nothing: it is new.
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
  // Neighbours in a list mostly have the same.
  Made recent_;
};

}  // namespace ebb::model
