#include "support/control/controller_scene.h"

#include <algorithm>
#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "base/deadline_queue.h"
#include "model/api/method_name.h"
#include "model/api/requests.h"
#include "model/api/status.h"
#include "schema/core/json.h"
#include "support/objects/pods.h"

namespace ebb::testing {
namespace {

namespace json = boost::json;
using control::Answer;
using control::Resource;
using model::Method;

constexpr std::string_view kPods = "/api/v1/namespaces/shop/pods";
constexpr std::string_view kSets = "/apis/apps/v1/namespaces/shop/replicasets";

json::object parse(std::string_view text) {
  json::value value = json::parse(text);
  return std::move(value.as_object());
}

void merge(json::object& into, const json::object& from) {
  for (const auto& field : from) into[field.key()] = field.value();
}

// What follows the namespace in a path: `pods/a`.
std::string words(const model::ApiRequest& request) {
  std::string_view path = request.path;
  constexpr std::string_view kNamespace = "/namespaces/shop/";
  if (const auto at = path.find(kNamespace); at != std::string_view::npos) {
    path.remove_prefix(at + kNamespace.size());
  }
  return fmt::format("{} {}", model::method_name(request.method), path);
}

std::optional<Resource> resource_of(const schema::Kind& kind) {
  if (kind.plural == "pods") return Resource::kPods;
  if (kind.plural == "replicasets") return Resource::kReplicaSets;
  if (kind.plural == "deployments") return Resource::kDeployments;
  if (kind.plural == "downscalepolicies") return Resource::kPolicies;
  if (kind.plural == "nodes") return Resource::kNodes;
  if (kind.plural == "podgroupcosts") return Resource::kGroupCosts;
  if (kind.plural == "downscaledecisions") return Resource::kDecisions;
  return std::nullopt;
}

}  // namespace

ControllerScene::ControllerScene(MakeController make, control::Safeguards safeguards,
                                 model::FeatureGates gates)
    : now{.wall = kNow, .mono = Timestamp::from_seconds(5'000)},
      make_(make),
      safeguards_(safeguards),
      server_(apiserver::Settings{}) {
  server_.bootstrap(now.wall);
  request(Method::kPost, "/api/v1/namespaces",
          R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"shop"}})", 201);
  restart(gates);
}

void ControllerScene::restart(model::FeatureGates gates) {
  controller_.reset();
  sent_.clear();
  unseen_.clear();
  store = std::make_unique<control::Store>();
  controller_ = make_({.store = *store,
                       .sink = *this,
                       .telemetry = *this,
                       .gates = gates,
                       .pickers = limits,
                       .protobuf = protobuf},
                      safeguards_);
  store->listen(*controller_);
  for (const auto& [path, text] : there_) {
    const auto& kind = *schema::find_kind(std::string(schema::text_at(parse(text), {"apiVersion"})),
                                          std::string_view(schema::text_at(parse(text), {"kind"})));
    if (const auto resource = resource_of(kind)) {
      EBB_CHECK(store->upsert(*resource, control::Store::Format::kJson, text).has_value());
    }
  }
  for (const auto resource :
       {Resource::kPods, Resource::kReplicaSets, Resource::kDeployments, Resource::kPolicies,
        Resource::kNodes, Resource::kGroupCosts, Resource::kDecisions}) {
    store->advance(resource, server_.published());
  }
}

model::ApiResponse ControllerScene::handle(const model::ApiRequest& request) {
  model::ApiResponse response = server_.handle(request, now.wall).response;
  for (apiserver::Change& change : server_.take_staged()) {
    const std::string path = model::object_path(*change.kind, {change.namespace_name, change.name});
    if (change.deleted) {
      there_.erase(path);
    } else {
      there_[path] = change.json.text;
    }
    server_.publish(change.revision, now.wall);
    if (resource_of(*change.kind)) unseen_.push_back(std::move(change));
  }
  return response;
}

ControllerScene::Object ControllerScene::request(Method method, std::string path, std::string body,
                                                 int code) {
  model::ApiRequest made{.method = method,
                         .path = std::move(path),
                         .content_type = method == Method::kPatch ? "application/merge-patch+json"
                                                                  : "application/json",
                         .accept = "application/json",
                         .body = std::move(body)};
  const model::ApiResponse response = handle(made);
  if (code != 0) {
    EXPECT_EQ(response.code, code) << words(made) << ": " << response.body.str();
  }
  return parse(response.body.str());
}

ControllerScene::Object ControllerScene::create_set(std::string_view name, int replicas,
                                                    std::string_view spec,
                                                    std::string_view metadata) {
  json::object set = parse(fmt::format(
      R"({{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{{"name":"{0}"}},"spec":{{
           "replicas":{1},"selector":{{"matchLabels":{{"app":"{0}"}}}},
           "template":{{"metadata":{{"labels":{{"app":"{0}"}}}},
                        "spec":{{"containers":[{{"name":"c","image":"i"}}]}}}}}}}})",
      name, replicas));
  merge(set["spec"].as_object(), parse(spec));
  merge(set["metadata"].as_object(), parse(metadata));
  return request(Method::kPost, std::string(kSets), json::serialize(set), 201);
}

