// The small parts: durations, amounts, addresses, tolerations, deadlines, tables.
#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "hollow/addresses.h"
#include "hollow/duration.h"
#include "hollow/pod_table.h"
#include "hollow/repeatable_random.h"
#include "hollow/resources.h"
#include "hollow/shared_values.h"
#include "hollow/taints.h"

namespace ebb::hollow {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

TEST(Duration, IsReadAsGoWritesIt) {
  EXPECT_EQ(parse_duration("30s"), 30 * kSecond);
  EXPECT_EQ(parse_duration("1m30s"), 90 * kSecond);
  EXPECT_EQ(parse_duration("1.5h"), 5400 * kSecond);
  EXPECT_EQ(parse_duration("250ms"), 250 * kMs);
  EXPECT_EQ(parse_duration("0"), 0);
  for (const char* text : {"", "30", "s", "-5s", "5 s", "5d", "1..5s", ".", "9999999h", "5s3"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(Amount, CountsThousandthsOfCpuAndWholeBytes) {
  EXPECT_EQ(parse_amount("cpu", "500m"), 500);
  EXPECT_EQ(parse_amount("cpu", "2"), 2000);
  EXPECT_EQ(parse_amount("cpu", "0.1"), 100);
  EXPECT_EQ(parse_amount("memory", "16Gi"), 16LL << 30);
  EXPECT_EQ(parse_amount("memory", "1k"), 1000);
  EXPECT_EQ(parse_amount("pods", "110"), 110);
  EXPECT_EQ(parse_amount("cpu", "lots"), std::nullopt);
  EXPECT_EQ(parse_amount("cpu", ""), std::nullopt);
}

TEST(Requests, AreTheContainersOrTheLargestInitContainer) {
  const auto pod = boost::json::parse(R"({"spec": {
    "overhead": {"cpu": "10m"},
    "initContainers": [
      {"resources": {"requests": {"cpu": "1"}}},
      {"restartPolicy": "Always", "resources": {"requests": {"cpu": "100m"}}},
      {"resources": {"requests": {"memory": "1Gi"}}}],
    "containers": [
      {"resources": {"requests": {"cpu": "300m", "memory": "1Mi", "example.com/gpu": "2"}}},
      {"resources": {"requests": {"cpu": "300m"}}}]}})");
  const Resources requests = read_requests(pod.as_object());
  EXPECT_EQ(requests.cpu_milli, 1010);
  EXPECT_EQ(requests.memory_bytes, 1LL << 30);
  EXPECT_EQ(requests.pods, 1);
  EXPECT_EQ(requests.other("example.com/gpu"), 2);
}

TEST(AddressPool, GivesEachAddressOnceAndTheOldestFirst) {
  AddressPool pool(*parse_address("10.0.0.1"), 3);
  pool.mark(*parse_address("10.0.0.2"));
  EXPECT_EQ(address_text(*pool.take()), "10.0.0.1");
  EXPECT_EQ(address_text(*pool.take()), "10.0.0.3");
  EXPECT_EQ(pool.take(), std::nullopt);
  pool.release(*parse_address("10.0.0.1"));
  EXPECT_EQ(address_text(*pool.take()), "10.0.0.1");
  for (const char* text :
       {"", "10.0.0", "10.0.0.256", "10.0.0.1.2", "a.b.c.d", "10.0.0.1 ", "10.0.0.01"}) {
    EXPECT_EQ(parse_address(text), std::nullopt) << text;
  }
}

TEST(Toleration, MatchesAsKubernetesDoes) {
  const Taint taint{.key = "gpu", .value = "yes", .effect = "NoSchedule"};
  EXPECT_TRUE((Toleration{.key = "gpu", .value = "yes"}.tolerates(taint)));
  EXPECT_TRUE((Toleration{.key = "gpu", .exists = true}.tolerates(taint)));
  EXPECT_TRUE((Toleration{.exists = true}.tolerates(taint)));
  EXPECT_TRUE((Toleration{.exists = true, .effect = "NoSchedule"}.tolerates(taint)));
  EXPECT_FALSE((Toleration{.exists = true, .effect = "NoExecute"}.tolerates(taint)));
  EXPECT_FALSE((Toleration{.key = "gpu", .value = "no"}.tolerates(taint)));
  EXPECT_FALSE((Toleration{.key = "cpu", .exists = true}.tolerates(taint)));
  EXPECT_FALSE((Toleration{.value = "yes"}.tolerates(taint)));
}

TEST(Eviction, ComesWithTheFirstTolerationThatRunsOut) {
  const Timestamp since = Timestamp::from_seconds(1000);
  const std::vector<Taint> taints{{.key = "a", .value = {}, .effect = "NoExecute"},
                                  {.key = "b", .value = {}, .effect = "NoSchedule"}};
  EXPECT_EQ(eviction_time(taints, {}, since), since);
  const Toleration forever{.key = "a", .exists = true};
  const Toleration minute{.key = "a", .exists = true, .seconds = 60};
  EXPECT_TRUE(eviction_time(taints, {&forever, 1}, since).is_zero());
  EXPECT_EQ(eviction_time(taints, {&minute, 1}, since), Timestamp::from_seconds(1060));
}

TEST(DeadlineQueue, KeepsOneDeadlineForEachKeyAndGoesByTimeThenKey) {
  DeadlineQueue<int> deadlines;
  deadlines.set(3, Timestamp::from_seconds(5));
  deadlines.set(1, Timestamp::from_seconds(5));
  deadlines.set(2, Timestamp::from_seconds(9));
  deadlines.set(2, Timestamp::from_seconds(4));
  EXPECT_EQ(deadlines.next(), Timestamp::from_seconds(4));
  EXPECT_EQ(deadlines.take_due(Timestamp::from_seconds(5), 2), (std::vector<int>{2, 1}));
  EXPECT_EQ(deadlines.take_due(Timestamp::from_seconds(5), 2), (std::vector<int>{3}));
  EXPECT_TRUE(deadlines.next().is_zero());
}

TEST(Luck, IsTheSameForTheSameSeedAndStaysInRange) {
  const DelayRange range{.min_ns = 10, .max_ns = 20};
  std::set<Nanoseconds> seen;
  for (std::uint64_t purpose = 0; purpose < 200; ++purpose) {
    const Nanoseconds drawn = draw(range, random_of(1, "uid"), purpose);
    EXPECT_EQ(drawn, draw(range, random_of(1, "uid"), purpose));
    EXPECT_GE(drawn, 10);
    EXPECT_LE(drawn, 20);
    seen.insert(drawn);
  }
  EXPECT_EQ(seen.size(), 11U);
  EXPECT_NE(random_of(1, "uid"), random_of(2, "uid"));
}

TEST(PodTable, DistinguishesAPodFromItsReplacementByUid) {
  const auto object = [](const char* uid) {
    return boost::json::object{{"metadata", {{"name", "a"}, {"namespace", "shop"}, {"uid", uid}}}};
  };
  const model::ObjectName name{.namespace_name = "shop", .name = "a"};
  PodTable<KnownPod> pods;
  EXPECT_EQ(pods.find(name), nullptr);
  KnownPod& first = pods.add(object("1"));
  EXPECT_EQ(pods.find(object("1")), &first);
  EXPECT_EQ(pods.find(object("2")), nullptr);
  EXPECT_EQ(pods.find(name), &first);
  const PodSerial old = first.serial;
  pods.erase(first);
  const KnownPod& second = pods.add(object("2"));
  EXPECT_EQ(pods.find(old), nullptr);  // what refers to the first pod does not find the second
  EXPECT_EQ(pods.find(second.serial), &second);
  EXPECT_EQ(pods.find(object("2")), &second);
}

TEST(SharedValues, ForgetsAValueWithItsLastHolder) {
  SharedValues<std::string> values;
  auto one = values.share("a");
  auto two = values.share("a");
  EXPECT_EQ(one, two);
  values.release(std::move(one));
  EXPECT_EQ(values.size(), 1U);
  values.release(std::move(two));
  EXPECT_EQ(values.size(), 0U);
}

}  // namespace
}  // namespace ebb::hollow
