#include "cli/common/input.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/objects/generated_pods.h"

namespace ebb::cli {
namespace {

namespace fs = std::filesystem;

class InputTest : public ::testing::Test {
 protected:
  InputTest() {
    folder_ = fs::temp_directory_path() / ("ebb-input-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  ~InputTest() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string pod(const std::string& name) {
    return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","uid":")" +
           name + R"("}})";
  }
  Result<model::Snapshot> read(const std::vector<std::string>& names) {
    return read_inputs(names, {in_, out_, err_});
  }

  fs::path folder_;
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST_F(InputTest, CollectsFilesFoldersAndStandardInput) {
  const std::string single = write("single.json", pod("a"));
  fs::create_directory(folder_ / "more");
  write("more/b.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: b, uid: b}\n");
  write("more/ignored.txt", "not read");
  in_.str(pod("c"));
  const auto snapshot = read({single, (folder_ / "more").string(), "-"});
  ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
  EXPECT_EQ(snapshot->pods.size(), 3U);
}

TEST_F(InputTest, ReadsFilesWhoseSizeIsNotKnown) {
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const pid_t writer = fork();
  if (writer == 0) {
    std::ofstream out(pipe);
    // More than one piece, so that the buffer has to grow.
    out << pod("a") << std::string(3 << 20, '\n') << pod("b");
    out.close();
    _exit(0);
  }
  const auto snapshot = read({pipe});
  EXPECT_EQ(waitpid(writer, nullptr, 0), writer);
  ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
  EXPECT_EQ(snapshot->pods.size(), 2U);
}

TEST_F(InputTest, ReadsALargeListThroughASmallWindow) {
  const std::string text = ebb::testing::generate_pod_list({.pods = 2000, .nodes = 50, .seed = 5});
  ASSERT_GT(text.size(), std::size_t{10} << 20);  // several windows
  const auto snapshot = read({write("large.json", text)});
  ASSERT_TRUE(snapshot.has_value()) << snapshot.error().message;
  EXPECT_EQ(snapshot->pods.size(), 2000U);
}

TEST_F(InputTest, ReadsALargeFileAsAWholeIfItIsNoListAfterAll) {
  std::string text = ebb::testing::generate_pod_list({.pods = 1000, .nodes = 50, .seed = 5});
  text.insert(text.rfind("\"kind\": \"List\""), "\"kind\": 7, ");
  const std::string file = write("large.json", text);
  const auto snapshot = read({file});
  ASSERT_FALSE(snapshot.has_value());
  EXPECT_EQ(snapshot.error().message, file + ": List: kind: occurs twice in the same object");
}

TEST_F(InputTest, NamesAFolderWithoutObjects) {
  fs::create_directory(folder_ / "empty");
  const auto snapshot = read({(folder_ / "empty").string()});
  ASSERT_FALSE(snapshot.has_value());
  EXPECT_EQ(snapshot.error().message,
            (folder_ / "empty").string() + ": has no .json, .yaml or .yml files");
}

TEST_F(InputTest, NamesTheFileInWhichSomethingIsWrong) {
  const std::string good = write("good.json", pod("a"));
  const std::string bad = write("bad.json", R"({"kind":"Pod","apiVersion":"v1"})");
  const auto snapshot = read({good, bad});
  ASSERT_FALSE(snapshot.has_value());
  EXPECT_TRUE(snapshot.error().message.starts_with(bad + ": Pod: metadata.name: "))
      << snapshot.error().message;
}

}  // namespace
}  // namespace ebb::cli
