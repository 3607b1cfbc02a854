// State of a ReplicaSet that is kept between syncs. A new uid resets it.
#pragma once  // private to its room

#include <cstdint>
#include <string>

#include "base/timestamp.h"
#include "control/cache/written_revisions.h"
#include "control/replicaset/expectations.h"
#include "control/replicaset/late_outcomes.h"
#include "control/replicaset/rank_wait.h"
#include "model/api/api.h"

namespace ebb::control {

struct ReplicaSetState {
  std::string uid;
  Expectations expectations;
  WrittenRevisions written;
  std::uint64_t decisions = 0;
  // A live read has shown that it is gone, before the cache does. Pods created for it until then
  // would be garbage-collected at once, and created again.
  bool gone = false;
  UnknownDeletes unsettled;
  RankWait rank_wait;
  bool costs_reported = false;  // the event about picker and deletion costs was recorded
  Timestamp refusal_logged{};   // when a refused pod was last logged
  // Its own status writes, to tell them apart from another controller's.
  model::Revision status_written = 0;  // the newest
  bool status_unknown = false;         // the outcome of the last one is unknown
  Timestamp left_alone_until{};        // because another controller seems to write it
};

}  // namespace ebb::control
