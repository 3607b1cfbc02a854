// One page of a list, in either format.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/store.h"

namespace ebb::control {

// Everything in it points into the body it was read from.
struct ListPage {
  Store::Format format = Store::Format::kJson;
  model::Revision revision = 0;
  std::string_view continue_token;  // empty: this was the last page
  std::vector<std::string_view> items;
};

[[nodiscard]] Result<ListPage> read_page(std::string_view body);

}  // namespace ebb::control
