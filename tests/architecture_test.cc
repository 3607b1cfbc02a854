// Checks the structure of the source: which folders and rooms may include which (the tables in
// ARCHITECTURE.md), and small rules of form.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
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

Folders read_rows(const std::regex& row_pattern) {
  Folders table;
  for (const std::string& line : read_lines(kRoot / "ARCHITECTURE.md")) {
    std::smatch row;
    if (std::regex_match(line, row, row_pattern)) table[row[1]] = words(row[2]);
  }
  return table;
}

// What each folder may use directly, from the first table.
Folders read_table() { return read_rows(std::regex(R"(^\| `src/([a-z]+)` \|([a-z, ]*)\|.*)")); }

// The same for the rooms of a folder, from the second one.
Folders read_rooms(const std::string& folder) {
  return read_rows(std::regex("^\\| `" + folder + "/([a-z]+)` \\|([a-z, ]*)\\|.*"));
}

// The folder of src/ that a file is in, and its room; empty: directly in the folder.
struct Place {
  std::string folder;
  std::string room;
};
Place place_of(const fs::path& file) {
  const fs::path relative = file.lexically_relative(kRoot / "src");
  auto part = relative.begin();
  const std::string folder = *part;
  const std::string room = std::distance(relative.begin(), relative.end()) > 2 ? *++part : "";
  return {folder, room};
}

std::string without_ending(const std::string& path) { return path.substr(0, path.rfind('.')); }

// A header with this line is private to its room.
constexpr std::string_view kPrivateGuard = "#pragma once  // private to its room";

bool has_line(const fs::path& file, std::string_view wanted) {
  const auto lines = read_lines(file);
  return std::find(lines.begin(), lines.end(), wanted) != lines.end();
}

bool is_test(const fs::path& file) { return file.stem().string().ends_with("_test"); }

// Adds what each folder may use indirectly.
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

TEST(Architecture, EveryIncludeIsAllowedByTheTables) {
  static const std::regex kInclude(R"re(^#include "(([a-z]+)/(?:([a-z]+)/)?[a-z0-9_]+\.h)")re");
  const Folders allowed = with_indirect(read_table());
  ASSERT_FALSE(allowed.empty());
  std::map<std::string, Folders> rooms;
  for (const auto& [folder, used] : allowed) rooms[folder] = with_indirect(read_rooms(folder));
  std::size_t seen = 0;
  for (const fs::path& file : sources("src")) {
    const auto [folder, room] = place_of(file);
    for (const std::string& line : read_lines(file)) {
      std::smatch include;
      if (!line.starts_with("#include \"")) continue;
      ASSERT_TRUE(std::regex_match(line, include, kInclude)) << file << ": " << line;
      const std::string used = include[2];
      const std::string used_room = include[3];
      ++seen;
      // A test may include any test support.
      const bool support = is_test(file) && used == "support";
      EXPECT_TRUE(used == folder || support || allowed.at(folder).contains(used))
          << file << " includes " << used << ", which ARCHITECTURE.md does not allow";
      if (used != folder || room.empty() || room == used_room || is_test(file)) continue;
      EXPECT_TRUE(rooms.at(folder).at(room).contains(used_room))
          << file << " includes " << used << "/" << used_room
          << ", which the table of rooms does not allow";
    }
  }
  EXPECT_GT(seen, 100U);
}

TEST(Architecture, NoFolderOrRoomUsesItself) {
  std::vector<Folders> tables = {read_table()};
  for (const auto& [folder, used] : read_table()) tables.push_back(read_rooms(folder));
  for (const Folders& table : tables) {
    for (const auto& [folder, used] : with_indirect(table)) {
      EXPECT_FALSE(used.contains(folder)) << folder;
    }
  }
}

TEST(Architecture, TheTableOfRoomsNamesExactlyTheRoomsThatExist) {
  for (const auto& [folder, used] : read_table()) {
    std::set<std::string> named;
    for (const auto& [room, uses] : read_rooms(folder)) named.insert(room);
    std::set<std::string> present;
    for (const auto& entry : fs::directory_iterator(kRoot / "src" / folder)) {
      if (entry.is_directory()) present.insert(entry.path().filename());
    }
    EXPECT_EQ(named, present) << folder;
  }
}

