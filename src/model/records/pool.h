// Shared storage for values that many records repeat: strings, label sets, owners, placements.
//
// Pods of one workload share nearly all of their text, so a record holds handles of eight bytes and
// the text is stored once. Handles of one pool are equal if and only if their values are; handles
// of different pools must not be compared. A pool only grows and must outlive its handles. Not
// thread-safe.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "model/records/interned.h"
#include "model/records/placements.h"

namespace ebb::model {

class Pool {
 public:
  Pool() = default;
  Pool(Pool&&) = default;
  Pool& operator=(Pool&&) = default;

  [[nodiscard]] Interned intern(std::string_view text);
  // The handle that intern() would return, if the text is already stored.
  [[nodiscard]] std::optional<Interned> find(std::string_view text) const;
  // `labels` must be sorted by key, without duplicates.
  [[nodiscard]] const LabelSet* intern(std::vector<Label> labels);
  // The label set that was interned last, or null. The next object of a list often has the same
  // one, and comparing is faster than a lookup.
  [[nodiscard]] const LabelSet* recent_labels() const { return recent_labels_; }
  // The same for integer annotations; does not change recent_labels().
  [[nodiscard]] const LabelSet* intern_numbers(std::vector<Label> numbers);
  [[nodiscard]] const ControllerRef* intern(const ControllerRef& owner);
  // The same for owners.
  [[nodiscard]] const ControllerRef* recent_owner() const { return recent_owner_; }

  [[nodiscard]] Placements& placements() { return placements_; }

  // The memory that the pool uses, for the memory budget of records.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const;
    std::size_t operator()(Interned text) const { return (*this)(text.view()); }
  };
  struct TextEqual {
    using is_transparent = void;
    bool operator()(Interned a, Interned b) const { return a == b; }
    bool operator()(std::string_view a, Interned b) const { return a == b.view(); }
    bool operator()(Interned a, std::string_view b) const { return a.view() == b; }
  };
  struct LabelsHash {
    std::size_t operator()(const LabelSet* set) const;
  };
  struct LabelsEqual {
    bool operator()(const LabelSet* a, const LabelSet* b) const { return a->labels == b->labels; }
  };
  struct OwnerHash {
    std::size_t operator()(const ControllerRef* owner) const;
  };
  struct OwnerEqual {
    bool operator()(const ControllerRef* a, const ControllerRef* b) const { return *a == *b; }
  };

  char* allocate(std::size_t size);

  std::vector<std::unique_ptr<char[]>> blocks_;
  std::vector<std::unique_ptr<char[]>> large_texts_;
  std::size_t block_left_ = 0;
  std::size_t text_bytes_ = 0;
  boost::unordered_flat_set<Interned, TextHash, TextEqual> texts_;
  std::deque<LabelSet> label_sets_;
  boost::unordered_flat_set<const LabelSet*, LabelsHash, LabelsEqual> label_set_index_;
  const LabelSet* recent_labels_ = nullptr;
  std::deque<ControllerRef> owners_;
  const ControllerRef* recent_owner_ = nullptr;
  boost::unordered_flat_set<const ControllerRef*, OwnerHash, OwnerEqual> owner_index_;
  Placements placements_;
};

}  // namespace ebb::model
