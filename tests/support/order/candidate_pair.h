// Two pods that are equal until a test changes one of them, as one criterion of the removal order
// sees them.
#pragma once

#include <string>

#include <fmt/format.h>

#include "order/candidate.h"
#include "support/objects/pods.h"

namespace ebb::testing {

template <class Criterion>
struct CandidatePair {
  CandidatePair() = default;
  CandidatePair(const CandidatePair&) = delete;  // candidates point to the pods in this object
  CandidatePair& operator=(const CandidatePair&) = delete;

  World world;
  model::Pod pod = world.pod("web-a");
  model::Pod other = world.pod("web-b");
  order::Candidate candidate{&pod};
  order::Candidate other_candidate{&other};
  order::OrderContext context{.now = kNow};

  [[nodiscard]] bool pod_goes_first() const {
    return Criterion::key(candidate, context) < Criterion::key(other_candidate, context);
  }
  [[nodiscard]] bool tie() const {
    return Criterion::key(candidate, context) == Criterion::key(other_candidate, context);
  }
  // The same difference, described for both pods.
  [[nodiscard]] std::string why_pod_goes() const { return Criterion::because(going(), context); }
  [[nodiscard]] std::string why_other_stays() const {
    return Criterion::because(staying(), context);
  }
  [[nodiscard]] std::string pod_goes_briefly() const { return Criterion::brief(going(), context); }
  [[nodiscard]] std::string other_stays_briefly() const {
    return Criterion::brief(staying(), context);
  }

 private:
  [[nodiscard]] order::Contrast going() const {
    return {candidate, other_candidate, "web-b, the first pod kept", true};
  }
  [[nodiscard]] order::Contrast staying() const {
    return {other_candidate, candidate, "web-a, the last pod removed", false};
  }
};

}  // namespace ebb::testing
