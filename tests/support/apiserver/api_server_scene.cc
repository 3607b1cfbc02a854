#include "support/apiserver/api_server_scene.h"

#include <charconv>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"

namespace ebb::testing {

namespace json = boost::json;
using apiserver::Reply;
using model::ApiRequest;
using model::Method;

namespace {

ApiRequest request(Method method, std::string_view target, std::string_view body = "") {
  const std::size_t question = target.find('?');
  ApiRequest made;
  made.method = method;
  made.path = target.substr(0, question);
  if (question != std::string_view::npos) made.query = target.substr(question + 1);
  made.content_type = "application/json";
  made.accept = "application/json";
  made.body = body;
  return made;
}

}  // namespace

json::value ApiServerScene::Answer::at(std::string_view path) const {
  const json::value* here = &body;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view step = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    if (const json::object* object = here->if_object()) {
      here = object->if_contains(step);
    } else if (const json::array* array = here->if_array()) {
      std::size_t index = 0;
      std::from_chars(step.data(), step.data() + step.size(), index);
      here = index < array->size() ? &(*array)[index] : nullptr;
    } else {
      here = nullptr;
    }
    if (here == nullptr) return nullptr;
  }
  return *here;
}

std::string ApiServerScene::Answer::text(std::string_view path) const {
  const json::value found = at(path);
  if (found.is_string()) return std::string(found.get_string());
  return json::serialize(found);
}

ApiServerScene::ApiServerScene(const apiserver::Settings& settings) : server(settings) {
  server.bootstrap(now);
  for (const apiserver::Change& change : server.take_staged()) server.publish(change.revision, now);
}

ApiServerScene::Answer ApiServerScene::send(ApiRequest request) {
  request.received = now;
  constexpr int kMaxRuns = 100;
  Reply reply = server.handle(request, now);
  for (runs = 1; reply.session && runs < kMaxRuns; ++runs) {
    EXPECT_TRUE(server.take_staged().empty()) << "staged before webhooks were asked";
    const auto session = reply.session;
    for (const apiserver::WebhookQuestion& question : session->questions) {
      session->answers.insert_or_assign(question, webhook(question));
    }
    reply = server.handle(request, now, session);
  }
  if (publishes) {
    for (const apiserver::Change& change : server.take_staged()) {
      server.publish(change.revision, now);
    }
  }
  Answer answer;
  answer.code = reply.response.code;
  answer.warnings = reply.response.warnings;
  json::error_code error;
  answer.body = json::parse(reply.response.body.str(), error);
  return answer;
}

ApiServerScene::Answer ApiServerScene::get(std::string_view target, std::string_view accept) {
  ApiRequest made = request(Method::kGet, target);
  made.accept = accept;
  return send(std::move(made));
}
ApiServerScene::Answer ApiServerScene::post(std::string_view target, std::string_view body) {
  return send(request(Method::kPost, target, body));
}
ApiServerScene::Answer ApiServerScene::put(std::string_view target, std::string_view body) {
  return send(request(Method::kPut, target, body));
}
ApiServerScene::Answer ApiServerScene::patch(std::string_view target, std::string_view type,
                                             std::string_view body) {
  ApiRequest made = request(Method::kPatch, target, body);
  made.content_type = fmt::format("application/{}+json", type);
  return send(std::move(made));
}
ApiServerScene::Answer ApiServerScene::remove(std::string_view target, std::string_view body) {
  return send(request(Method::kDelete, target, body));
}

std::shared_ptr<apiserver::WatchCursor> ApiServerScene::watch(std::string_view target) {
  ApiRequest made = request(Method::kGet, target);
  made.received = now;
  const Reply reply = server.handle(made, now);
  EXPECT_TRUE(reply.watch) << reply.response.body.str();
  return reply.watch;
}

std::vector<json::object> ApiServerScene::raw_events(apiserver::WatchCursor& cursor) {
  std::vector<json::object> found;
  bool more = true;
  while (more) {
    const apiserver::Frames frames = server.follow(cursor, now, 1 << 16);
    more = frames.more && !frames.ended;
    const std::string text = frames.bytes.str();
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = text.find('\n', start);
      found.push_back(json::parse(text.substr(start, end - start)).as_object());
      start = end + 1;
    }
  }
  return found;
}

std::vector<std::string> ApiServerScene::events(apiserver::WatchCursor& cursor) {
  std::vector<std::string> lines;
  for (const json::object& event : raw_events(cursor)) {
    const json::object& object = *schema::object_at(event, {"object"});
    std::string line(schema::text_at(event, {"type"}));
    for (const std::string_view field : {"name", "resourceVersion"}) {
      const std::string_view value = schema::text_at(object, {"metadata", field});
      if (!value.empty()) line += fmt::format(" {}", value);
    }
    if (const auto code = schema::integer_at(object, {"code"})) line += fmt::format(" {}", *code);
    lines.push_back(std::move(line));
  }
  return lines;
}

void ApiServerScene::pass_seconds(std::int64_t seconds) {
  now = Timestamp::from_nanoseconds(now.since_epoch_ns() + seconds * kNanosecondsPerSecond);
}

std::string pod_json(std::string_view name, std::string_view labels) {
  return fmt::format(R"({{"kind":"Pod","apiVersion":"v1","metadata":{{"name":"{}","labels":{}}},)"
                     R"("spec":{{"containers":[{{"name":"app","image":"app:1"}}]}}}})",
                     name, labels);
}

std::string replica_set_json(std::string_view name, int replicas) {
  return fmt::format(R"({{"kind":"ReplicaSet","apiVersion":"apps/v1","metadata":{{"name":"{0}"}},)"
                     R"("spec":{{"replicas":{1},"selector":{{"matchLabels":{{"app":"{0}"}}}},)"
                     R"("template":{{"metadata":{{"labels":{{"app":"{0}"}}}},)"
                     R"("spec":{{"containers":[{{"name":"app","image":"app:1"}}]}}}}}}}})",
                     name, replicas);
}

std::string config_map_json(std::string_view name, std::string_view value) {
  return fmt::format(R"({{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"{}"}},)"
                     R"("data":{{"value":"{}"}}}})",
                     name, value);
}

}  // namespace ebb::testing
