// The output in the README is the output of the program.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace {

struct Shown {
  std::string command;
  std::string output;
};

// Code blocks that begin with `$ build/ebb`, and what they show below.
std::vector<Shown> read_shown(const std::string& path) {
  std::ifstream file(path);
  std::vector<Shown> blocks;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("$ build/ebb ")) {
      blocks.push_back({line.substr(2), ""});
      inside = true;
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back().output += line + '\n';
    }
  }
  return blocks;
}

std::string run(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT: a test runs a command line
  std::string output;
  char piece[4096];
  while (const std::size_t size = std::fread(piece, 1, sizeof piece, pipe)) {
    output.append(piece, size);
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

TEST(Readme, ShowsWhatTheProgramPrints) {
  const std::string root = EBB_SOURCE_DIR;
  const auto blocks = read_shown(root + "/README.md");
  ASSERT_FALSE(blocks.empty());
  for (const auto& [command, output] : blocks) {
    const std::string words = command.substr(std::string_view("build/ebb").size());
    EXPECT_EQ(run(fmt::format("cd '{}' && '{}'{}", root, EBB_PROGRAM, words)), output) << command;
  }
}

// Wider lines are broken by terminals and scroll on web pages.
TEST(Readme, ShowsLinesOfAtMost120Columns) {
  std::size_t lines = 0;
  for (const auto& [command, output] : read_shown(std::string(EBB_SOURCE_DIR) + "/README.md")) {
    EXPECT_LE(command.size(), 118U) << command;  // after a prompt
    std::istringstream text(output);
    for (std::string line; std::getline(text, line); ++lines) EXPECT_LE(line.size(), 120U) << line;
  }
  EXPECT_GT(lines, 0U);
}

}  // namespace