void ControllerScene::create_pod(std::string_view name, const PodWords& words) {
  json::object pod = parse(fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}","labels":{{"app":"{}"}},
           "annotations":{},"finalizers":{}}},
           "spec":{{"nodeName":"{}","containers":[{{"name":"c","image":"i"}}]}}}})",
      name, words.app, words.annotations, words.finalizers, words.node));
  if (!words.owner.empty()) {
    const Object owner = get(fmt::format("{}/{}", kSets, words.owner));
    pod["metadata"].as_object()["ownerReferences"] =
        json::array{json::object{{"apiVersion", "apps/v1"},
                                 {"kind", "ReplicaSet"},
                                 {"name", words.owner},
                                 {"uid", schema::text_at(owner, {"metadata", "uid"})},
                                 {"controller", true},
                                 {"blockOwnerDeletion", true}}};
  }
  request(Method::kPost, std::string(kPods), json::serialize(pod), 201);
  const Timestamp since =
      Timestamp::from_nanoseconds(now.wall.since_epoch_ns() - words.ready_for_ns);
  patch(fmt::format("{}/{}/status", kPods, name),
        fmt::format(R"({{"status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"{}",
                        "lastTransitionTime":"{}"}}]}}}})",
                    words.ready ? "True" : "False", model::time_text(since)));
}

void ControllerScene::make_ready(std::string_view pod) {
  patch(
      fmt::format("{}/{}/status", kPods, pod),
      fmt::format(R"({{"status":{{"phase":"Running","conditions":[{{"type":"Ready","status":"True",
                        "lastTransitionTime":"{}"}}]}}}})",
                  model::time_text(now.wall)));
}

void ControllerScene::scale(std::string_view set, int replicas) {
  patch(fmt::format("{}/{}", kSets, set), fmt::format(R"({{"spec":{{"replicas":{}}}}})", replicas));
}

void ControllerScene::patch(std::string path, std::string_view merge_patch) {
  request(Method::kPatch, std::move(path), std::string(merge_patch), 200);
}

void ControllerScene::delete_pod(std::string_view name, int grace_seconds) {
  request(Method::kDelete, fmt::format("{}/{}", kPods, name),
          fmt::format(R"({{"gracePeriodSeconds":{}}})", grace_seconds), 200);
}

std::vector<std::string> ControllerScene::pods() const {
  std::vector<std::string> names;
  for (const auto& [path, text] : there_) {
    if (!path.starts_with(kPods)) continue;
    const Object pod = parse(text);
    if (schema::text_at(pod, {"metadata", "deletionTimestamp"}).empty()) {
      names.emplace_back(schema::text_at(pod, {"metadata", "name"}));
    }
  }
  return names;
}

ControllerScene::Object ControllerScene::get(std::string path) {
  return request(Method::kGet, std::move(path));
}

std::string ControllerScene::status(std::string_view set, std::string_view field) {
  const Object object = get(fmt::format("{}/{}", kSets, set));
  const json::value* value = schema::lookup(object, {"status", field});
  if (value == nullptr) return {};
  return value->is_string() ? std::string(value->get_string()) : json::serialize(*value);
}

