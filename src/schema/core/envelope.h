// The envelope of protobuf objects in Kubernetes: `k8s`, a zero byte, and a message that contains
// the object's type and its own message.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ebb::schema {

inline constexpr std::string_view kProtobufMediaType = "application/vnd.kubernetes.protobuf";

// The start of every envelope, and of no JSON text.
inline constexpr std::string_view kProtobufMagic{"k8s\0", 4};

// The views refer to the input.
struct Envelope {
  std::string_view api_version;
  std::string_view kind;
  std::string_view message;
};
[[nodiscard]] Result<Envelope> open_envelope(std::string_view bytes);

// The part of an envelope that precedes the message; nothing follows it.
[[nodiscard]] std::string envelope_head(std::string_view api_version, std::string_view kind,
                                        std::size_t message_size);
[[nodiscard]] std::string in_envelope(std::string_view api_version, std::string_view kind,
                                      std::string_view message);

}  // namespace ebb::schema
