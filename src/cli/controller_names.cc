#include "cli/controller_names.h"

#include <array>

#include <fmt/format.h>

namespace ebb::cli {
namespace {

struct Named {
  std::string_view name;
  std::string_view alias;
  bool ChosenControllers::*member;
};
constexpr std::array kControllers = {
    Named{"replicaset", "replicaset-controller", &ChosenControllers::replica_sets},
    Named{"deployment", "deployment-controller", &ChosenControllers::deployments},
    Named{"ranker", "ranker-controller", &ChosenControllers::ranker},
};

const Named* find(std::string_view name) {
  for (const Named& known : kControllers) {
    if (name == known.name || name == known.alias) return &known;
  }
  return nullptr;
}

}  // namespace

std::string ChosenControllers::names() const {
  std::string names;
  for (const Named& known : kControllers) {
    if (!(this->*known.member)) continue;
    if (!names.empty()) names += ',';
    names += known.name;
  }
  return names;
}

Result<ChosenControllers> parse_controllers(std::string_view text) {
  ChosenControllers chosen;
  ChosenControllers excluded;
  while (!text.empty()) {
    const auto comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (word == "*") {
      for (const Named& known : kControllers) chosen.*known.member = true;
      continue;
    }
    const bool minus = word.starts_with('-');
    const Named* known = find(minus ? word.substr(1) : word);
    if (known == nullptr) {
      return fail(ErrorCode::kUsage,
                  fmt::format("--controllers: unknown controller \"{}\"; there are replicaset, "
                              "deployment and ranker, * for all, and -NAME to leave one out",
                              word));
    }
    ChosenControllers& list = minus ? excluded : chosen;
    list.*known->member = true;
  }
  for (const Named& known : kControllers) {
    if (excluded.*known.member) chosen.*known.member = false;
  }
  return chosen;
}

Completion complete_controllers() {
  return {{"replicaset", "deployment", "ranker", "replicaset,deployment", "*"}, false};
}

}  // namespace ebb::cli
