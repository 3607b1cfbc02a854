// Large answers for clients that take them compressed, as kube-apiserver compresses them.
#pragma once

#include <optional>
#include <string_view>

#include "base/bytes.h"

namespace ebb::cluster {

// What is shorter is not worth it.
inline constexpr std::size_t kLeastCompressed = 128UL << 10U;

[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding);

// Nothing if there is no memory for it.
[[nodiscard]] std::optional<Bytes> compressed(const Bytes& plain);

}  // namespace ebb::cluster
