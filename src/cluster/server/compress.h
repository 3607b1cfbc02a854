// Compresses large responses for clients that accept it, as kube-apiserver does.
#pragma once

#include <optional>
#include <string_view>

#include "base/bytes.h"

namespace ebb::cluster {

// Shorter responses are not compressed.
inline constexpr std::size_t kMinCompressed = 128UL << 10U;

[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

// Nothing if memory is exhausted.
[[nodiscard]] std::optional<Bytes> compressed(const Bytes& plain);

}  // namespace ebb::cluster
