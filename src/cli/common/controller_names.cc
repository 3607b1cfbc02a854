#include "cli/common/controller_names.h"

#include <array>
#include <span>

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
    Named{"shadow", "shadow-controller", &ChosenControllers::shadow},
    // Last, because not every command offers it.
    Named{"garbage-collector", "garbage-collector-controller",
          &ChosenControllers::garbage_collector},
};

std::span<const Named> offered(Offer offer) {
  const std::span<const Named> all(kControllers);
  return offer == Offer::kControllersAndCollector ? all : all.first(all.size() - 1);
}

const Named* find(std::string_view name, Offer offer) {
  for (const Named& known : offered(offer)) {
    if (name == known.name || name == known.alias) return &known;
  }
  return nullptr;
}

// `replicaset, deployment, ranker and shadow`
std::string all_names(Offer offer) {
  const std::span<const Named> all = offered(offer);
  std::string names;
  for (const Named& known : all) {
    if (&known != &all.front()) names += &known == &all.back() ? " and " : ", ";
    names += known.name;
  }
  return names;
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

Result<ChosenControllers> parse_controllers(std::string_view text, Offer offer) {
  ChosenControllers chosen;
  ChosenControllers excluded;
  while (!text.empty()) {
    const auto comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (word == "*") {
      for (const Named& known : offered(offer)) chosen.*known.member = true;
      continue;
    }
    const bool minus = word.starts_with('-');
    const Named* known = find(minus ? word.substr(1) : word, offer);
    if (known == nullptr) {
      return fail(
          ErrorCode::kUsage,
          fmt::format("--controllers: unknown controller \"{}\"; choose from {}; * means all, and "
                      "-NAME all but one",
                      word, all_names(offer)));
    }
    ChosenControllers& list = minus ? excluded : chosen;
    list.*known->member = true;
  }
  for (const Named& known : kControllers) {
    if (excluded.*known.member) chosen.*known.member = false;
  }
  return chosen;
}

Completion complete_controllers(Offer offer) {
  Completion words;
  for (const Named& known : offered(offer)) words.words.emplace_back(known.name);
  words.words.insert(words.words.end(), {"replicaset,deployment", "*"});
  return words;
}

}  // namespace ebb::cli
