// A controller's writes to a Deployment and its ReplicaSets, so that it does not decide before its
// cache shows them. Deciding earlier would be safe, as all writes carry a resourceVersion, but the
// decision would be outdated and the write would fail.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "control/cache/store.h"
#include "control/core/work_queue.h"

namespace ebb::control::deployments {

class OwnWrites {
 public:
  // The revision in the API server's answer; 0 (not a number) is ignored.
  void wrote_deployment(const Key& key, std::string_view uid, model::Revision revision);
  void wrote_set(const Key& key, std::string_view uid, std::string_view set,
                 model::Revision revision);

  // Whether the store shows all writes for the Deployment with this key. If so, they are forgotten;
  // so are writes for an earlier Deployment of the same name.
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
