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
    // A clock that runs behind makes nobody's age negative.
    facts.age_seconds =
        std::max<Nanoseconds>(elapsed_ns(pod.created, now), 0) / kNanosecondsPerSecond;
  }
  if (!pod.ready_since.is_zero()) facts.ready_since = pod.ready_since;
  return facts;
}

}  // namespace

Question ask_about(Consultation consultation, Context context, const ZoneOf& zone_of,
                   Timestamp now) {
  Question question{.requested = consultation.requested,
                    .candidates = std::move(consultation.candidates)};
  if (context == Context::kNames) return question;
  question.facts.reserve(consultation.pods.size());
  for (const Pod* pod : consultation.pods) question.facts.push_back(facts_of(*pod, zone_of, now));
  return question;
}

}  // namespace ebb::picker
