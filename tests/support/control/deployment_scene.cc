#include "support/control/deployment_scene.h"

#include <algorithm>

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "control/deployment/deployment_view.h"
#include "schema/core/json.h"
#include "support/control/carry_out.h"

namespace ebb::testing {

namespace json = boost::json;
using control::Answer;
using control::Resource;
using model::Method;

namespace {

std::string path_of(std::string_view target) {
  const std::string_view group = target.starts_with("pods") ? "/api/v1" : "/apis/apps/v1";
  return fmt::format("{}/namespaces/default/{}", group, target);
}

std::string summary(const model::ApiRequest& request) {
  constexpr std::string_view kMethods[] = {"GET", "POST", "PUT", "PATCH", "DELETE"};
  constexpr std::string_view kBefore = "/namespaces/default/";
  const std::size_t start = request.path.find(kBefore);
  return fmt::format("{} {}", kMethods[static_cast<std::size_t>(request.method)],
                     request.path.substr(start + kBefore.size()));
}

json::object expect_object(const ApiServerScene::Answer& answer) {
  EXPECT_LT(answer.code, 300) << answer.message();
  return answer.body.is_object() ? answer.body.get_object() : json::object();
}

}  // namespace

DeploymentScene::DeploymentScene(const model::FeatureGates& gates) { restart(gates); }

void DeploymentScene::restart(const model::FeatureGates& gates) {
  waiting_.clear();
  controller_.reset();
  store_ = std::make_unique<control::Store>();
  controller_ = control::make_deployment_controller({*store_, *this, *this, gates});
  store_->listen(*controller_);
  feeds_ = {
      {Resource::kPods, api.watch("/api/v1/pods?watch=true&allowWatchBookmarks=true")},
      {Resource::kReplicaSets, api.watch("/apis/apps/v1/replicasets?watch=true")},
      {Resource::kDeployments, api.watch("/apis/apps/v1/deployments?watch=true")},
  };
  if (!blind) watch();
}

json::object DeploymentScene::create(std::string_view plural, std::string_view text) {
  return expect_object(api.post(path_of(plural), text));
}

json::object DeploymentScene::edit(std::string_view target, std::string_view merge_patch) {
  api.pass_seconds(1);
  return expect_object(api.patch(path_of(target), "merge-patch", merge_patch));
}

json::object DeploymentScene::read(std::string_view target) {
  return expect_object(api.get(path_of(target)));
}

void DeploymentScene::remove(std::string_view target) {
  EXPECT_LT(api.remove(path_of(target)).code, 300);
}

std::vector<json::object> DeploymentScene::sets() {
  std::vector<json::object> found;
  const ApiServerScene::Answer list = api.get(path_of("replicasets"));
  for (const json::value& item : list.body.at("items").as_array()) {
    found.push_back(item.as_object());
  }
  std::sort(found.begin(), found.end(), [](const json::object& a, const json::object& b) {
    using control::deployments::read_set;
    return older(read_set(a), read_set(b));
  });
  return found;
}

std::string DeploymentScene::sizes() {
  std::string text;
  for (const json::object& set : sets()) {
    if (!text.empty()) text += ' ';
    text += std::to_string(*schema::integer_at(set, {"spec", "replicas"}));
  }
  return text;
}

std::string DeploymentScene::set_name(std::size_t index) {
  return std::string(schema::text_at(sets().at(index), {"metadata", "name"}));
}

std::string DeploymentScene::condition(std::string_view type, std::string_view deployment) {
  const json::object object = read(fmt::format("deployments/{}", deployment));
  const json::array* conditions = schema::array_at(object, {"status", "conditions"});
  if (conditions == nullptr) return {};
  for (const json::value& each : *conditions) {
    const json::object& condition = each.as_object();
    if (schema::text_at(condition, {"type"}) != type) continue;
    return fmt::format("{} {}", schema::text_at(condition, {"status"}),
                       schema::text_at(condition, {"reason"}));
  }
  return {};
}

void DeploymentScene::set_status(std::string_view set, std::int64_t replicas,
                                 std::int64_t available) {
  const std::string target = fmt::format("replicasets/{}", set);
  json::object object = read(target);
  json::object& status = schema::ensure_object(object, {"status"});
  status["replicas"] = replicas;
  status["fullyLabeledReplicas"] = replicas;
  status["readyReplicas"] = available;
  status["availableReplicas"] = available;
  status["terminatingReplicas"] = 0;
  status["observedGeneration"] = *schema::integer_at(object, {"metadata", "generation"});
  expect_object(api.put(path_of(target + "/status"), json::serialize(object)));
}

void DeploymentScene::settle(std::int64_t max_available) {
  for (const json::object& set : sets()) {
    const std::int64_t replicas = *schema::integer_at(set, {"spec", "replicas"});
    set_status(schema::text_at(set, {"metadata", "name"}), replicas,
               std::min(replicas, max_available));
  }
}

void DeploymentScene::watch() {
  for (Feed& feed : feeds_) {
    if (blind_to_sets && feed.resource == Resource::kReplicaSets) continue;
    for (const json::object& event : api.raw_events(*feed.cursor)) {
      const std::string_view type = schema::text_at(event, {"type"});
      const json::object& object = *schema::object_at(event, {"object"});
      model::Revision revision = 0;
      if (type == "BOOKMARK") {
        revision =
            std::stoull(std::string(schema::text_at(object, {"metadata", "resourceVersion"})));
      } else {
        const std::string text = json::serialize(object);
        const auto result =
            type == "DELETED" ? store_->remove(feed.resource, control::Store::Format::kJson, text)
                              : store_->upsert(feed.resource, control::Store::Format::kJson, text);
        ASSERT_TRUE(result) << result.error().message;
        revision = *result;
      }
      store_->advance(feed.resource, revision);
    }
  }
}

bool DeploymentScene::answer_next() {
  if (waiting_.empty()) return false;
  auto [id, request] = std::move(waiting_.front());
  waiting_.pop_front();
  if (before_each) before_each(request);
  const Fate what = fate ? fate(request) : Fate::kCarriedOut;
  Answer answer{.outcome = Answer::Outcome::kUnknown};
  if (what == Fate::kCarriedOut || what == Fate::kAnswerLost) {
    Answer real = carry_out(api, request);
    if (what == Fate::kCarriedOut) answer = std::move(real);
  }
  if (what == Fate::kServerFails) answer = answer_of(500);
  controller_->answered(id, answer, now());
  return true;
}

void DeploymentScene::run() {
  for (int turns = 0; turns < 10'000; ++turns) {
    if (!blind) watch();
    const Timestamp wake = controller_->wake_at();
    const bool due = !wake.is_zero() && wake <= now().mono;
    if (due) controller_->run(now());
    if (!answer_next() && !due) return;
  }
  ADD_FAILURE() << "the controller does not come to rest";
}

void DeploymentScene::pass_seconds(std::int64_t seconds) {
  for (std::int64_t i = 0; i < seconds; ++i) {
    api.pass_seconds(1);
    run();
  }
}

void DeploymentScene::roll(const std::function<void()>& check) {
  for (int turns = 0; turns < 200; ++turns) {
    const std::size_t before = requests.size();
    run();
    check();
    settle();
    run();
    if (requests.size() == before) return;
  }
  ADD_FAILURE() << "the rollout does not come to an end";
}

std::size_t DeploymentScene::written() const {
  return static_cast<std::size_t>(
      std::count_if(calls.begin(), calls.end(),
                    [](const std::string& call) { return !call.starts_with("GET"); }));
}

std::int64_t DeploymentScene::counted(control::Count what) const {
  const auto found = counts_.find(what);
  return found == counts_.end() ? 0 : found->second;
}

control::CallId DeploymentScene::send(control::Call::Kind kind, model::ApiRequest request) {
  EXPECT_EQ(kind == control::Call::Kind::kRead, request.method == Method::kGet);
  calls.push_back(summary(request));
  requests.push_back(request);
  waiting_.emplace_back(++last_, std::move(request));
  return last_;
}

void DeploymentScene::record_event(control::Event event, Now /*now*/) {
  EXPECT_EQ(event.component, "deployment-controller");
  events.push_back(
      fmt::format("{} {} {}", event.warning ? "Warning" : "Normal", event.reason, event.message));
}

void DeploymentScene::count(control::Count what, std::string_view /*label*/, std::int64_t by) {
  counts_[what] += by;
}

std::string deployment_json(int replicas, std::string_view more, std::string_view image) {
  return fmt::format(R"({{"kind":"Deployment","apiVersion":"apps/v1","metadata":{{"name":"web"}},)"
                     R"("spec":{{"replicas":{},"selector":{{"matchLabels":{{"app":"web"}}}},)"
                     R"("template":{{"metadata":{{"labels":{{"app":"web"}}}},)"
                     R"("spec":{{"containers":[{{"name":"app","image":"{}"}}]}}}}{}{}}}}})",
                     replicas, image, more.empty() ? "" : ",", more);
}

std::string image_patch(std::string_view image) {
  return fmt::format(R"({{"spec":{{"template":{{"spec":{{"containers":)"
                     R"([{{"name":"app","image":"{}"}}]}}}}}}}})",
                     image);
}

}  // namespace ebb::testing
