// What a controller has written to a Deployment and its ReplicaSets, so that it does not decide
// on a cache that has not seen that yet. Deciding on an older one would not be unsafe, as all
// writes carry a resourceVersion, but it would be wrong and in vain.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "control/store.h"
#include "control/work_queue.h"

namespace ebb::control::deployments {

class OwnWrites {
 public:
  // The revision that the API server answered with; 0 if that is no number, which counts for
  // nothing.
  void wrote_deployment(const Key& key, std::string_view uid, model::Revision revision);
  void wrote_set(const Key& key, std::string_view uid, std::string_view set,
                 model::Revision revision);

  // Whether the store has seen all that was written for the Deployment of this key. If so, it is
  // forgotten; likewise what was written for one of the same name that is gone.
  [[nodiscard]] bool seen(const Key& key, const Store& store);

 private:
  struct Written {
    std::string uid{};
    model::Revision deployment = 0;
    std::map<std::string, model::Revision, std::less<>> sets{};
  };
  Written& of(const Key& key, std::string_view uid);

  std::map<Key, Written> written_;
};

}  // namespace ebb::control::deployments
