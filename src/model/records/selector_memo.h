// Caches whether any of several selectors matches a label set. Pods of a workload share their label
// set, so each set is checked once.
#pragma once

#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/records/pool.h"
#include "model/records/selector.h"

namespace ebb::model {

class SelectorMemo {
 public:
  // The selectors must outlive the memo.
  explicit SelectorMemo(std::vector<const Selector*> selectors)
      : selectors_(std::move(selectors)) {}

  [[nodiscard]] bool matches(const LabelSet* labels) {
    if (labels != last_) {
      last_ = labels;
      last_answer_ = look_up(labels);
    }
    return last_answer_;
  }

 private:
  [[nodiscard]] bool look_up(const LabelSet* labels);

  std::vector<const Selector*> selectors_;
  boost::unordered_flat_map<const LabelSet*, bool> answers_;
  const LabelSet* last_ = nullptr;  // neighbours in a list usually have equal labels
  bool last_answer_ = false;
};

}  // namespace ebb::model
