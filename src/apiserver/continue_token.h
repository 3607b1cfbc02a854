// Where a list that is read page by page goes on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/api.h"

namespace ebb::apiserver {

// All pages come from the state at one revision; the next one starts behind a key. How many objects
// are left is handed on from page to page, so that nobody counts them for each.
struct ContinueToken {
  model::Revision revision = 0;
  std::size_t left = 0;
  std::string namespace_name;
  std::string name;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] static std::optional<ContinueToken> parse(std::string_view text);
};

}  // namespace ebb::apiserver
