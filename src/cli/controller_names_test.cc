#include "cli/controller_names.h"

#include <utility>

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
    const auto chosen = parse_controllers(one.text);
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
    EXPECT_EQ(parse_controllers(text)->lease_name(), lease) << text;
  }
}

TEST(ControllerNames, AreToldInOneOrder) {
  EXPECT_EQ(parse_controllers("ranker,replicaset")->names(), "replicaset,ranker");
  EXPECT_EQ(parse_controllers("*")->names(), "replicaset,deployment,ranker");
}

TEST(ControllerNames, RefuseWhatIsNone) {
  for (const char* text : {"job", "replicaset,,deployment", "replicaset deployment", "-", "-*"}) {
    EXPECT_FALSE(parse_controllers(text)) << text;
  }
}

}  // namespace
}  // namespace ebb::cli
