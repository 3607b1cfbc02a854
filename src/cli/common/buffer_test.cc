#include "cli/common/buffer.h"

#include <cstring>
#include <string>

#include <gtest/gtest.h>

namespace ebb::cli {
namespace {

void add(Buffer& buffer, std::string_view text) {
  std::memcpy(buffer.reserve(text.size()), text.data(), text.size());
  buffer.append(text.size());
}

TEST(Buffer, KeepsItsTextWhileItGrows) {
  Buffer buffer;
  std::string expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string piece(static_cast<std::size_t>(i), static_cast<char>('a' + i % 26));
    add(buffer, piece);
    expected += piece;
  }
  EXPECT_EQ(buffer.text(), expected);
}

TEST(Buffer, DropsTheBeginningOfItsText) {
  Buffer buffer;
  add(buffer, "done with this, not with that");
  buffer.drop(std::strlen("done with this, "));
  EXPECT_EQ(buffer.text(), "not with that");
  add(buffer, "!");
  EXPECT_EQ(buffer.text(), "not with that!");
}

TEST(Buffer, SaysWhenThereIsNotThatMuchMemory) {
  Buffer buffer;
  EXPECT_EQ(buffer.reserve(std::size_t{1} << 60), nullptr);
}

}  // namespace
}  // namespace ebb::cli
