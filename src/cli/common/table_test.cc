#include "cli/common/table.h"

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

TEST(Table, AlignsColumnsAndLeavesNoSpaceAtTheEnd) {
  Table table({"POD", "NODE"});
  table.add({"web-12345", "a"});
  table.add_line("kept");
  table.add({"w", "node-b"});
  EXPECT_EQ(table.text(),
            "POD         NODE\n"
            "web-12345   a\n"
            "--- kept ---\n"
            "w           node-b\n");
}

TEST(Table, SpellsControlCharactersOut) {
  Table table({"POD"});
  table.add({"\x1b[31mred\n"});
  EXPECT_EQ(table.text(), "POD\n\\u001b[31mred\\u000a\n");
}

}  // namespace
}  // namespace ebb::cli
