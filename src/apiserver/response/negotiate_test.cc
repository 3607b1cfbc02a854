#include "apiserver/response/negotiate.h"

#include <ostream>

#include <gtest/gtest.h>

namespace ebb::apiserver {
namespace {

constexpr Negotiated kPlain{};
constexpr Negotiated kTable{.representation = Representation::kTable};
constexpr Negotiated kMetadata{.representation = Representation::kMetadata};
constexpr Negotiated kProtobuf{.encoding = Encoding::kProtobuf};
constexpr Negotiated kProtobufMetadata{.representation = Representation::kMetadata,
                                       .encoding = Encoding::kProtobuf};

struct Case {
  std::string_view accept;
  std::optional<Negotiated> wanted;
};

void expect(const schema::Kind& kind, std::initializer_list<Case> cases) {
  for (const Case& each : cases) {
    EXPECT_TRUE(negotiate(each.accept, kind) == each.wanted) << each.accept;
  }
}

TEST(Negotiate, TakesTheFirstFormThatCanBeGiven) {
  expect(*schema::find_kind("v1", "Pod"),
         {{"", kPlain},
          {"*/*", kPlain},
          {"application/json", kPlain},
          {"application/vnd.kubernetes.protobuf", kProtobuf},
          {"application/vnd.kubernetes.protobuf,application/json", kProtobuf},
          {"application/json,application/vnd.kubernetes.protobuf", kPlain},
          {"application/vnd.kubernetes.protobuf;stream=watch", kProtobuf},
          {"application/json;as=Table;v=v1;g=meta.k8s.io,"
           "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
           kTable},
          {"application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1", kMetadata},
          {"application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
           "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json",
           kProtobufMetadata},
          {"application/json;as=APIGroupDiscoveryList;g=apidiscovery.k8s.io;v=v2, application/json",
           kPlain},
          // A table is never protobuf.
          {"application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json",
           kPlain}});
}

TEST(Negotiate, GivesOfCustomKindsOnlyMetadataInProtobuf) {
  expect(*schema::find_kind("ebb.dev/v1alpha1", "DownscalePolicy"),
         {{"application/vnd.kubernetes.protobuf,application/json", kPlain},
          {"application/vnd.kubernetes.protobuf", std::nullopt},
          {"application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
           kProtobufMetadata}});
}

TEST(Negotiate, RefusesClientsThatAcceptNoneOfItsFormats) {
  expect(*schema::find_kind("v1", "Pod"),
         {{"text/html", std::nullopt},
          {"application/json;as=Table;v=v1beta1;g=meta.k8s.io", std::nullopt},
          {"application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io", std::nullopt}});
}

}  // namespace
}  // namespace ebb::apiserver
