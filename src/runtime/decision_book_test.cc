#include "runtime/decision_book.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace ebb::runtime {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(DecisionBook, ListsWhatItWasGivenNewestLast) {
  DecisionBook book;
  EXPECT_EQ(book.list(), "[]\n");
  EXPECT_TRUE(book.add(R"({"id":"a"})"));
  EXPECT_TRUE(book.add(R"({"id":"b"})"));
  EXPECT_EQ(book.list(), "[{\"id\":\"a\"},\n{\"id\":\"b\"}]\n");
}

TEST(DecisionBook, ForgetsTheOldestWhenItsMemoryIsFull) {
  DecisionBook book(20);
  for (const char* record : {"\"aaaaaaaa\"", "\"bbbbbbbb\"", "\"c\""})
    EXPECT_TRUE(book.add(record));
  EXPECT_EQ(book.list(), "[\"bbbbbbbb\",\n\"c\"]\n");
  const std::string large = "\"" + std::string(100, 'x') + "\"";
  EXPECT_TRUE(book.add(large));
  EXPECT_EQ(book.list(), "[" + large + "]\n");
}

TEST(DecisionBook, AddsLinesToItsFile) {
  const support::TemporaryFolder folder;
  const fs::path file = folder.path() / "decisions.jsonl";
  std::ofstream(file) << "{\"old\":1}\n";
  DecisionBook book;
  ASSERT_TRUE(book.open(file.string()));
  EXPECT_TRUE(book.add("{\"new\":1}"));
  EXPECT_EQ(read(file), "{\"old\":1}\n{\"new\":1}\n");
}

TEST(DecisionBook, OpensItsFileAnewAfterItWasMovedAway) {
  const support::TemporaryFolder folder;
  const fs::path file = folder.path() / "decisions.jsonl";
  DecisionBook book;
  ASSERT_TRUE(book.reopen());  // there is none to open
  ASSERT_TRUE(book.open(file.string()));
  EXPECT_TRUE(book.add("1"));
  fs::rename(file, folder.path() / "old");
  EXPECT_TRUE(book.add("2"));
  ASSERT_TRUE(book.reopen());
  EXPECT_TRUE(book.add("3"));
  EXPECT_EQ(read(folder.path() / "old"), "1\n2\n");
  EXPECT_EQ(read(file), "3\n");
}

TEST(DecisionBook, SaysWhichFileItCannotOpen) {
  const support::TemporaryFolder folder;
  DecisionBook book;
  const auto opened = book.open((folder.path() / "missing" / "file").string());
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("missing/file: No such file"), std::string::npos);
}

TEST(DecisionBook, KeepsARecordThatTheDiskHasNoRoomFor) {
  DecisionBook book;
  ASSERT_TRUE(book.open("/dev/full"));
  const auto added = book.add("{}");
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("/dev/full: No space left"), std::string::npos);
  EXPECT_EQ(book.list(), "[{}]\n");
}

}  // namespace
}  // namespace ebb::runtime
