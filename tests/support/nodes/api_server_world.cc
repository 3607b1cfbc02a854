#include "support/nodes/api_server_world.h"

#include <utility>

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"

namespace ebb::testing {
namespace {

using apiserver::Reply;
using model::ObjectEvent;
using schema::text_at;

std::string collection(const schema::Kind& kind) {
  return kind.group.empty() ? fmt::format("/api/{}/{}", kind.version, kind.plural)
                            : fmt::format("/apis/{}/{}/{}", kind.group, kind.version, kind.plural);
}

model::ApiRequest get(const schema::Kind& kind, std::string query) {
  return {.method = model::Method::kGet,
          .path = collection(kind),
          .query = std::move(query),
          .accept = "application/json"};
}

}  // namespace

ApiServerWorld::ApiServerWorld(Timestamp start)
    : world({[this](const auto& request, Timestamp now) { return handle(request, now); },
             [this](Timestamp now) { return take_events(now); }},
            start),
      server_(apiserver::Settings{}) {
  server_.bootstrap(start);
  publish(start);
  for (const schema::Kind& kind : schema::kinds()) {
    streams_.push_back(
        {.kind = &kind, .cursor = {}, .revision = std::to_string(server_.published())});
  }
}

void ApiServerWorld::add(std::unique_ptr<model::Component> component) {
  components_.push_back(std::move(component));
  std::vector<ObjectEvent> existing;
  for (const schema::Kind& kind : schema::kinds()) {
    for (auto& object : list(kind.plural)) {
      existing.push_back({ObjectEvent::Type::kAdded, &kind, std::move(object)});
    }
  }
  world.add(*components_.back(), existing);
}

std::vector<std::shared_ptr<const boost::json::object>> ApiServerWorld::list(
    std::string_view plural) {
  std::vector<std::shared_ptr<const boost::json::object>> objects;
  for (const schema::Kind& kind : schema::kinds()) {
    if (kind.plural != plural) continue;
    const Reply reply = server_.handle(get(kind, ""), world.now());
    EXPECT_EQ(reply.response.code, 200);
    const auto body = boost::json::parse(reply.response.body.str()).as_object();
    for (const auto& item : *schema::array_at(body, {"items"})) {
      objects.push_back(std::make_shared<const boost::json::object>(item.as_object()));
    }
  }
  return objects;
}

std::shared_ptr<const boost::json::object> ApiServerWorld::find(std::string_view plural,
                                                                std::string_view name) {
  for (auto& each : list(plural)) {
    if (text_at(*each, {"metadata", "name"}) == name) return each;
  }
  return nullptr;
}

model::ApiResponse ApiServerWorld::handle(const model::ApiRequest& request, Timestamp now) {
  model::ApiRequest received = request;
  received.received = now;
  Reply reply = server_.handle(received, now);
  publish(now);
  return std::move(reply.response);
}

void ApiServerWorld::publish(Timestamp now) {
  for (const apiserver::Change& change : server_.take_staged()) {
    server_.publish(change.revision, now);
  }
}

std::vector<ObjectEvent> ApiServerWorld::take_events(Timestamp now) {
  std::vector<ObjectEvent> events;
  for (Stream& stream : streams_) {
    // A watch that has run its time is taken up again where it ended.
    for (int attempts = 0; attempts < 3 && !follow(stream, events, now); ++attempts) {
      stream.cursor.reset();
    }
  }
  return events;
}

bool ApiServerWorld::follow(Stream& stream, std::vector<ObjectEvent>& events, Timestamp now) {
  if (stream.cursor == nullptr) {
    const auto request =
        get(*stream.kind,
            fmt::format("watch=1&allowWatchBookmarks=true&resourceVersion={}", stream.revision));
    stream.cursor = server_.handle(request, now).watch;
    EXPECT_NE(stream.cursor, nullptr);
  }
  for (;;) {
    const apiserver::Frames frames = server_.follow(*stream.cursor, now, 1U << 20U);
    const std::string text = frames.bytes.str();
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      const auto event = boost::json::parse(text.substr(start, end - start)).as_object();
      start = end + 1;
      const std::string_view type = text_at(event, {"type"});
      const boost::json::object& object = *schema::object_at(event, {"object"});
      EXPECT_NE(type, "ERROR") << text;
      stream.revision = text_at(object, {"metadata", "resourceVersion"});
      if (type == "BOOKMARK" || type == "ERROR") continue;
      ObjectEvent::Type meaning = ObjectEvent::Type::kModified;
      if (type == "ADDED") meaning = ObjectEvent::Type::kAdded;
      if (type == "DELETED") meaning = ObjectEvent::Type::kDeleted;
      events.push_back({meaning, stream.kind, std::make_shared<const boost::json::object>(object)});
    }
    if (frames.ended) return false;
    if (!frames.more) return true;
  }
}

}  // namespace ebb::testing
