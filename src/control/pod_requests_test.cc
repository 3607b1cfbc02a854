#include "control/pod_requests.h"

#include <gtest/gtest.h>

namespace ebb::control {
namespace {

// Ten thousand of these are a load for an API server.
TEST(PodRequests, AskForNoMoreThanIsRead) {
  ReplicaSet set;
  set.json =
      R"({"metadata":{"name":"web"},"spec":{"template":{"metadata":{"labels":{"app":"web"}}}}})";
  const auto create = create_pod_request(set);
  ASSERT_TRUE(create);
  EXPECT_EQ(create->query, "fieldValidation=Ignore");
  for (const std::string& accept : {create->accept, delete_pod_request("shop", "a", "u").accept}) {
    EXPECT_EQ(accept,
              "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
  }
}

}  // namespace
}  // namespace ebb::control