void ControllerScene::tell(const apiserver::Change& change) {
  const Resource resource = *resource_of(*change.kind);
  constexpr auto kJson = control::Store::Format::kJson;
  const auto told = change.deleted ? store->remove(resource, kJson, change.json.text)
                                   : store->upsert(resource, kJson, change.json.text);
  EXPECT_TRUE(told.has_value()) << (told ? "" : told.error().message);
  store->advance(resource, change.revision);
}

void ControllerScene::see_next() {
  const apiserver::Change change = std::move(unseen_.front());
  unseen_.pop_front();
  tell(change);
}

void ControllerScene::see_all() {
  while (!unseen_.empty()) see_next();
  store->tidy();
}

void ControllerScene::see(Resource resource) {
  std::deque<apiserver::Change> others;
  for (const apiserver::Change& change : std::exchange(unseen_, {})) {
    if (*resource_of(*change.kind) == resource) {
      tell(change);
    } else {
      others.push_back(change);
    }
  }
  unseen_ = std::move(others);
}

std::vector<std::string> ControllerScene::calls() const {
  std::vector<std::string> all;
  for (const Sent& sent : sent_) all.push_back(words(sent.request));
  return all;
}

std::size_t ControllerScene::count_calls(std::string_view beginning) const {
  return static_cast<std::size_t>(std::count_if(sent_.begin(), sent_.end(), [&](const Sent& sent) {
    return words(sent.request).starts_with(beginning);
  }));
}

const ControllerScene::Sent& ControllerScene::call(std::string_view beginning) const {
  const auto found = std::find_if(sent_.begin(), sent_.end(), [&](const Sent& sent) {
    return words(sent.request).starts_with(beginning);
  });
  EBB_CHECK(found != sent_.end());
  return *found;
}

ControllerScene::Sent ControllerScene::take(std::string_view beginning) {
  const auto found = sent_.begin() + (&call(beginning) - sent_.data());
  Sent sent = std::move(*found);
  sent_.erase(found);
  return sent;
}

void ControllerScene::answer(const Sent& sent, const Answer& answer) {
  controller_->answered(sent.id, answer, now);
}

// Those that are there now; what comes as a consequence is not meant.
void ControllerScene::for_each(std::string_view beginning,
                               const std::function<void(const Sent&)>& act) {
  std::size_t meant = count_calls(beginning);
  EXPECT_GT(meant, 0U) << "no call " << beginning;
  while (meant-- > 0) act(take(beginning));
  run();
}

void ControllerScene::carry_out(std::string_view beginning) {
  for_each(beginning, [&](const Sent& sent) {
    answer(sent, {.outcome = Answer::Outcome::kAnswered, .response = handle(sent.request)});
  });
}

void ControllerScene::carry_out_first(std::string_view beginning) {
  const Sent sent = take(beginning);
  answer(sent, {.outcome = Answer::Outcome::kAnswered, .response = handle(sent.request)});
  run();
}

void ControllerScene::refuse(std::string_view beginning, int code, std::string_view message,
                             std::string_view cause) {
  model::Status status;
  status.code = code;
  status.message = message;
  if (!cause.empty()) status.causes.push_back({std::string(cause), {}, {}});
  for_each(beginning, [&](const Sent& sent) {
    model::ApiResponse response;
    response.code = code;
    response.body = model::Bytes(json::serialize(status.to_json()));
    answer(sent, {.outcome = Answer::Outcome::kAnswered, .response = response});
  });
}

void ControllerScene::answer_with(std::string_view beginning, std::string_view body) {
  for_each(beginning, [&](const Sent& sent) {
    model::ApiResponse response;
    response.body = model::Bytes(std::string(body));
    answer(sent, {.outcome = Answer::Outcome::kAnswered, .response = response});
  });
}

void ControllerScene::lose_before(std::string_view beginning) {
  for_each(beginning,
           [&](const Sent& sent) { answer(sent, {.outcome = Answer::Outcome::kUnknown}); });
}

void ControllerScene::lose_after(std::string_view beginning) {
  for_each(beginning, [&](const Sent& sent) {
    static_cast<void>(handle(sent.request));
    answer(sent, {.outcome = Answer::Outcome::kUnknown});
  });
}

