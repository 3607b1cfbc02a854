#include "control/picker_question.h"

#include <algorithm>

#include "picker/question.h"

namespace ebb::control {
namespace {

using model::Pod;

picker::CandidateFacts facts_of(const Pod& pod, const Store& store, Timestamp now) {
  picker::CandidateFacts facts{
      .node = std::string(pod.node.view()), .restarts = pod.restarts, .cost = pod.deletion_cost};
  static_cast<void>(store);
  if (!pod.created.is_zero()) {
    facts.age_seconds =
        std::max<Nanoseconds>(0, elapsed_ns(pod.created, now)) / kNanosecondsPerSecond;
  }
  if (!pod.ready_since.is_zero()) facts.ready_since = pod.ready_since;
  return facts;
}

}  // namespace

std::vector<const Pod*> candidates_of(std::span<const Pod* const> active) {
  std::vector<const Pod*> candidates;
  std::copy_if(active.begin(), active.end(), std::back_inserter(candidates),
               [](const Pod* pod) { return pod->serving(); });
  std::sort(candidates.begin(), candidates.end(),
            [](const Pod* a, const Pod* b) { return a->name.view() < b->name.view(); });
  return candidates;
}

std::string write_question(const picker::Settings& settings, std::span<const Pod* const> candidates,
                           std::size_t requested, const Store& store, Timestamp now) {
  picker::Question question{.requested = requested};
  question.candidates.reserve(candidates.size());
  for (const Pod* pod : candidates) question.candidates.emplace_back(pod->name.view());
  if (settings.context == picker::Context::kFull) {
    question.facts.reserve(candidates.size());
    for (const Pod* pod : candidates) question.facts.push_back(facts_of(*pod, store, now));
  }
  return settings.protocol == picker::Protocol::kGrpc ? picker::to_protobuf(question)
                                                      : picker::to_json(question);
}

}  // namespace ebb::control
