// Handles to values that a Pool stores once: strings, label sets, owners. pool.h defines how they
// compare.
#pragma once  // private to its room

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <boost/functional/hash.hpp>

namespace ebb::model {

// An interned string. The default is the empty string.
class Interned {
 public:
  constexpr Interned() = default;

  [[nodiscard]] std::string_view view() const {
    if (stored_ == nullptr) return {};
    std::uint32_t size = 0;
    std::memcpy(&size, stored_, sizeof size);
    return {stored_ + sizeof size, size};
  }
  [[nodiscard]] bool empty() const { return stored_ == nullptr; }

  friend bool operator==(Interned, Interned) = default;
  friend std::size_t hash_value(Interned text) { return boost::hash<const char*>()(text.stored_); }

 private:
  friend class Pool;
  explicit Interned(const char* stored) : stored_(stored) {}

  const char* stored_ = nullptr;  // the length in four bytes, then the text
};

struct Label {
  Interned key;
  Interned value;

  friend bool operator==(const Label&, const Label&) = default;
};

// The labels of an object, sorted by key, with unique keys.
struct LabelSet {
  std::vector<Label> labels;

  // The value for `key`, or null if the set has no such label.
  [[nodiscard]] const Interned* find(Interned key) const {
    if (labels.size() > kMaxScanned) return search(key);
    for (const Label& label : labels) {
      if (label.key == key) return &label.value;
    }
    return nullptr;
  }

 private:
  // Comparing handles is faster than comparing texts, unless there are many.
  static constexpr std::size_t kMaxScanned = 32;
  [[nodiscard]] const Interned* search(Interned key) const;
};

// Sorts by key. Returns a label with a duplicate key, or null if there is none.
[[nodiscard]] const Label* sort_by_key(std::vector<Label>& labels);

// The owner reference that has `controller: true`.
struct ControllerRef {
  Interned group;  // of its apiVersion; empty: the core group
  Interned kind;
  Interned name;
  Interned uid;

  friend bool operator==(const ControllerRef&, const ControllerRef&) = default;
};

}  // namespace ebb::model
