// Two pods that are alike until a test changes one of them, as one criterion of the
// removal order sees them.
#pragma once

#include <string>

#include <fmt/format.h>

#include "order/candidate.h"
#include "support/pods.h"

namespace ebb::testing {

template <class Criterion>
struct Versus {
  Versus() = default;
  Versus(const Versus&) = delete;  // candidates point at the pods beside them
  Versus& operator=(const Versus&) = delete;

  World world;
  model::Pod pod = world.pod("web-a");
  model::Pod other = world.pod("web-b");
  order::Candidate candidate{&pod};
  order::Candidate other_candidate{&other};
  order::Setting setting{.now = kNow};

  [[nodiscard]] bool pod_goes_first() const {
    return Criterion::key(candidate, setting) < Criterion::key(other_candidate, setting);
  }
  [[nodiscard]] bool tie() const {
    return Criterion::key(candidate, setting) == Criterion::key(other_candidate, setting);
  }
  // The same difference told from both sides of the line.
  [[nodiscard]] std::string why_pod_goes() const {
    return Criterion::because({candidate, other_candidate, "web-b, the first pod kept", true},
                              setting);
  }
  [[nodiscard]] std::string why_other_stays() const {
    return Criterion::because({other_candidate, candidate, "web-a, the last pod removed", false},
                              setting);
  }
};

}  // namespace ebb::testing
