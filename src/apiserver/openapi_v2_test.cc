#include "apiserver/openapi_v2.h"

#include <gtest/gtest.h>

namespace ebb::apiserver {
namespace {

TEST(OpenApiV2, IsAProtobufMessageForThoseWhoAskForOne) {
  for (const std::string_view accept :
       {"application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
        "application/com.github.proto-openapi.spec.v2.v1.0+protobuf, application/json"}) {
    EXPECT_EQ(openapi_v2(accept).content_type,
              "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    EXPECT_EQ(openapi_v2(accept).body, std::string_view("\n\x03"
                                                        "2.0"));
  }
}

TEST(OpenApiV2, IsJsonOtherwise) {
  EXPECT_EQ(openapi_v2("application/json").content_type, "application/json");
  EXPECT_EQ(openapi_v2("").body.substr(0, 16), R"({"swagger":"2.0")");
}

}  // namespace
}  // namespace ebb::apiserver
