// Looks up labels by a key from a policy. Policies have text and labels have handles: once the key
// has been found, it is compared as a handle.
#pragma once  // private to its room

#include <string_view>

#include "model/records/node.h"
#include "model/records/pool.h"

namespace ebb::ranking {

class LabelKey {
 public:
  // All label sets must belong to one pool. The text must outlive the key.
  explicit LabelKey(std::string_view text) : text_(text) {}

  // The value, or null if there is no such label.
  [[nodiscard]] const model::Interned* find(const model::LabelSet* labels) {
    if (labels == nullptr) return nullptr;
    if (!handle_.empty()) return labels->find(handle_);
    for (const model::Label& label : labels->labels) {
      if (label.key.view() == text_) {
        handle_ = label.key;
        return &label.value;
      }
    }
    return nullptr;
  }
  [[nodiscard]] const model::Interned* find(const model::Node* node) {
    return node == nullptr ? nullptr : find(node->labels);
  }

 private:
  std::string_view text_;
  model::Interned handle_;
};

}  // namespace ebb::ranking
