// Runs the program on the cases in tests/cases: text files with a command line and the expected
// output. A case consists of
//
//     # a comment
//     file NAME       followed by the content of a file, indented by four spaces
//     run COMMAND     a shell command line; `ebb` is the program, $EXAMPLES the folder examples/
//     exit CODE       the expected exit code
//     out             followed by the expected standard output, indented
//     err             followed by the expected standard error, indented
//
// EBB_UPDATE_CASES=1 writes the actual output into the files, so that you can review the diff.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kIndent = "    ";

struct Case {
  struct File {
    std::string name;
    std::string content;
  };

  std::string comment;
  std::vector<File> files;
  std::string command;
  int exit_code = 0;
  std::string out;
  std::string err;
};

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The indented block that follows, without the indentation. Blank lines belong to it
// only if more of it follows.
std::string take_block(const std::vector<std::string>& lines, std::size_t& at) {
  std::string block;
  std::string blank;
  for (std::size_t next = at; next < lines.size(); ++next) {
    if (lines[next].empty()) {
      blank += '\n';
    } else if (lines[next].starts_with(kIndent)) {
      block += blank + lines[next].substr(kIndent.size()) + '\n';
      blank.clear();
      at = next + 1;
    } else {
      break;
    }
  }
  return block;
}

Case parse(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);

  Case result;
  for (std::size_t at = 0; at < lines.size();) {
    const std::string line = lines[at++];
    if (line.empty()) continue;
    const auto space = line.find(' ');
    const std::string word = line.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (word == "#") {
      result.comment += rest + '\n';
    } else if (word == "file") {
      result.files.push_back({rest, take_block(lines, at)});
    } else if (word == "run") {
      result.command = rest;
    } else if (word == "exit") {
      result.exit_code = std::stoi(rest);
    } else if (word == "out") {
      result.out = take_block(lines, at);
    } else if (word == "err") {
      result.err = take_block(lines, at);
    } else {
      throw std::runtime_error("cannot read the line: " + line);
    }
  }
  return result;
}

std::string indent(const std::string& text) {
  std::string result;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    result += line.empty() ? "\n" : fmt::format("{}{}\n", kIndent, line);
  }
  return result;
}

std::string print(const Case& c) {
  std::string text;
  std::istringstream comment(c.comment);
  for (std::string line; std::getline(comment, line);) text += fmt::format("# {}\n", line);
  for (const auto& [name, content] : c.files) {
    text += fmt::format("file {}\n{}", name, indent(content));
  }
  text += fmt::format("run {}\nexit {}\n", c.command, c.exit_code);
  if (!c.out.empty()) text += "out\n" + indent(c.out);
  if (!c.err.empty()) text += "err\n" + indent(c.err);
  return text;
}

// A folder of its own for each case, gone afterwards. `ebb` in it leads to the program.
class Workplace {
 public:
  Workplace() {
    std::string name = (fs::temp_directory_path() / "ebb-case-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    folder_ = name;
    fs::create_directory(folder_ / "bin");
    for (const char* program : {"ebb", "kubectl-ebb", "kubectl_complete-ebb"}) {
      fs::create_symlink(EBB_PROGRAM, folder_ / "bin" / program);
    }
    fs::create_directory(folder_ / "work");
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() { fs::remove_all(folder_); }

  // Runs the case and returns it with what really came out.
  [[nodiscard]] Case run(const Case& c) const {
    const fs::path work = folder_ / "work";
    for (const auto& [name, content] : c.files) {
      fs::create_directories((work / name).parent_path());
      std::ofstream(work / name) << content;
    }
    std::ofstream(folder_ / "script") << c.command << '\n';
    const std::string shell = fmt::format(
        "cd '{0}/work' && PATH='{0}/bin':\"$PATH\" EXAMPLES='{1}/examples' LC_ALL=C "
        "bash ../script >../out 2>../err </dev/null",
        folder_.string(), EBB_SOURCE_DIR);
    const int status = std::system(shell.c_str());  // NOLINT: a test runs a command line
    Case real = c;
    real.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    real.out = read(folder_ / "out");
    real.err = read(folder_ / "err");
    return real;
  }

 private:
  fs::path folder_;
};

const fs::path kCases = fs::path(EBB_SOURCE_DIR) / "tests/cases";

class Cases : public testing::TestWithParam<std::string> {};

TEST_P(Cases, ComeOutAsWritten) {
  const fs::path path = kCases / GetParam();
  const Case expected = parse(read(path));
  ASSERT_FALSE(expected.command.empty()) << "the case runs nothing";
  const Case real = Workplace().run(expected);
  if (std::getenv("EBB_UPDATE_CASES") != nullptr) {
    std::ofstream(path) << print(real);
    return;
  }
  EXPECT_EQ(real.exit_code, expected.exit_code);
  EXPECT_EQ(real.out, expected.out);
  EXPECT_EQ(real.err, expected.err);
}

std::vector<std::string> case_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(kCases)) {
    if (entry.path().extension() != ".case") continue;
    files.push_back(fs::relative(entry.path(), kCases).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Cli, Cases, testing::ValuesIn(case_files()),
                         [](const auto& chosen) { return fs::path(chosen.param).stem().string(); });

}  // namespace