TEST(Architecture, NoFolderHasMoreThanEightyFiles) {
  std::map<fs::path, std::size_t> counts;
  for (const char* folder : {"src", "tests", "bench", "docs", "scripts", "deploy"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.is_regular_file()) ++counts[entry.path().parent_path()];
    }
  }
  for (const auto& [folder, count] : counts) {
    EXPECT_LE(count, 80U) << folder << " asks for rooms";
  }
}

// Declarations that only their own source and test include belong in the source.
TEST(Architecture, EveryHeaderIsIncludedByOthers) {
  static const std::regex kInclude(R"re(^#include "([a-z0-9_/]+\.h)".*)re");
  std::map<std::string, bool> used;
  for (const fs::path& file : sources("src")) {
    if (file.extension() == ".h") used[file.lexically_relative(kRoot / "src")] = false;
  }
  for (const fs::path& file : all_sources()) {
    const std::string own = file.lexically_relative(kRoot / "src").string();
    for (const std::string& line : read_lines(file)) {
      std::smatch include;
      if (!std::regex_match(line, include, kInclude)) continue;
      const auto header = used.find(include[1]);
      if (header == used.end()) continue;
      const std::string stem = without_ending(header->first);
      if (own != stem + ".cc" && own != stem + "_test.cc") header->second = true;
    }
  }
  for (const auto& [header, by_others] : used) {
    EXPECT_TRUE(by_others) << "only its own source and test include " << header;
  }
}

// The mark tells a reader which headers of a room are its interface. The files directly in a folder
// are a room of their own here. Only a test beside the header is inside its room. All other tests,
// fuzz targets, test support and benchmarks are outside: a header that they include is part of the
// interface, even if no other source includes it.
TEST(Architecture, ExactlyTheHeadersUsedOnlyInTheirRoomAreMarkedPrivate) {
  static const std::regex kInclude(R"re(^#include "([a-z0-9_/]+\.h)".*)re");
  std::map<fs::path, fs::path> included_from;  // one file outside the room, for each header
  for (const fs::path& file : all_sources()) {
    for (const std::string& line : read_lines(file)) {
      std::smatch include;
      if (!std::regex_match(line, include, kInclude)) continue;
      const fs::path header = kRoot / "src" / include[1].str();
      if (header.parent_path() != file.parent_path()) included_from.emplace(header, file);
    }
  }
  std::size_t marked = 0;
  for (const fs::path& header : sources("src")) {
    if (header.extension() != ".h") continue;
    const auto outside = included_from.find(header);
    if (has_line(header, kPrivateGuard)) {
      ++marked;
      EXPECT_TRUE(outside == included_from.end())
          << header << " is private to its room, but " << outside->second << " includes it";
    } else {
      EXPECT_TRUE(outside != included_from.end())
          << "only its own room includes " << header << ": mark it with " << kPrivateGuard;
    }
  }
  EXPECT_GT(marked, 100U);
}

// A room that no other room includes should be part of another one.
TEST(Architecture, EveryRoomIsUsedFromOutside) {
  std::set<std::string> used;
  static const std::regex kInclude(R"re(^#include "([a-z]+/[a-z]+)/[a-z0-9_]+\.h".*)re");
  for (const fs::path& file : all_sources()) {
    const std::string own = file.parent_path().lexically_relative(kRoot / "src");
    for (const std::string& line : read_lines(file)) {
      std::smatch include;
      if (std::regex_match(line, include, kInclude) && include[1] != own) used.insert(include[1]);
    }
  }
  for (const auto& [folder, uses] : read_table()) {
    for (const auto& [room, others] : read_rooms(folder)) {
      EXPECT_TRUE(used.contains(folder + "/" + room)) << folder << "/" << room;
    }
  }
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
    EXPECT_TRUE(has_line(file, "#pragma once") || has_line(file, kPrivateGuard)) << file;
  }
}

