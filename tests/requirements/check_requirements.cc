// Checks docs/requirements.md: every numbered requirement is listed once, and every
// test it names exists, ran and passed in this very run. Tests in Python run in other stages:
// of `tests/e2e/FILE.py::NAME` it is only checked that it exists.
//
//   check_requirements docs/requirements.md build/release/test-results
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

namespace {

namespace json = boost::json;

// The seeds' requirements are numbered from 1 to these.
const std::map<std::string, int> kLast = {{"R-3189", 28}, {"R-2255", 8},  {"R-2185", 9},
                                          {"R-COST", 18}, {"R-LABEL", 5}, {"R-X", 9}};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string text_of(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

// Test names that ran, with whether they passed.
std::map<std::string, bool> read_results(const std::filesystem::path& folder) {
  std::map<std::string, bool> results;
  if (!std::filesystem::is_directory(folder)) return results;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const json::value report = json::parse(read(entry.path()));
    for (const json::value& suite : report.at("testsuites").as_array()) {
      for (const json::value& test : suite.at("testsuite").as_array()) {
        const json::object& object = test.as_object();
        if (text_of(object, "result") != "COMPLETED") continue;
        results[text_of(suite.as_object(), "name") + "." + text_of(object, "name")] =
            !object.contains("failures");
      }
    }
  }
  return results;
}

struct Requirement {
  std::string id;
  std::vector<std::string> tests;  // empty: not yet
};

// Table rows: `| R-2255-01 | what it says | `Suite.Test`, `Suite.Other` |`, or `not yet`; of
// decisions on what a proposal leaves open: `| P12 | ...`.
std::vector<Requirement> read_requirements(const std::string& text,
                                           std::vector<std::string>& problems) {
  static const std::regex kRow(R"(^\| (R-[A-Z0-9]+-\d+|P\d+) \|.*\| ([^|]*) \|$)");
  static const std::regex kName(R"(`([^`]+)`)");
  std::vector<Requirement> requirements;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch row;
    if (!std::regex_match(line, row, kRow)) {
      if (line.starts_with("| R-") || line.starts_with("| P"))
        problems.push_back("cannot read the row: " + line);
      continue;
    }
    Requirement requirement{row[1], {}};
    const std::string shown = row[2];
    for (auto name = std::sregex_iterator(shown.begin(), shown.end(), kName);
         name != std::sregex_iterator(); ++name) {
      requirement.tests.push_back((*name)[1]);
    }
    if (requirement.tests.empty() && shown != "not yet") {
      problems.push_back(requirement.id + ": names neither a test nor \"not yet\"");
    }
    requirements.push_back(std::move(requirement));
  }
  return requirements;
}

void check_complete(const std::vector<Requirement>& requirements,
                    std::vector<std::string>& problems) {
  std::multiset<std::string> ids;
  for (const Requirement& requirement : requirements) {
    if (requirement.id.starts_with("R-")) ids.insert(requirement.id);
  }
  std::size_t expected = 0;
  for (const auto& [prefix, last] : kLast) {
    for (int number = 1; number <= last; ++number, ++expected) {
      const std::string id = fmt::format("{}-{:02}", prefix, number);
      if (ids.count(id) != 1)
        problems.push_back(fmt::format("{} stands {} times", id, ids.count(id)));
    }
  }
  if (ids.size() > expected) problems.push_back("there are rows with unknown numbers");
}

bool is_in_python(const std::string& test) { return test.find(".py::") != std::string::npos; }

bool exists_in_python(const std::filesystem::path& root, const std::string& test) {
  const auto colons = test.find("::");
  const std::string text = '\n' + read(root / test.substr(0, colons));
  return text.find("\ndef " + test.substr(colons + 2) + "(") != std::string::npos;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: check_requirements REQUIREMENTS.md RESULTS-FOLDER\n";
    return 2;
  }
  std::vector<std::string> problems;
  const auto requirements = read_requirements(read(argv[1]), problems);
  check_complete(requirements, problems);
  const auto results = read_results(argv[2]);
  const auto root = std::filesystem::absolute(argv[1]).parent_path().parent_path();
  std::size_t shown = 0;
  for (const Requirement& requirement : requirements) {
    if (!requirement.tests.empty()) ++shown;
    for (const std::string& test : requirement.tests) {
      if (is_in_python(test)) {
        if (!exists_in_python(root, test)) {
          problems.push_back(fmt::format("{}: there is no test {}", requirement.id, test));
        }
        continue;
      }
      const auto result = results.find(test);
      if (result == results.end()) {
        problems.push_back(fmt::format("{}: test {} did not run", requirement.id, test));
      } else if (!result->second) {
        problems.push_back(fmt::format("{}: test {} failed", requirement.id, test));
      }
    }
  }
  for (const std::string& problem : problems) std::cerr << argv[1] << ": " << problem << '\n';
  std::cout << fmt::format("{} requirements, {} shown by tests, {} tests ran\n",
                           requirements.size(), shown, results.size());
  return problems.empty() ? 0 : 1;
}
