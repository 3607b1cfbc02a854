#include "cli/table.h"

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

TEST(Table, ShowsControlCharactersAsQuestionMarks) {
  Table table({"POD"});
  table.add({"\x1b[31mred\n"});
  EXPECT_EQ(table.text(), "POD\n?[31mred?\n");
}

}  // namespace
}  // namespace ebb::cli