// Compiling the source then shows that its header includes what it needs.
TEST(Architecture, EverySourceIncludesItsOwnHeaderFirst) {
  for (const fs::path& file : sources("src")) {
    const fs::path header = fs::path(file).replace_extension(".h");
    if (file.extension() != ".cc" || !fs::exists(header)) continue;
    const auto lines = read_lines(file);
    const auto first = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
      return line.starts_with("#include");
    });
    ASSERT_NE(first, lines.end()) << file;
    EXPECT_EQ(*first, "#include \"" + header.lexically_relative(kRoot / "src").string() + "\"")
        << file;
  }
}

TEST(Architecture, NoFileIsLongerThanFiveHundredLines) {
  for (const fs::path& file : all_sources()) {
    EXPECT_LE(read_lines(file).size(), 500U) << file << " asks to be two files";
  }
}

// Everything but the shell is a function of its inputs; `now` is one of them.
TEST(Architecture, OnlyTheShellReadsAClock) {
  static const std::set<std::string> kShell = {"pickerclient", "cli", "cluster",
                                               "kube",         "net", "runtime"};
  for (const fs::path& file : sources("src")) {
    if (kShell.contains(place_of(file).folder)) continue;
    for (const std::string& line : read_lines(file)) {
      for (const char* clock : {"system_clock", "steady_clock", "clock_gettime", "gettimeofday"}) {
        EXPECT_EQ(line.find(clock), std::string::npos) << file << ": " << line;
      }
    }
  }
}

// The compiler checks only annotated ones (scripts/thread-safety).
TEST(Architecture, EveryMutexIsAnAnnotatedOne) {
  static const std::regex kPlain(
      R"(std::(\w*mutex|condition_variable\w*|lock_guard|unique_lock|scoped_lock|shared_lock)\b)");
  for (const fs::path& file : all_sources()) {
    if (file == kRoot / "src/base/mutex.h") continue;
    for (const std::string& line : read_lines(file)) {
      EXPECT_FALSE(std::regex_search(line, kPlain))
          << file << ": " << line << "\nbase/mutex.h has what to use instead";
    }
  }
}

TEST(Architecture, EveryMutexSaysWhatItGuards) {
  static const std::regex kMutex(R"(^ *(?:mutable )?Mutex (\w+);.*)");
  std::size_t seen = 0;
  for (const fs::path& file : all_sources()) {
    const auto lines = read_lines(file);
    for (const std::string& line : lines) {
      std::smatch mutex;
      if (file.filename() == "mutex.h" || !std::regex_match(line, mutex, kMutex)) continue;
      ++seen;
      const std::string guarded = "GUARDED_BY(" + mutex[1].str() + ")";
      EXPECT_TRUE(std::any_of(
          lines.begin(), lines.end(),
          [&](const std::string& other) { return other.find(guarded) != std::string::npos; }))
          << file << ": nothing is EBB_" << guarded;
    }
  }
  EXPECT_GT(seen, 10U);
}

// A document that names a file can be followed in one hop, also after the file has moved.
TEST(Architecture, EveryFileThatADocumentNamesExists) {
  static const std::regex kFile(R"(`((?:[a-z]+/)*[A-Za-z0-9_-]+\.(?:cc|h|py))`)");
  std::set<std::string> names;
  for (const fs::path& file : all_sources()) names.insert(file.filename());
  std::size_t seen = 0;
  std::vector<fs::path> documents = {kRoot / "ARCHITECTURE.md", kRoot / "README.md",
                                     kRoot / "CONTRIBUTING.md", kRoot / "SECURITY.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") documents.push_back(entry.path());
  }
  for (const fs::path& document : documents) {
    for (const std::string& line : read_lines(document)) {
      for (auto found = std::sregex_iterator(line.begin(), line.end(), kFile);
           found != std::sregex_iterator(); ++found) {
        const std::string name = (*found)[1];
        ++seen;
        const bool exists = name.find('/') == std::string::npos
                                ? names.contains(name) || name.ends_with(".py")
                                : fs::exists(kRoot / name) || fs::exists(kRoot / "src" / name);
        EXPECT_TRUE(exists) << document << " names " << name;
      }
    }
  }
  EXPECT_GT(seen, 100U);
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
