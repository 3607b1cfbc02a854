// The token that continues a paginated list.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/api/api.h"

namespace ebb::apiserver {

// All pages show the state at one revision; the next page starts after a key. The number of
// remaining objects is passed on in the token, so that it is counted only once.
struct ContinueToken {
  model::Revision revision = 0;
  std::size_t left = 0;
  std::string namespace_name;
  std::string name;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] static std::optional<ContinueToken> parse(std::string_view text);
};

}  // namespace ebb::apiserver
