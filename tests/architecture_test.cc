// Form as a test: who includes whom (the table in ARCHITECTURE.md), and small rules
// that a reader would otherwise have to keep an eye on.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = EBB_SOURCE_DIR;

using Folders = std::map<std::string, std::set<std::string>>;

std::vector<std::string> read_lines(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> words(const std::string& text) {
  std::set<std::string> result;
  static const std::regex kWord("[a-z]+");
  for (auto word = std::sregex_iterator(text.begin(), text.end(), kWord);
       word != std::sregex_iterator(); ++word) {
    result.insert(word->str());
  }
  return result;
}

// What each folder may use directly, from the table.
Folders read_table() {
  static const std::regex kRow(R"(^\| `src/([a-z]+)` \|([a-z, ]*)\|.*)");
  Folders table;
  for (const std::string& line : read_lines(kRoot / "ARCHITECTURE.md")) {
    std::smatch row;
    if (std::regex_match(line, row, kRow)) table[row[1]] = words(row[2]);
  }
  return table;
}

// ... and what it may use because of that.
Folders with_indirect(Folders table) {
  for (std::size_t round = 0; round < table.size(); ++round) {
    for (auto& [folder, used] : table) {
      const std::set<std::string> direct = used;
      for (const std::string& other : direct) used.insert(table[other].begin(), table[other].end());
    }
  }
  return table;
}

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".cc" || extension == ".h") files.push_back(entry.path());
  }
  EXPECT_FALSE(files.empty()) << folder;
  return files;
}

std::vector<fs::path> all_sources() {
  std::vector<fs::path> all;
  for (const char* folder : {"src", "tests", "bench"}) {
    const auto files = sources(folder);
    all.insert(all.end(), files.begin(), files.end());
  }
  return all;
}

TEST(Architecture, EveryIncludeIsAllowedByTheTable) {
  static const std::regex kInclude(R"re(^#include "([a-z]+)/.*)re");
  const Folders allowed = with_indirect(read_table());
  ASSERT_FALSE(allowed.empty());
  std::size_t seen = 0;
  for (const fs::path& file : sources("src")) {
    const std::string folder = file.parent_path().filename();
    const bool test = file.stem().string().ends_with("_test");
    for (const std::string& line : read_lines(file)) {
      std::smatch include;
      if (!line.starts_with("#include \"")) continue;
      ASSERT_TRUE(std::regex_match(line, include, kInclude)) << file << ": " << line;
      const std::string used = include[1];
      ++seen;
      // What a test needs to set its scene may come from anywhere below the test support.
      const bool support = test && used == "support";
      EXPECT_TRUE(used == folder || support || allowed.at(folder).contains(used))
          << file << " includes " << used << ", which ARCHITECTURE.md does not allow";
    }
  }
  EXPECT_GT(seen, 100U);
}

TEST(Architecture, TheTableNamesExactlyTheFoldersThatExist) {
  std::set<std::string> named;
  for (const auto& [folder, used] : read_table()) named.insert(folder);
  std::set<std::string> present;
  for (const auto& entry : fs::directory_iterator(kRoot / "src")) {
    present.insert(entry.path().filename());
  }
  EXPECT_EQ(named, present);
}

TEST(Architecture, LibrariesLinkWhatTheTableSays) {
  static const std::regex kLibrary(R"(^ebb_library\(([a-z]+) +(.*)\)$)");
  static const std::regex kDependency("ebb_([a-z]+)");
  Folders linked;
  for (const std::string& line : read_lines(kRoot / "CMakeLists.txt")) {
    std::smatch library;
    if (!std::regex_match(line, library, kLibrary)) continue;
    auto& used = linked[library[1]];
    const std::string rest = library[2];
    for (auto found = std::sregex_iterator(rest.begin(), rest.end(), kDependency);
         found != std::sregex_iterator(); ++found) {
      used.insert((*found)[1]);
    }
  }
  EXPECT_EQ(linked, read_table());
}

TEST(Architecture, EveryHeaderOpensWithACommentAndHasAGuard) {
  for (const fs::path& file : all_sources()) {
    if (file.extension() != ".h") continue;
    const auto lines = read_lines(file);
    ASSERT_FALSE(lines.empty()) << file;
    EXPECT_TRUE(lines.front().starts_with("// ")) << file << " does not say what it is for";
    EXPECT_NE(std::find(lines.begin(), lines.end(), "#pragma once"), lines.end()) << file;
  }
}

TEST(Architecture, NoFileIsLongerThanFiveHundredLines) {
  for (const fs::path& file : all_sources()) {
    EXPECT_LE(read_lines(file).size(), 500U) << file << " asks to be two files";
  }
}

// Everything but the shell is a function of its inputs; `now` is one of them.
TEST(Architecture, OnlyTheShellReadsAClock) {
  static const std::set<std::string> kShell = {"asker", "cli", "cluster", "kube", "net", "runtime"};
  for (const fs::path& file : sources("src")) {
    if (kShell.contains(file.parent_path().filename())) continue;
    for (const std::string& line : read_lines(file)) {
      for (const char* clock : {"system_clock", "steady_clock", "clock_gettime", "gettimeofday"}) {
        EXPECT_EQ(line.find(clock), std::string::npos) << file << ": " << line;
      }
    }
  }
}

TEST(Architecture, NoTestIsSwitchedOff) {
  // Put together here so that this file does not find itself.
  const std::regex off(std::string("DISA") + "BLED_|GTEST_" + "SKIP");
  for (const fs::path& file : all_sources()) {
    for (const std::string& line : read_lines(file)) {
      EXPECT_FALSE(std::regex_search(line, off)) << file << ": " << line;
    }
  }
}

}  // namespace
