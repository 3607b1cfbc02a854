#include "cli/controller_names.h"

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

TEST(ControllerNames, AreReadAsKubeControllerManagerReadsThem) {
  struct Case {
    const char* text;
    bool replica_sets;
    bool deployments;
  };
  for (const Case& one : {
           Case{"", false, false},
           Case{"replicaset", true, false},
           Case{"deployment-controller", false, true},
           Case{"replicaset,deployment", true, true},
           Case{"*", true, true},
           Case{"*,-deployment", true, false},
           Case{"-replicaset-controller,*", false, true},
           Case{"-replicaset", false, false},
       }) {
    const auto chosen = parse_controllers(one.text);
    ASSERT_TRUE(chosen) << one.text;
    EXPECT_EQ(chosen->replica_sets, one.replica_sets) << one.text;
    EXPECT_EQ(chosen->deployments, one.deployments) << one.text;
    EXPECT_EQ(chosen->any(), one.replica_sets || one.deployments) << one.text;
  }
}

TEST(ControllerNames, RefuseWhatIsNone) {
  for (const char* text : {"job", "replicaset,,deployment", "replicaset deployment", "-", "-*"}) {
    EXPECT_FALSE(parse_controllers(text)) << text;
  }
}

}  // namespace
}  // namespace ebb::cli
