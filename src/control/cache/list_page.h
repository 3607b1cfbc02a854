// One page of a list, in JSON or protobuf.
#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "control/cache/store.h"

namespace ebb::control {

// All members point into the body that was read.
struct ListPage {
  Store::Format format = Store::Format::kJson;
  model::Revision revision = 0;
  std::string_view continue_token;  // empty: this is the last page
  std::vector<std::string_view> items;
};

[[nodiscard]] Result<ListPage> read_page(std::string_view body);

}  // namespace ebb::control
