// The resolver with a name server on loopback.
#include "net/client/resolver.h"

#include <cstdlib>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <poll.h>

#include "net/client/curl_loop.h"
#include "support/net/name_server.h"
#include "support/threads/guarded.h"

namespace ebb::net {
namespace {

using support::NameServer;
using Names = std::vector<std::string>;

constexpr Nanoseconds kPatience = 30 * kNanosecondsPerSecond;

template <class Condition>
bool work_until(Resolver& resolver, const Condition& done) {
  const Nanoseconds until_ns = steady_now_ns() + kPatience;
  while (!done()) {
    if (steady_now_ns() > until_ns) return false;
    pollfd ready{.fd = resolver.descriptor(), .events = POLLIN, .revents = 0};
    poll(&ready, 1, static_cast<int>(std::min<Nanoseconds>(resolver.due_in_ns() / 1'000'000, 100)));
    resolver.work();
  }
  return true;
}

// "error" if there are none.
Names resolve(Resolver& resolver, const std::string& name, bool exactly = false) {
  std::optional<Names> found;
  const auto done = [&](const Result<std::vector<IpAddress>>& addresses) {
    found = Names{};
    if (!addresses) found->push_back("error");
    if (!addresses) return;
    for (const IpAddress& address : *addresses) found->push_back(to_string(address));
  };
  exactly ? resolver.resolve_exactly(name, done) : resolver.resolve(name, done);
  if (!work_until(resolver, [&] { return found.has_value(); })) return {"never"};
  return *found;
}

TEST(Resolver, FindsAllAddressesOfAName) {
  const NameServer server([](const std::string& name) -> std::optional<Names> {
    if (name == "picker.test") return Names{"fd00::1", "10.0.0.2", "10.0.0.1", "fd00::2"};
    if (name == "only.v6.test") return Names{"fd00::3"};
    return Names{};
  });
  const auto resolver = make_resolver({.servers = server.address()});
  EXPECT_EQ(resolve(*resolver, "picker.test"),
            (Names{"10.0.0.2", "10.0.0.1", "fd00::1", "fd00::2"}));
  EXPECT_EQ(resolve(*resolver, "picker.test."),
            (Names{"10.0.0.2", "10.0.0.1", "fd00::1", "fd00::2"}));
  EXPECT_EQ(resolve(*resolver, "only.v6.test"), Names{"fd00::3"});
  EXPECT_EQ(resolve(*resolver, "no.such.test"), Names{"error"});
  EXPECT_EQ(resolve(*resolver, std::string(300, 'a')), Names{"error"});
  EXPECT_EQ(resolve(*resolver, ""), Names{"error"});
}

TEST(Resolver, FollowsNoAliasOfAnExactName) {
  const NameServer server([](const std::string& name) -> std::optional<Names> {
    if (name == "picker.shop.test") return Names{"10.0.0.1"};
    if (name == "alias.shop.test") return Names{"alias:picker.other.test", "10.0.0.2"};
    return Names{};
  });
  const auto resolver = make_resolver({.servers = server.address()});
  EXPECT_EQ(resolve(*resolver, "picker.shop.test", true), Names{"10.0.0.1"});
  EXPECT_EQ(resolve(*resolver, "alias.shop.test", false), Names{"10.0.0.2"});
  EXPECT_EQ(resolve(*resolver, "alias.shop.test.", false), Names{"10.0.0.2"});
  EXPECT_EQ(resolve(*resolver, "alias.shop.test", true), Names{"error"});
}

TEST(Resolver, SearchesNowhereElseForAnExactName) {
  support::Guarded<std::set<std::string>> asked;
  const NameServer server([&](const std::string& name) -> std::optional<Names> {
    asked.with([&](auto& names) { names.insert(name); });
    return name.ends_with(".search.test") ? Names{"10.0.0.3"} : Names{};
  });
  setenv("LOCALDOMAIN", "search.test", 1);
  const auto resolver = make_resolver({.servers = server.address()});
  unsetenv("LOCALDOMAIN");
  EXPECT_EQ(resolve(*resolver, "picker", false), Names{"10.0.0.3"});
  asked.set({});
  EXPECT_EQ(resolve(*resolver, "picker.shop.test", true), Names{"error"});
  EXPECT_EQ(resolve(*resolver, "localhost", true), Names{"error"});
  EXPECT_EQ(asked.get(), (std::set<std::string>{"picker.shop.test", "localhost"}));
}

TEST(Resolver, AsksAgainEachTime) {
  std::atomic<int> round = 0;
  const NameServer server([&](const std::string&) -> std::optional<Names> {
    return Names{round == 0 ? "10.0.0.1" : "169.254.169.254"};
  });
  const auto resolver = make_resolver({.servers = server.address()});
  EXPECT_EQ(resolve(*resolver, "rebinding.test"), Names{"10.0.0.1"});
  round = 1;
  EXPECT_EQ(resolve(*resolver, "rebinding.test"), Names{"169.254.169.254"});
}

TEST(Resolver, SharesOneLookupBetweenCallersOfTheSameName) {
  const NameServer server(
      [](const std::string&) -> std::optional<Names> { return Names{"10.0.0.1"}; });
  const auto resolver = make_resolver({.servers = server.address()});
  int answers = 0;
  for (int i = 0; i < 100; ++i) {
    resolver->resolve("picker.test", [&](const auto& found) { answers += found ? 1 : 0; });
  }
  EXPECT_TRUE(work_until(*resolver, [&] { return answers == 100; }));
  // For IPv4 and for IPv6; a busy machine may make it ask again.
  EXPECT_LE(server.questions(), 8);
}

TEST(Resolver, DoesNotLetASlowNameHoldUpOthers) {
  const NameServer server([](const std::string& name) -> std::optional<Names> {
    if (name.starts_with("slow")) return std::nullopt;
    return Names{"10.0.0.1"};
  });
  const auto resolver = make_resolver({.servers = server.address()});
  int slow = 0;
  for (int i = 0; i < 500; ++i) {
    resolver->resolve("slow" + std::to_string(i) + ".test", [&](const auto&) { ++slow; });
  }
  EXPECT_EQ(resolve(*resolver, "quick.test"), Names{"10.0.0.1"});
  EXPECT_EQ(slow, 0);
}

TEST(Resolver, AsksOnceMoreWhenAQuestionIsLost) {
  std::atomic<int> questions = 0;
  const NameServer server([&](const std::string&) -> std::optional<Names> {
    if (questions++ < 2) return std::nullopt;
    return Names{"10.0.0.1"};
  });
  const auto resolver = make_resolver({.servers = server.address()});
  EXPECT_EQ(resolve(*resolver, "lossy.test"), Names{"10.0.0.1"});
}

TEST(Resolver, RefusesMoreNamesThanItMayLookFor) {
  const NameServer server([](const std::string&) -> std::optional<Names> { return std::nullopt; });
  const auto resolver = make_resolver({.servers = server.address(), .max_names = 3});
  int refused = 0;
  for (int i = 0; i < 5; ++i) {
    resolver->resolve("name" + std::to_string(i) + ".test",
                      [&](const auto& found) { refused += found ? 0 : 1; });
  }
  EXPECT_EQ(refused, 2);
}

TEST(Resolver, CallsNoCallbackWhenItIsDestroyed) {
  const NameServer server([](const std::string&) -> std::optional<Names> { return std::nullopt; });
  bool called = false;
  {
    const auto resolver = make_resolver({.servers = server.address()});
    resolver->resolve("slow.test", [&](const auto&) { called = true; });
    resolver->work();
  }
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace ebb::net