void ControllerScene::drop_unsent(std::string_view beginning) {
  for_each(beginning,
           [&](const Sent& sent) { answer(sent, {.outcome = Answer::Outcome::kNotSent}); });
}

void ControllerScene::withdraw_unwanted() {
  std::vector<Sent> unwanted;
  std::erase_if(sent_, [&](const Sent& sent) {
    if (!is_write(sent.kind) || controller_->still_wants(sent.id)) return false;
    unwanted.push_back(sent);
    return true;
  });
  for (const Sent& sent : unwanted) answer(sent, {.outcome = Answer::Outcome::kNotSent});
  run();
}

model::ApiRequest ControllerScene::lose_first(std::string_view beginning) {
  Sent sent = take(beginning);
  answer(sent, {.outcome = Answer::Outcome::kUnknown});
  return std::move(sent.request);
}

void ControllerScene::reply(const picker::Reply& reply) {
  ASSERT_FALSE(picker_requests.empty());
  controller_->picker_replied(picker_requests.back().id, reply, now);
  run();
}

void ControllerScene::picker_answers(const std::vector<std::string>& chosen,
                                     const std::vector<std::string>& tied) {
  const auto outcome =
      chosen.empty() && tied.empty() ? picker::Outcome::kEmpty : picker::Outcome::kAnswered;
  reply({.outcome = outcome, .answer = {.chosen = chosen, .tied = tied}});
}

void ControllerScene::run() { controller_->run(now); }

void ControllerScene::pass_time(Nanoseconds ns) {
  const Timestamp end = later_by(now.mono, ns);
  const auto move_to = [&](Timestamp time) {
    now.wall = later_by(now.wall, elapsed_ns(now.mono, time));
    now.mono = time;
  };
  run();
  for (Timestamp next = controller_->wake_at(); !next.is_zero() && next <= end;
       next = controller_->wake_at()) {
    if (next > now.mono) move_to(next);
    run();
  }
  move_to(end);
}

void ControllerScene::settle() {
  for (int round = 0; round < 10'000; ++round) {
    see_all();
    run();
    if (!sent_.empty()) {
      carry_out();
    } else if (unseen_.empty()) {
      const Timestamp wake = controller_->wake_at();
      if (wake.is_zero() || elapsed_ns(now.mono, wake) > 60 * kSecond) return;
      pass_time(std::max<Nanoseconds>(0, elapsed_ns(now.mono, wake)));
    }
  }
  ADD_FAILURE() << "it does not settle";
}

void ControllerScene::settle_but_for_timers() {
  for (int round = 0; round < 10'000; ++round) {
    see_all();
    run();
    const Timestamp wake = controller_->wake_at();
    if (!sent_.empty()) {
      carry_out();
    } else if (unseen_.empty() && (wake.is_zero() || wake > now.mono)) {
      return;
    }
  }
  ADD_FAILURE() << "it does not settle";
}

std::int64_t ControllerScene::counted(control::Count what) const {
  const auto found = counts_.find(what);
  return found == counts_.end() ? 0 : found->second;
}

std::vector<std::string> ControllerScene::messages(std::string_view reason) const {
  std::vector<std::string> all;
  for (const Told& told : events) {
    if (told.reason == reason) all.push_back(told.message);
  }
  return all;
}

control::CallId ControllerScene::send(control::Call::Kind kind, model::ApiRequest request) {
  history.push_back(words(request));
  sent_.push_back({next_call_, kind, std::move(request)});
  return next_call_++;
}

void ControllerScene::record_event(control::Event event, Now) {
  EXPECT_EQ(event.namespace_name, "shop");
  EXPECT_FALSE(event.uid.empty());
  events.push_back({.reason = std::move(event.reason),
                    .message = std::move(event.message),
                    .component = std::string(event.component),
                    .warning = event.warning});
}

void ControllerScene::count(control::Count what, std::string_view label, std::int64_t by) {
  counts_[what] += by;
  if (!label.empty()) labelled[std::string(label)] += by;
}

void ControllerScene::observe(control::Histogram what, std::string_view, double value) {
  if (what == control::Histogram::kDeletionAgeRatio) age_ratios.push_back(value);
}

}  // namespace ebb::testing
