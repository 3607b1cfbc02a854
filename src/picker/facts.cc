#include "picker/facts.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace ebb::picker {
namespace {

using model::Pod;

// In the order of the consultation's candidates.
std::vector<const Pod*> sorted_candidates(std::span<const Pod* const> pods) {
  std::vector<const Pod*> candidates;
  candidates.reserve(pods.size());
  std::copy_if(pods.begin(), pods.end(), std::back_inserter(candidates),
               [](const Pod* pod) { return pod->serving(); });
  std::sort(candidates.begin(), candidates.end(),
            [](const Pod* a, const Pod* b) { return a->name.view() < b->name.view(); });
  return candidates;
}

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

Question ask_about(std::span<const Pod* const> pods, Consultation consultation, Context context,
                   const ZoneOf& zone_of, Timestamp now) {
  Question question{.requested = consultation.requested,
                    .candidates = std::move(consultation.candidates)};
  if (context == Context::kNames) return question;
  const std::vector<const Pod*> candidates = sorted_candidates(pods);
  EBB_CHECK(candidates.size() == question.candidates.size());
  question.facts.reserve(candidates.size());
  for (const Pod* pod : candidates) question.facts.push_back(facts_of(*pod, zone_of, now));
  return question;
}

}  // namespace ebb::picker
