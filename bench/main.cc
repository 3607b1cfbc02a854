// `make bench`: ratios from one run, each printed with its aim. Nothing fails here. Names of
// groups as arguments select these groups.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <string_view>
#include <vector>

#include "base/memory.h"
#include "bench/measure.h"

namespace {

struct Group {
  std::string_view name;
  void (*run)();
};

constexpr std::array kGroups{
    Group{"select", ebb::bench::run_select_benchmarks},
    Group{"ranking", ebb::bench::run_ranking_benchmarks},
    Group{"ranker", ebb::bench::run_ranker_benchmarks},
    Group{"turns", ebb::bench::run_ranker_turn_benchmarks},
    Group{"decode", ebb::bench::run_decode_benchmarks},
    Group{"apiserver", ebb::bench::run_apiserver_benchmarks},
    Group{"cluster", ebb::bench::run_cluster_benchmarks},
    Group{"picker", ebb::bench::run_picker_benchmarks},
    Group{"webhook", ebb::bench::run_webhook_benchmarks},
};

bool is_group(std::string_view name) {
  return std::any_of(kGroups.begin(), kGroups.end(),
                     [&](const Group& group) { return group.name == name; });
}

int explain(std::string_view unknown) {
  std::fprintf(stderr, "no group \"%.*s\"; there are:", static_cast<int>(unknown.size()),
               unknown.data());
  for (const Group& group : kGroups) {
    std::fprintf(stderr, " %.*s", static_cast<int>(group.name.size()), group.name.data());
  }
  std::fprintf(stderr, "\n");
  return 2;
}

void run(const std::vector<std::string_view>& wanted) {
  for (const Group& group : kGroups) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), group.name) != wanted.end()) {
      group.run();
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string_view> wanted(arguments + 1, arguments + count);
  for (const std::string_view name : wanted) {
    if (!is_group(name)) return explain(name);
  }
  ebb::keep_freed_memory();  // as the program does
  try {
    run(wanted);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "ebb_bench: %s\n", problem.what());
    return 1;
  }
}
