// The start of a process without a lease: requests of an earlier process may still be in flight.
#include <gtest/gtest.h>

#include "control/process/process.h"
#include "support/control/process_scene.h"

namespace ebb::control {
namespace {

using testing::Scene;

ProcessSettings without_lease() {
  ProcessSettings settings;
  settings.start_wait_ns = 5 * kSecond;
  return settings;
}

TEST(ProcessStart, ListsNothingWhileWritesOfAPredecessorMayBeInFlight) {
  testing::ApiServerScene served;
  Scene scene(served, without_lease());
  scene.start();
  EXPECT_TRUE(scene.calls.empty());
  EXPECT_EQ(elapsed_ns(scene.now().mono, scene.process->wake_at()), 5 * kSecond);
  served.now = later_by(served.now, 5 * kSecond - 1);
  scene.wake();
  EXPECT_TRUE(scene.calls.empty());
  EXPECT_FALSE(scene.process->synced());
  served.now = later_by(served.now, 1);
  scene.wake();
  EXPECT_FALSE(scene.calls.empty());
  scene.settle();
  EXPECT_TRUE(scene.process->synced());
}

TEST(ProcessStart, WithALeaseItDoesNotWaitForAPredecessor) {
  testing::ApiServerScene served;
  ProcessSettings settings = without_lease();
  settings.lease = LeaseSettings{.identity = "one"};
  Scene scene(served, settings);
  scene.start();
  scene.settle();
  EXPECT_TRUE(scene.process->synced());
}

TEST(ProcessStart, CanBeStoppedWhileItWaitsForAPredecessor) {
  testing::ApiServerScene served;
  Scene scene(served, without_lease());
  scene.start();
  scene.stop();
  EXPECT_TRUE(scene.process->done());
  EXPECT_TRUE(scene.calls.empty());
}

}  // namespace
}  // namespace ebb::control
