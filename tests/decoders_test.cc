// Every decoder has a fuzz target. tests/fuzz/decoders.txt is the table, and states the rule by
// which this test finds decoders in the source. The test fails for a decoder without a row.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = EBB_SOURCE_DIR;
const fs::path kFuzz = kRoot / "tests" / "fuzz";

struct Row {
  std::set<std::string> targets{};
  std::string via{};     // what the targets include in the decoder's place
  std::string reason{};  // why there is no target
};

std::string read(const fs::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string without_comments(const std::string& source) {
  std::string code;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) code += line.substr(0, line.find("//")) + '\n';
  return code;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

template <std::size_t N>
bool has_any(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

// "parse" begins parse_lease, but not parser.
bool is_decoding_name(std::string_view name) {
  constexpr std::array<std::string_view, 11> kNames = {
      "parse", "decode",    "read",      "take",           "feed",         "split",
      "cut",   "negotiate", "unescaped", "percent_decode", "open_envelope"};
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view begin) {
    return name == begin || (name.starts_with(begin) && name[begin.size()] == '_');
  });
}

// Rule 1.
bool declares_decoder(std::string_view header) {
  constexpr std::array<std::string_view, 10> kInputs = {
      "string_view", "std::string&", "Bytes&",       "padded_string", "HttpReply&",
      "Answer&",     "JsonValue&",   "json::value&", "json::object&", "json::array&"};
  for (std::size_t open = 0; (open = header.find('(', open)) != std::string_view::npos; ++open) {
    std::size_t begin = open;
    while (begin > 0 && is_word(header[begin - 1])) --begin;
    const std::string_view parameters = header.substr(open, header.find(')', open) - open);
    if (is_decoding_name(header.substr(begin, open - begin)) && has_any(parameters, kInputs)) {
      return true;
    }
  }
  return false;
}

// Rule 2.
bool uses_parser(std::string_view source) {
  constexpr std::array<std::string_view, 28> kParsers = {
      "json::parse(",  "json::parser",     "json::stream_parser",
      "dom::parser",   "ondemand::parser", "YAML::Load",
      "YAML::Parser",  "WireReader",       "RawJsonCursor",
      "raw_member(",   "end_of_value(",    "from_chars(",
      "strtol(",       "strtoll(",         "strtoul(",
      "strtoull(",     "strtod(",          "std::sto",
      "inet_pton(",    "PEM_read",         "d2i_",
      "basic_parser",  "curl_url_",        "sscanf(",
      "istringstream", "X509_parse",       "inflate(",
      "EVP_Decode"};
  return has_any(source, kParsers);
}

bool is_decoder(const fs::path& file) {
  const std::string source = without_comments(read(file));
  return (file.extension() == ".h" && declares_decoder(source)) || uses_parser(source);
}

// "net/reply_head" of src/net/client/reply_head.cc
std::string name_of(const fs::path& file) {
  return fs::relative(file, kRoot / "src").replace_extension("");
}

std::set<std::string> find_decoders() {
  std::set<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src")) {
    const fs::path& file = entry.path();
    const std::string name = name_of(file);
    const bool is_source = file.extension() == ".cc" || file.extension() == ".h";
    if (!is_source || name.ends_with("_test") || name.starts_with("sim/")) continue;
    if (is_decoder(file)) found.insert(name);
  }
  return found;
}

std::map<std::string, Row> read_table() {
  static const std::regex kRow(
      R"(^(\S+) +(-|[a-z0-9_]+(?:, [a-z0-9_]+)*)(?: +via (\S+)| +(.+))?$)");
  static const std::regex kWord("[a-z0-9_]+");
  std::map<std::string, Row> table;
  std::istringstream lines(read(kFuzz / "decoders.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::smatch parts;
    if (!std::regex_match(line, parts, kRow)) {
      ADD_FAILURE() << "decoders.txt: cannot read: " << line;
      continue;
    }
    Row row{.via = parts[3], .reason = parts[4]};
    const std::string targets = parts[2];
    for (auto word = std::sregex_iterator(targets.begin(), targets.end(), kWord);
         word != std::sregex_iterator(); ++word) {
      row.targets.insert(word->str());
    }
    EXPECT_TRUE(table.emplace(parts[1], row).second) << parts[1] << " has two rows";
  }
  return table;
}

std::set<std::string> find_targets() {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(kFuzz)) {
    const std::string name = entry.path().filename();
    constexpr std::string_view kEnding = "_fuzz.cc";
    if (name.ends_with(kEnding)) found.insert(name.substr(0, name.size() - kEnding.size()));
  }
  return found;
}

