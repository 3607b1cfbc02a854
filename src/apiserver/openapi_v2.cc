#include "apiserver/openapi_v2.h"

namespace ebb::apiserver {
namespace {

constexpr OpenApiV2 kJson{
    .content_type = "application/json",
    .body = R"({"swagger":"2.0","info":{"title":"ebb","version":"v1"},"paths":{}})"};

// Field 1 of the message, `swagger`: "2.0".
constexpr OpenApiV2 kProtobuf{
    .content_type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    .body =
        "\x0a\x03"
        "2.0"};

}  // namespace

OpenApiV2 openapi_v2(std::string_view accept) {
  // Older clients write `@v1.0` where newer ones write `.v1.0`.
  const bool protobuf = accept.find("proto-openapi.spec.v2") != std::string_view::npos;
  return protobuf ? kProtobuf : kJson;
}

}  // namespace ebb::apiserver
