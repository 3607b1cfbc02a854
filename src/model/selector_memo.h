// Whether any of some selectors matches, for many pods. Pods of a workload share
// their label set, so each set is looked at once.
#pragma once

#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "model/pool.h"
#include "model/selector.h"

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
  const LabelSet* last_ = nullptr;  // neighbours in a list mostly have equal labels
  bool last_answer_ = false;
};

}  // namespace ebb::model
