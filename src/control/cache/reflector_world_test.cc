// Reflectors on the real API server without HTTP: whatever is written, and however streams are
// cut, broken or delayed, the store ends up with the server's state.
#include <map>
#include <random>
#include <string>
#include <vector>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/deadline_queue.h"
#include "control/cache/reflector.h"
#include "schema/core/json.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using schema::text_at;
using testing::ApiServerScene;

// Records the changes, and checks that revisions never go back.
struct Told : StoreListener {
  void pod_changed(const Change<Pod>& change) override {
    if (change.after == nullptr) {
      EXPECT_EQ(pods.erase(name_of(*change.before)), 1U);
      return;
    }
    EXPECT_TRUE(change.before == nullptr || change.before->revision < change.after->revision);
    EXPECT_EQ(pods.contains(name_of(*change.after)), change.before != nullptr);
    pods[name_of(*change.after)] = change.after->revision;
  }
  static std::string name_of(const Pod& pod) {
    return fmt::format("{}/{}/{}", pod.namespace_name.view(), pod.name.view(), pod.uid.view());
  }
  std::map<std::string, std::uint64_t> pods;
};

struct Counted : Telemetry {
  void count(Count what, std::string_view /*label*/, std::int64_t by) override {
    counts[what] += by;
  }
  void logged(Severity severity, int /*verbosity*/, std::string_view text,
              std::span<const Field> /*fields*/) override {
    EXPECT_NE(severity, Severity::kError) << text;
  }
  std::map<Count, std::int64_t> counts;
};

class World {
 public:
  World(std::uint64_t seed, bool protobuf, bool streams)
      : streams_(streams),
        random_(seed),
        served_({.seed = seed, .history_bytes = 6000}),
        reflector_({.resource = Resource::kPods, .protobuf = protobuf, .seed = seed}, store_,
                   counted) {
    store_.listen(told_);
  }

  void step() {
    write();
    served_.pass_seconds(static_cast<std::int64_t>(below(10) == 0 ? 30 : 1));
    for (auto i = below(4); i > 0; --i) move(true);
    store_.tidy();
  }

  // No more faults and writes: everything must arrive.
  void settle() {
    for (int i = 0; i < 300; ++i) {
      served_.pass_seconds(1);
      move(false);
    }
  }

  void expect_equal() {
    std::map<std::string, std::uint64_t> expected;
    const json::value items = served_.get("/api/v1/pods").at("items");
    for (const json::value& item : items.as_array()) {
      const json::object& pod = item.as_object();
      expected[fmt::format("{}/{}/{}", text_at(pod, {"metadata", "namespace"}),
                           text_at(pod, {"metadata", "name"}), text_at(pod, {"metadata", "uid"}))] =
          std::stoull(std::string(text_at(pod, {"metadata", "resourceVersion"})));
    }
    std::map<std::string, std::uint64_t> held;
    store_.each_pod_in("default", [&](const Pod& pod) { held[Told::name_of(pod)] = pod.revision; });
    EXPECT_EQ(held, expected);
    EXPECT_EQ(told_.pods, expected);
    EXPECT_EQ(store_.pods(), expected.size());
    EXPECT_TRUE(reflector_.synced());
  }

  Counted counted;

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  [[nodiscard]] Now now() const { return {served_.now, served_.now}; }

  void write() {
    const std::string name = fmt::format("p{}", below(8));
    const std::string path = "/api/v1/namespaces/default/pods/" + name;
    switch (below(3)) {
      case 0:
        served_.post("/api/v1/namespaces/default/pods", testing::pod_json(name));
        break;
      case 1:
        served_.patch(path, "application/merge-patch+json",
                      fmt::format(R"({{"metadata":{{"labels":{{"x":"{}"}}}}}})", below(1000)));
        break;
      default:
        served_.remove(path, R"({"gracePeriodSeconds":0})");
        break;
    }
  }

  void end(Answer::Outcome outcome) {
    cursor_.reset();
    Answer answer;
    answer.outcome = outcome;
    reflector_.answered(answer, now());
  }

  void move(bool faults) {
    if (auto wanted = reflector_.take_wanted(now())) return send(std::move(*wanted), faults);
    if (cursor_ == nullptr) return;
    if (reflector_.wants_cancel()) {
      cursor_.reset();
      return reflector_.cancelled(now());
    }
    if (faults && below(12) == 0) return end(Answer::Outcome::kUnknown);
    auto frames = served_.server.follow(*cursor_, served_.now, 1 + below(5000));
    deliver(frames.bytes.str(), faults);
    if (cursor_ != nullptr && frames.ended) end(Answer::Outcome::kEnded);
  }

  void send(Reflector::Wanted wanted, bool faults) {
    if (faults && below(8) == 0) return end(Answer::Outcome::kNotSent);
    if (faults && below(8) == 0) return end(Answer::Outcome::kUnknown);
    Answer answer;
    if (!streams_ && wanted.request.query.find("sendInitialEvents") != std::string::npos) {
      answer.response.code = 422;
      return reflector_.answered(answer, now());
    }
    // Small pages, so that lists have several.
    if (const auto at = wanted.request.query.find("limit=500"); at != std::string::npos) {
      wanted.request.query.replace(at, 9, "limit=2");
    }
    const auto reply = served_.server.handle(wanted.request, served_.now);
    if (reply.watch != nullptr) {
      cursor_ = reply.watch;
      return;
    }
    answer.response = reply.response;
    reflector_.answered(answer, now());
  }

  // In pieces, or only the beginning of it.
  void deliver(std::string text, bool faults) {
    std::string_view left = text;
    while (!left.empty()) {
      const std::size_t size = 1 + below(std::min<std::uint64_t>(left.size(), 700));
      reflector_.received(left.substr(0, size), now());
      left.remove_prefix(size);
      if (faults && below(60) == 0) return end(Answer::Outcome::kUnknown);
    }
  }

  bool streams_;
  std::mt19937_64 random_;
  ApiServerScene served_;
  Store store_;
  Told told_;
  Reflector reflector_;
  std::shared_ptr<apiserver::WatchCursor> cursor_;
};

void run(bool protobuf, bool streams) {
  std::map<Count, std::int64_t> counts;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    World world(seed, protobuf, streams);
    for (int i = 0; i < 300; ++i) world.step();
    world.settle();
    world.expect_equal();
    if (::testing::Test::HasFailure()) return;
    for (const auto& [what, count] : world.counted.counts) counts[what] += count;
  }
  // The rare ways were taken.
  EXPECT_GT(counts[Count::kRelists], 10);
  EXPECT_GT(counts[Count::kWatches], 100);
  EXPECT_GT(counts[Count::kWatchErrors], 100);
  EXPECT_EQ(counts[Count::kStreamingListRefused] > 0, !streams);
}

TEST(ReflectorWorld, EndsWithWhatTheServerHasFromStreamingListsInJson) { run(false, true); }
TEST(ReflectorWorld, EndsWithWhatTheServerHasFromStreamingListsInProtobuf) { run(true, true); }
TEST(ReflectorWorld, EndsWithWhatTheServerHasFromPagesInJson) { run(false, false); }
TEST(ReflectorWorld, EndsWithWhatTheServerHasFromPagesInProtobuf) { run(true, false); }

}  // namespace
}  // namespace ebb::control