TEST(Decoders, EachHasARowThatNamesItsFuzzTarget) {
  const auto table = read_table();
  const auto decoders = find_decoders();
  EXPECT_GT(decoders.size(), 100U) << "the rule finds too little";
  for (const std::string& decoder : decoders) {
    EXPECT_TRUE(table.contains(decoder))
        << "src/" << decoder << " reads bytes from outside: write a fuzz target for it and add a "
        << "row to tests/fuzz/decoders.txt";
  }
}

// decoders.txt says what each of them means.
constexpr std::string_view kDecodesNothing = "decodes nothing";
constexpr std::array<std::string_view, 6> kReasons = {"the command line",       "compiled in",
                                                      "ebb's own output",       "decoded before",
                                                      "the system's own files", kDecodesNothing};

TEST(Decoders, AFileWithoutATargetHasOneOfAFewReasons) {
  for (const auto& [name, row] : read_table()) {
    if (!row.targets.empty()) continue;
    EXPECT_NE(std::find(kReasons.begin(), kReasons.end(), row.reason), kReasons.end())
        << name << " needs a fuzz target; this is no reason to have none: " << row.reason;
    if (row.reason != kDecodesNothing) continue;
    for (const char* suffix : {".h", ".cc"}) {
      const fs::path file = kRoot / "src" / (name + suffix);
      EXPECT_FALSE(uses_parser(without_comments(read(file)))) << file << " uses a parser";
    }
  }
}

TEST(Decoders, EveryRowIsAboutAFileThatExists) {
  for (const auto& [name, row] : read_table()) {
    const std::string path = kRoot / "src" / name;
    EXPECT_TRUE(fs::exists(path + ".h") || fs::exists(path + ".cc")) << name;
    EXPECT_NE(row.targets.empty(), row.reason.empty())
        << name << " has neither a target nor a reason to have none, or both";
  }
}

// Either the decoder's own header, or that of the file through which it is called.
TEST(Decoders, TargetsIncludeWhatTheyTest) {
  for (const auto& [name, row] : read_table()) {
    for (const std::string& target : row.targets) {
      const std::string source = read(kFuzz / (target + "_fuzz.cc"));
      const auto includes = [&](const std::string& header) {
        return source.find("#include \"" + header + ".h\"") != std::string::npos;
      };
      EXPECT_TRUE(includes(name) || (!row.via.empty() && includes(row.via)))
          << target << "_fuzz.cc does not include what it is to test: " << name;
    }
  }
}

TEST(Decoders, EveryTargetHasARowAndACorpus) {
  std::set<std::string> named;
  for (const auto& [name, row] : read_table()) named.insert(row.targets.begin(), row.targets.end());
  const auto targets = find_targets();
  EXPECT_EQ(named, targets);
  for (const std::string& target : targets) {
    const fs::path corpus = kFuzz / "corpus" / target;
    EXPECT_TRUE(fs::is_directory(corpus) && !fs::is_empty(corpus)) << corpus;
  }
}

// The rule itself: what it must find, and what it must not.
TEST(Decoders, AreFoundByTheRule) {
  EXPECT_TRUE(declares_decoder("Result<Page> read_page(std::string_view body);"));
  EXPECT_TRUE(declares_decoder("void take_head_line(\n    std::string_view line, Reply& reply);"));
  EXPECT_TRUE(declares_decoder("std::optional<Lease> parse_lease(const Bytes& body);"));
  EXPECT_FALSE(declares_decoder("Nanoseconds read_clock();"));
  EXPECT_FALSE(declares_decoder("std::string encode(std::string_view text);"));
  EXPECT_TRUE(uses_parser("auto value = json::parse(text, error);"));
  EXPECT_TRUE(uses_parser("std::from_chars(begin, end, number);"));
  EXPECT_FALSE(uses_parser("auto text = json::serialize(value);"));
  EXPECT_TRUE(is_decoder(kRoot / "src/control/cache/watch_stream.h"));
  EXPECT_FALSE(is_decoder(kRoot / "src/base/deadline_queue.h"));
}

}  // namespace
