#include "picker/facts.h"

#include <algorithm>
#include <utility>

namespace ebb::picker {
namespace {

using model::Pod;

CandidateFacts facts_of(const Pod& pod, const ZoneOf& zone_of, Timestamp now) {
  CandidateFacts facts{.node = std::string(pod.node.view()),
                       .zone = std::string(zone_of(pod.node)),
                       .restarts = pod.restarts,
                       .cost = pod.deletion_cost};
  if (!pod.created.is_zero()) {
    // A slow clock must not make an age negative.
    facts.age_seconds =
        std::max<Nanoseconds>(elapsed_ns(pod.created, now), 0) / kNanosecondsPerSecond;
  }
  if (!pod.ready_since.is_zero()) facts.ready_since = pod.ready_since;
  return facts;
}

}  // namespace

PickRequest make_pick_request(PreparedRequest prepared, Context context, const ZoneOf& zone_of,
                              Timestamp now) {
  PickRequest request{.requested = prepared.requested,
                      .candidates = std::move(prepared.candidates)};
  if (context == Context::kNames) return request;
  request.facts.reserve(prepared.pods.size());
  for (const Pod* pod : prepared.pods) request.facts.push_back(facts_of(*pod, zone_of, now));
  return request;
}

}  // namespace ebb::picker
