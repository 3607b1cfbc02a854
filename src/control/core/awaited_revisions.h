// Keys that wait until the cache reaches a revision. A pod that was created and deleted again may
// never show up in the cache, so nothing else would wake its ReplicaSet.
#pragma once

#include <map>
#include <vector>

#include "control/core/work_queue.h"
#include "model/api/api.h"

namespace ebb::control {

class AwaitedRevisions {
 public:
  // Replaces the revision that the key waits for; 0: it does not wait.
  void set(const Key& key, model::Revision revision) {
    if (revision == 0) {
      waiting_.erase(key);
    } else {
      waiting_[key] = revision;
      lower_first(revision);
    }
  }

  // Whether take() may return something; cheap.
  [[nodiscard]] bool any_up_to(model::Revision seen) const { return first_ != 0 && first_ <= seen; }

  // The keys whose revision has been reached.
  [[nodiscard]] std::vector<Key> take(model::Revision seen) {
    std::vector<Key> over;
    if (!any_up_to(seen)) return over;
    first_ = 0;
    for (auto one = waiting_.begin(); one != waiting_.end();) {
      if (one->second <= seen) {
        over.push_back(one->first);
        one = waiting_.erase(one);
      } else {
        lower_first((one++)->second);
      }
    }
    return over;
  }

 private:
  void lower_first(model::Revision revision) {
    if (first_ == 0 || revision < first_) first_ = revision;
  }

  std::map<Key, model::Revision> waiting_;
  model::Revision first_ = 0;  // at most the lowest of them; 0: there are none
};

}  // namespace ebb::control
