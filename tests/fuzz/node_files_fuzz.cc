// Fuzzes the node files of `ebb up --nodes` and `ebb nodes`. Accepted nodes can be served, and
// their number is limited.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/check.h"
#include "hollow/resources.h"
#include "hollow/settings.h"
#include "input.h"

namespace {

void check(const ebb::Result<std::vector<ebb::hollow::NodeSpec>>& nodes) {
  if (!nodes) {
    EBB_CHECK(ebb::fuzz::is_text(nodes.error().message));
    return;
  }
  EBB_CHECK(nodes->size() <= 5000);
  std::set<std::string> names;
  for (const ebb::hollow::NodeSpec& node : *nodes) {
    EBB_CHECK(!node.name.empty() && names.insert(node.name).second);
    for (const auto& [resource, quantity] : node.capacity) {
      EBB_CHECK(ebb::hollow::parse_amount(resource, quantity).has_value());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = ebb::fuzz::as_text(data, size);
  check(ebb::hollow::parse_node_file(text));
  const auto grid = ebb::hollow::parse_node_grid(text);
  EBB_CHECK(!grid || ebb::hollow::is_node_grid(text));
  if (ebb::hollow::is_node_grid(text)) check(grid);
  return 0;
}
