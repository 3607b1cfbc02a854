#include "cluster/hosts/in_process_host.h"

#include <atomic>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/mutex.h"
#include "cluster/server/clock.h"
#include "schema/core/json.h"

namespace ebb::cluster {
namespace {

using model::Component;
using model::Effect;
using model::EffectId;
using model::Method;
using model::ObjectEvent;

// Records the actions of a component, for a test that waits on another thread.
class Diary {
 public:
  void note(const std::string& line) {
    const MutexLock lock(mutex_);
    lines_.insert(line);
    changed_.notify_all();
  }
  [[nodiscard]] bool wait_for(const std::string& line) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    const MutexLock lock(mutex_);
    while (!lines_.contains(line)) {
      if (!changed_.wait_until(mutex_, end)) return lines_.contains(line);
    }
    return true;
  }
  [[nodiscard]] bool has(const std::string& line) {
    const MutexLock lock(mutex_);
    return lines_.contains(line);
  }

 private:
  Mutex mutex_;
  ConditionVariable changed_;
  std::set<std::string> lines_ EBB_GUARDED_BY(mutex_);
};

ApiRequest create_map(const std::string& name) {
  ApiRequest request;
  request.method = Method::kPost;
  request.path = "/api/v1/namespaces/default/configmaps";
  request.content_type = "application/json";
  request.body =
      fmt::format(R"({{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{}"}}}})", name);
  return request;
}

// Copies each ConfigMap once, and wants to be woken once.
class Copier : public Component {
 public:
  explicit Copier(Diary& diary) : diary_(diary) {}

  [[nodiscard]] std::string_view name() const override { return "copier"; }
  [[nodiscard]] std::vector<const schema::Kind*> watched() const override {
    return {schema::find_kind("", "v1", "configmaps"), schema::find_kind("", "v1", "namespaces")};
  }
  void observe(const ObjectEvent& event, Timestamp /*now*/) override {
    const std::string name(schema::text_at(*event.object, {"metadata", "name"}));
    const bool deleted = event.type == ObjectEvent::Type::kDeleted;
    diary_.note(fmt::format("{}{} {}", synced_ ? "" : "at first ", deleted ? "gone" : "saw", name));
    if (deleted || event.kind->name != "ConfigMap" || name.ends_with("-copy")) return;
    effects_.push_back({++last_id_, create_map(name + "-copy")});
    names_[last_id_] = name;
  }
  void synced(Timestamp now) override {
    synced_ = true;
    diary_.note("synced");
    wake_at_ = Timestamp::from_nanoseconds(now.since_epoch_ns() + 1'000'000);
  }
  void answered(EffectId id, const ApiResponse& response, Timestamp /*now*/) override {
    diary_.note(fmt::format("copied {}: {}", names_.at(id), response.code));
  }
  void wake(Timestamp now) override {
    if (wake_at_.is_zero() || now < wake_at_) return;
    wake_at_ = {};
    diary_.note("woken");
  }
  [[nodiscard]] std::vector<Effect> take_effects() override { return std::exchange(effects_, {}); }
  [[nodiscard]] Timestamp wake_at() const override { return wake_at_; }

 private:
  Diary& diary_;
  std::vector<Effect> effects_;
  std::map<EffectId, std::string> names_;
  EffectId last_id_ = 0;
  Timestamp wake_at_;
  bool synced_ = false;
};

TEST(InProcessHost, FeedMachinesAndDoWhatTheyWant) {
  auto started = LiveServer::start({}, std::nullopt);
  ASSERT_TRUE(started);
  LiveServer& server = **started;
  ASSERT_EQ(server.ask(create_map("old")).code, 201);

  Diary first;
  Diary second;
  std::vector<std::unique_ptr<Component>> components;
  components.push_back(std::make_unique<Copier>(first));
  components.push_back(std::make_unique<Copier>(second));
  InProcessHost in_process_host(server, std::move(components));
  in_process_host.wait_until_settled();
  for (Diary* diary : {&first, &second}) {
    EXPECT_TRUE(diary->has("at first saw old"));
    EXPECT_TRUE(diary->has("at first saw kube-system"));
    EXPECT_TRUE(diary->has("synced"));
    EXPECT_TRUE(diary->wait_for("woken"));
  }
  // Both wanted to make the copy, and each got its own answer.
  EXPECT_TRUE(first.has("copied old: 201"));
  EXPECT_TRUE(second.has("copied old: 409"));

  ASSERT_EQ(server.ask(create_map("new")).code, 201);
  EXPECT_TRUE(first.wait_for("saw new"));
  EXPECT_TRUE(first.wait_for("copied new: 201"));
  EXPECT_TRUE(second.wait_for("saw new-copy"));
  ApiRequest remove;
  remove.method = Method::kDelete;
  remove.path = "/api/v1/namespaces/default/configmaps/new";
  EXPECT_EQ(server.ask(remove).code, 200);
  EXPECT_TRUE(second.wait_for("gone new"));
}

TEST(InProcessHost, StopWhileThereIsSomethingToDo) {
  auto started = LiveServer::start({}, std::nullopt);
  ASSERT_TRUE(started);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ((*started)->ask(create_map(fmt::format("m{}", i))).code, 201);
  }
  Diary diary;
  std::vector<std::unique_ptr<Component>> components;
  components.push_back(std::make_unique<Copier>(diary));
  InProcessHost in_process_host(**started, std::move(components));
  in_process_host.stop();
  in_process_host.wait_until_settled();  // does not wait for what will never happen
}

}  // namespace
}  // namespace ebb::cluster
