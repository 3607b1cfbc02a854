#include "model/records/pod.h"

#include <gtest/gtest.h>

namespace ebb::model {
namespace {

struct Case {
  Phase phase;
  bool deleting;
  bool active;
  bool terminating;
};

// Upstream: ActivePodFiltering and CountTerminatingPods.
TEST(Pod, IsActiveOrTerminatingByPhaseAndDeletion) {
  const Case cases[] = {
      {Phase::kPending, false, true, false},    {Phase::kRunning, false, true, false},
      {Phase::kUnknown, false, true, false},    {Phase::kOther, false, true, false},
      {Phase::kSucceeded, false, false, false}, {Phase::kFailed, false, false, false},
      {Phase::kPending, true, false, true},     {Phase::kRunning, true, false, true},
      {Phase::kUnknown, true, false, true},     {Phase::kOther, true, false, true},
      {Phase::kSucceeded, true, false, false},  {Phase::kFailed, true, false, false},
  };
  for (const Case& c : cases) {
    Pod pod;
    pod.phase = c.phase;
    pod.deleting = c.deleting;
    EXPECT_EQ(pod.active(), c.active) << to_string(c.phase) << c.deleting;
    EXPECT_EQ(pod.terminating(), c.terminating) << to_string(c.phase) << c.deleting;
  }
}

}  // namespace
}  // namespace ebb::model
