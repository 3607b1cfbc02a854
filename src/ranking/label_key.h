// Labels by a key that a policy names. Policies have text and labels have handles: once the key was
// met it is compared as a handle.
#pragma once

#include <string_view>

#include "model/node.h"
#include "model/pool.h"

namespace ebb::ranking {

class LabelKey {
 public:
  // All label sets that it is asked about are of one pool. The text must outlive it.
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
