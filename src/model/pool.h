// Shared storage for what many records repeat: strings, label sets, owners, placements.
//
// Pods of one workload share nearly all of their text, so a record holds handles
// of eight bytes and the text exists once. Handles of one pool are equal exactly
// when what they stand for is equal; handles of different pools must not meet.
// A pool only grows and must outlive its handles. Not thread-safe.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "model/interned.h"
#include "model/placements.h"

namespace ebb::model {

class Pool {
 public:
  Pool() = default;
  Pool(Pool&&) = default;
  Pool& operator=(Pool&&) = default;

  [[nodiscard]] Interned intern(std::string_view text);
  // What intern() would give, if the text is there already.
  [[nodiscard]] std::optional<Interned> find(std::string_view text) const;
  // `labels` must be sorted by key, without repetition.
  [[nodiscard]] const LabelSet* intern(std::vector<Label> labels);
  // The label set that was interned last, or null. The next object of a list very
  // often has the same one, which is quicker to see than to look up.
  [[nodiscard]] const LabelSet* recent_labels() const { return recent_labels_; }
  // The same for annotations that are numbers; recent_labels() stays what it is.
  [[nodiscard]] const LabelSet* intern_numbers(std::vector<Label> numbers);
  [[nodiscard]] const ControllerRef* intern(const ControllerRef& owner);
  // Likewise the owner.
  [[nodiscard]] const ControllerRef* recent_owner() const { return recent_owner_; }

  [[nodiscard]] Placements& placements() { return placements_; }

  // What the pool occupies, for the memory budget of records.
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
    std::size_t operator()(const ControllerRef* owner) const { return hash_value(owner->uid); }
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
