#include "cluster/hosts/hollow_components.h"

#include <string>

#include <gtest/gtest.h>

namespace ebb::cluster {
namespace {

std::string names(bool garbage_collector) {
  std::string names;
  for (const auto& component : make_hollow_components({}, garbage_collector)) {
    names += std::string(component->name()) + " ";
  }
  return names;
}

TEST(StandIns, LeaveGarbageToOthersButAlwaysEmptyNamespaces) {
  const std::string all = names(true);
  const std::string without = names(false);
  EXPECT_NE(all.find("garbage-collector "), std::string::npos) << all;
  EXPECT_EQ(without.find("garbage-collector "), std::string::npos) << without;
  EXPECT_NE(without.find("namespace-deleter "), std::string::npos) << without;
  EXPECT_EQ(all.size(), without.size() + std::string("garbage-collector ").size());
}

}  // namespace
}  // namespace ebb::cluster
