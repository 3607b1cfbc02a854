// The program is hardened. scripts/check-hardening, which also checks each release build, detects
// a missing protection.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "support/objects/temporary_folder.h"

namespace {

namespace fs = std::filesystem;

struct Finished {
  int code = -1;
  std::string output{};
};

Finished run(const std::string& command) {
  Finished result;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> piece{};
  for (std::size_t size = 0; (size = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;) {
    result.output.append(piece.data(), size);
  }
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  return result;
}

const std::string kCheck = EBB_SOURCE_DIR "/scripts/check-hardening ";

#ifdef EBB_SANITIZED
const std::string kKind = "--sanitized ";
#else
const std::string kKind;
#endif

TEST(Hardening, TheProgramHasEveryProtection) {
  const Finished checked = run(kCheck + kKind + EBB_PROGRAM);
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(checked.output, "");
}

// A program that gives every protection something to do.
constexpr const char* kSource = R"(
#include <cstdio>
#include <cstring>
#include <string>
#ifdef WRITABLE_CODE
__attribute__((section(".both,\"awx\",@progbits#"))) int both = 1;
#endif
int main(int count, char** words) {
  char large[100000];
  std::strcpy(large, words[0]);
  const std::string text = large;
  return std::printf("%s %c", large, text[static_cast<unsigned>(count)]);
}
)";

constexpr const char* kFlags =
    "-O2 -fPIE -fstack-protector-strong -fstack-clash-protection -fcf-protection "
    "-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS -pie -Wl,-z,relro,-z,now ";

class Compiled {
 public:
  // These flags come last, so that they win.
  explicit Compiled(const std::string& more_flags) {
    const std::string source = (folder_.path() / "program.cc").string();
    std::ofstream(source) << kSource;
    made_ = run("g++ " + (kFlags + more_flags) + " " + source + " -o " + program());
  }
  [[nodiscard]] const Finished& made() const { return made_; }
  [[nodiscard]] std::string program() const { return (folder_.path() / "program").string(); }

 private:
  ebb::support::TemporaryFolder folder_;
  Finished made_;
};

TEST(Hardening, TheCheckIsContentWithAProgramThatHasThemAll) {
  const Compiled compiled("");
  ASSERT_EQ(compiled.made().code, 0) << compiled.made().output;
  const Finished checked = run(kCheck + compiled.program());
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(checked.output, "");
}

TEST(Hardening, TheCheckNamesEachProtectionThatIsMissing) {
  struct Case {
    const char* flags;
    const char* complaint;
  };
  constexpr Case kCases[] = {
      {"-fno-pie -no-pie", "is not a position-independent executable (-pie)"},
      {"-Wl,-z,norelro", "has no segment that is read-only after relocation (-z relro)"},
      {"-Wl,-z,lazy", "binds functions late, which leaves the GOT writable (-z now)"},
      {"-Wl,-z,execstack", "does not say that its stack is not executable"},
      {"-DWRITABLE_CODE", "has memory that is both writable and executable"},
      {"-fno-stack-protector", "has no stack protector (-fstack-protector-strong)"},
      {"-U_GLIBCXX_ASSERTIONS",
       "does not check the bounds of std containers (_GLIBCXX_ASSERTIONS)"},
      {"-U_FORTIFY_SOURCE", "calls no checked functions of the C library (_FORTIFY_SOURCE)"},
      {"-fcf-protection=none", "has no landing pads for indirect branches (-fcf-protection)"},
      {"-fno-stack-clash-protection",
       "does not probe the pages of large stack frames (-fstack-clash-protection)"},
  };
  for (const Case& one : kCases) {
    const Compiled compiled(one.flags);
    ASSERT_EQ(compiled.made().code, 0) << one.flags << "\n" << compiled.made().output;
    const Finished checked = run(kCheck + compiled.program());
    EXPECT_EQ(checked.code, 1) << one.flags;
    EXPECT_NE(checked.output.find(one.complaint), std::string::npos) << one.flags << "\n"
                                                                     << checked.output;
  }
}

TEST(Hardening, ASanitizedProgramMayDoWithoutCheckedFunctions) {
  const Compiled compiled("-U_FORTIFY_SOURCE -fsanitize=address,undefined");
  ASSERT_EQ(compiled.made().code, 0) << compiled.made().output;
  const Finished checked = run(kCheck + "--sanitized " + compiled.program());
  EXPECT_EQ(checked.code, 0);
  EXPECT_EQ(checked.output, "");
}

}  // namespace
