#include "apiserver/negotiate.h"

#include <gtest/gtest.h>

namespace ebb::apiserver {
namespace {

TEST(Negotiate, TakesTheFirstFormThatCanBeGiven) {
  EXPECT_EQ(negotiate(""), Representation::kObject);
  EXPECT_EQ(negotiate("*/*"), Representation::kObject);
  EXPECT_EQ(negotiate("application/json"), Representation::kObject);
  EXPECT_EQ(negotiate("application/vnd.kubernetes.protobuf,application/json"),
            Representation::kObject);
  EXPECT_EQ(negotiate("application/json;as=Table;v=v1;g=meta.k8s.io,"
                      "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json"),
            Representation::kTable);
  EXPECT_EQ(negotiate("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"),
            Representation::kMetadata);
  EXPECT_EQ(negotiate("application/json;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2, "
                      "application/json"),
            Representation::kObject);
}

TEST(Negotiate, GivesNothingToWhoAcceptsNothingOfOurs) {
  EXPECT_EQ(negotiate("application/vnd.kubernetes.protobuf"), std::nullopt);
  EXPECT_EQ(negotiate("text/html"), std::nullopt);
  EXPECT_EQ(negotiate("application/json;as=Table;v=v1beta1;g=meta.k8s.io"), std::nullopt);
}

}  // namespace
}  // namespace ebb::apiserver
