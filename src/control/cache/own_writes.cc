#include "control/cache/own_writes.h"

#include <algorithm>

namespace ebb::control::deployments {
namespace {

// The cache of a resource has a revision, and so has each object; an object's may be newer while
// the cache still waits for a bookmark.
bool is_behind(const Store& store, Resource resource, model::Revision object,
               model::Revision written) {
  const model::Revision cache = store.seen(resource);
  return cache != 0 && cache < written && object < written;
}

}  // namespace

OwnWrites::Written& OwnWrites::of(const Key& key, std::string_view uid) {
  Written& written = written_[key];
  if (written.uid != uid) written = {.uid = std::string(uid)};
  return written;
}

void OwnWrites::wrote_deployment(const Key& key, std::string_view uid, model::Revision revision) {
  Written& written = of(key, uid);
  written.deployment = std::max(written.deployment, revision);
}

void OwnWrites::wrote_set(const Key& key, std::string_view uid, std::string_view set,
                          model::Revision revision) {
  model::Revision& known = of(key, uid).sets[std::string(set)];
  known = std::max(known, revision);
}

bool OwnWrites::seen(const Key& key, const Store& store) {
  const auto found = written_.find(key);
  if (found == written_.end()) return true;
  const Written& written = found->second;
  const Deployment* deployment = store.deployment(key.namespace_name, key.name);
  if (deployment != nullptr && deployment->uid.view() == written.uid) {
    if (is_behind(store, Resource::kDeployments, deployment->revision_seen, written.deployment)) {
      return false;
    }
    for (const auto& [name, revision] : written.sets) {
      const ReplicaSet* set = store.replica_set(key.namespace_name, name);
      const model::Revision known = set == nullptr ? 0 : set->revision_seen;
      if (is_behind(store, Resource::kReplicaSets, known, revision)) return false;
    }
  }
  written_.erase(found);
  return true;
}

}  // namespace ebb::control::deployments
