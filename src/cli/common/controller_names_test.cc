#include "cli/common/controller_names.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

TEST(ControllerNames, AreReadAsKubeControllerManagerReadsThem) {
  struct Case {
    const char* text;
    bool replica_sets;
    bool deployments;
    bool ranker = false;
  };
  for (const Case& one : {
           Case{"", false, false},
           Case{"replicaset", true, false},
           Case{"deployment-controller", false, true},
           Case{"replicaset,deployment", true, true},
           Case{"ranker", false, false, true},
           Case{"replicaset,ranker", true, false, true},
           Case{"*", true, true, true},
           Case{"*,-deployment", true, false, true},
           Case{"-replicaset-controller,*", false, true, true},
           Case{"*,-ranker", true, true, false},
           Case{"-replicaset", false, false},
       }) {
    const auto chosen = parse_controllers(one.text, Offer::kControllers);
    ASSERT_TRUE(chosen) << one.text;
    EXPECT_EQ(chosen->replica_sets, one.replica_sets) << one.text;
    EXPECT_EQ(chosen->deployments, one.deployments) << one.text;
    EXPECT_EQ(chosen->ranker, one.ranker) << one.text;
    EXPECT_EQ(chosen->any(), one.replica_sets || one.deployments || one.ranker) << one.text;
  }
}

TEST(ControllerNames, OnlyARankerByItselfHasALeaseOfItsOwn) {
  for (const auto& [text, lease] :
       {std::pair("ranker", "ebb-ranker"), std::pair("*", "ebb-controller"),
        std::pair("deployment,ranker", "ebb-controller"),
        std::pair("replicaset", "ebb-controller")}) {
    EXPECT_EQ(parse_controllers(text, Offer::kControllers)->lease_name(), lease) << text;
  }
}

TEST(ControllerNames, ArePrintedInAFixedOrder) {
  EXPECT_EQ(parse_controllers("ranker,replicaset", Offer::kControllers)->names(),
            "replicaset,ranker");
  EXPECT_EQ(parse_controllers("*", Offer::kControllers)->names(),
            "replicaset,deployment,ranker,shadow");
}

TEST(ControllerNames, TheGarbageCollectorIsOneWhereItIsOffered) {
  const Offer offer = Offer::kControllersAndCollector;
  for (const auto& [text, names] :
       {std::pair("", ""), std::pair("garbage-collector", "garbage-collector"),
        std::pair("replicaset,garbage-collector-controller", "replicaset,garbage-collector"),
        std::pair("*", "replicaset,deployment,ranker,shadow,garbage-collector"),
        std::pair("*,-garbage-collector", "replicaset,deployment,ranker,shadow"),
        std::pair("replicaset,deployment", "replicaset,deployment")}) {
    EXPECT_EQ(parse_controllers(text, offer)->names(), names) << text;
  }
  // It is not a client of the API server and needs no lease.
  EXPECT_FALSE(parse_controllers("garbage-collector", offer)->any());
  EXPECT_FALSE(parse_controllers("garbage-collector", Offer::kControllers));
}

TEST(ControllerNames, AreCompletedWhereTheyAreOffered) {
  const auto completes = [](Offer offer) {
    const std::vector<std::string> words = complete_controllers(offer).words;
    return std::count(words.begin(), words.end(), "garbage-collector");
  };
  EXPECT_EQ(completes(Offer::kControllersAndCollector), 1);
  EXPECT_EQ(completes(Offer::kControllers), 0);
}

TEST(ControllerNames, RefuseUnknownNames) {
  for (const char* text : {"job", "replicaset,,deployment", "replicaset deployment", "-", "-*"}) {
    EXPECT_FALSE(parse_controllers(text, Offer::kControllers)) << text;
  }
}

}  // namespace
}  // namespace ebb::cli
