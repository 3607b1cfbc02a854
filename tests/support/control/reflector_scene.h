// A reflector of pods whose API server is the test itself.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "control/cache/reflector.h"

namespace ebb::testing::reflecting {

using control::Answer;
using control::Call;
using control::Count;
using control::Pod;
using control::Reflector;
using control::Resource;
using control::Severity;
using control::Store;
using control::Telemetry;
using Outcome = Answer::Outcome;
using Texts = std::vector<std::string>;

inline constexpr const char* kStreamingList =
    "stream /api/v1/pods?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
    "&allowWatchBookmarks=true";
inline constexpr const char* kFirstPage = "read /api/v1/pods?limit=500";

inline std::string watch_from(int revision) {
  return fmt::format("stream /api/v1/pods?watch=true&resourceVersion={}&allowWatchBookmarks=true",
                     revision);
}

inline std::string pod(std::string_view name, int revision) {
  return fmt::format(R"({{"kind":"Pod","metadata":{{"name":"{0}","namespace":"shop","uid":"u-{0}",)"
                     R"("resourceVersion":"{1}"}}}})",
                     name, revision);
}

inline std::string event(std::string_view type, const std::string& object) {
  return fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object);
}

inline std::string bookmark(int revision, bool ends_list = false) {
  return event(
      "BOOKMARK",
      fmt::format(R"({{"kind":"Pod","metadata":{{"resourceVersion":"{}"{}}}}})", revision,
                  ends_list ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : ""));
}

inline std::string expired() {
  return event("ERROR", R"({"kind":"Status","code":410,"reason":"Expired","message":"too old"})");
}

inline std::string page(int revision, const std::vector<std::string>& items,
                        std::string_view token = "") {
  return fmt::format(R"({{"metadata":{{"resourceVersion":"{}","continue":"{}"}},"items":[{}]}})",
                     revision, token, fmt::join(items, ","));
}

struct Heard : Telemetry {
  void logged(Severity severity, int /*verbosity*/, std::string_view text,
              std::span<const control::Field> /*fields*/) override {
    if (severity == Severity::kError) errors.emplace_back(text);
  }
  void count(Count what, std::string_view label, std::int64_t by) override {
    EXPECT_EQ(label, "pods");
    counts[what] += by;
  }
  std::map<Count, std::int64_t> counts;
  Texts errors;
};

struct ReflectorTest : ::testing::Test {
  // The request that it sends now, without the random timeout, or `wait` and the duration.
  std::string ask() {
    const auto wanted = reflector.take_wanted(now);
    if (!wanted) {
      if (reflector.wake_at().is_zero()) return "nothing";
      waited_s = static_cast<double>(elapsed_ns(now.mono, reflector.wake_at())) / 1e9;
      now.mono = reflector.wake_at();
      return "wait";
    }
    EXPECT_EQ(wanted->request.method, model::Method::kGet);
    EXPECT_GT(wanted->deadline_ns, 0);
    accept = wanted->request.accept;
    std::string query = wanted->request.query;
    if (const auto at = query.find("&timeoutSeconds="); at != std::string::npos) {
      const int seconds = std::stoi(query.substr(at + 16));
      EXPECT_GE(seconds, 300);
      EXPECT_LT(seconds, 600);
      query.resize(at);
    }
    return fmt::format("{} {}?{}", wanted->kind == Call::Kind::kStream ? "stream" : "read",
                       wanted->request.path, query);
  }
  void hear(std::string_view bytes) { reflector.received(bytes, now); }
  void answer(int code, std::string body = "", int retry_after = 0) {
    Answer made;
    made.response.code = code;
    made.response.body = Bytes(std::move(body));
    made.response.retry_after_seconds = retry_after;
    reflector.answered(made, now);
  }
  void over(Outcome outcome) {
    Answer made;
    made.outcome = outcome;
    reflector.answered(made, now);
  }
  void pass(double seconds) {
    now.mono = Timestamp::from_nanoseconds(now.mono.since_epoch_ns() +
                                           static_cast<Nanoseconds>(seconds * 1e9));
  }
  // Brings it to a watch from revision 10, with the pods a and b.
  void sync() {
    ASSERT_EQ(ask(), kStreamingList);
    hear(event("ADDED", pod("a", 7)) + event("ADDED", pod("b", 3)) + bookmark(10, true));
    ASSERT_TRUE(reflector.synced());
  }
  Texts names() {
    Texts found;
    for (const char* name : {"a", "b", "c", "d"}) {
      const Pod* held = store.pod("shop", name);
      if (held != nullptr) found.push_back(fmt::format("{}@{}", name, held->revision));
    }
    return found;
  }

  Store store;
  Heard heard;
  Reflector reflector{{.resource = Resource::kPods, .protobuf = true, .seed = 3}, store, heard};
  Now now{Timestamp::from_seconds(1'790'000'000), Timestamp::from_seconds(1000)};
  std::string accept;
  double waited_s = 0;
};

}  // namespace ebb::testing::reflecting
