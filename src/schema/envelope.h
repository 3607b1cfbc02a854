// The envelope in which Kubernetes sends an object in protobuf: `k8s`, a zero byte, and a message
// that says what it is and has the object's own message inside.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::schema {

inline constexpr std::string_view kProtobufMediaType = "application/vnd.kubernetes.protobuf";

// What every envelope begins with, and no JSON does.
inline constexpr std::string_view kProtobufMagic{"k8s\0", 4};

// The views point into what was read.
struct Envelope {
  std::string_view api_version;
  std::string_view kind;
  std::string_view message;
};
[[nodiscard]] Result<Envelope> open_envelope(std::string_view bytes);

// All of an envelope that comes before the message; nothing comes after it.
[[nodiscard]] std::string envelope_head(std::string_view api_version, std::string_view kind,
                                        std::size_t message_size);
[[nodiscard]] std::string in_envelope(std::string_view api_version, std::string_view kind,
                                      std::string_view message);

}  // namespace ebb::schema
