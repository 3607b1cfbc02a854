// Requests and answers in protobuf have the same meaning as in JSON.
#include <string>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "model/protobuf/wire_frames.h"
#include "schema/core/envelope.h"
#include "schema/protobuf/protobuf.h"
#include "schema/schemas/schemas_meta.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using model::Method;
using schema::ObjectSchema;

constexpr std::string_view kProtobuf = schema::kProtobufMediaType;
constexpr std::string_view kMetadataOnly =
    "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
constexpr std::string_view kConfigMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kSets = "/apis/apps/v1/namespaces/default/replicasets";
constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kPolicies =
    "/apis/ebb.dev/v1alpha1/namespaces/default/downscalepolicies";

class ProtobufRequests : public ::testing::Test {
 protected:
  ApiResponse send(Method method, std::string_view target, std::string body = "",
                   std::string_view accept = kProtobuf, std::string_view content_type = kProtobuf) {
    const std::size_t mark = target.find('?');
    ApiRequest request{.method = method,
                       .path = std::string(target.substr(0, mark)),
                       .content_type = std::string(content_type),
                       .accept = std::string(accept),
                       .body = std::move(body),
                       .received = served_.now};
    if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
    Reply reply = served_.server.handle(request, served_.now);
    (void)served_.server.take_staged();
    served_.server.publish(std::max(reply.after, served_.server.published()), served_.now);
    return reply.response;
  }

  static std::string encoded(const ObjectSchema& schema, std::string_view text) {
    const json::object object = json::parse(text).as_object();
    const schema::EncodedMessage message = schema::encode_message(schema, object);
    EXPECT_EQ(message.lost, "");
    return schema::in_envelope(std::string_view(object.at("apiVersion").as_string()),
                               std::string_view(object.at("kind").as_string()), message.bytes);
  }
  static std::string encoded(std::string_view text) {
    const json::object object = json::parse(text).as_object();
    return encoded(*schema::find_kind(std::string_view(object.at("apiVersion").as_string()),
                                      std::string_view(object.at("kind").as_string()))
                        ->schema,
                   text);
  }

  // The object of an answer, with kind and apiVersion.
  static json::object decoded(const ObjectSchema& schema, std::string_view bytes) {
    const auto envelope = schema::open_envelope(bytes);
    if (!envelope) throw std::runtime_error(envelope.error().message);
    auto object = schema::decode_message(schema, envelope->message);
    if (!object) throw std::runtime_error(object.error().message);
    (*object)["kind"] = envelope->kind;
    (*object)["apiVersion"] = envelope->api_version;
    return *std::move(object);
  }

  testing::ApiServerScene served_;
};

const ObjectSchema& config_map() { return *schema::find_kind("v1", "ConfigMap")->schema; }

TEST_F(ProtobufRequests, CreateAndReadAnObject) {
  const ApiResponse made =
      send(Method::kPost, kConfigMaps, encoded(testing::config_map_json("a", "1")));
  EXPECT_EQ(made.code, 201);
  EXPECT_EQ(made.content_type, kProtobuf);
  const std::string path = std::string(kConfigMaps) + "/a";
  const json::value twin = served_.get(path).body;
  EXPECT_EQ(twin.at("data").at("value"), "1");
  EXPECT_EQ(decoded(config_map(), made.body.str()), twin);
  EXPECT_EQ(decoded(config_map(), send(Method::kGet, path).body.str()), twin);

  const ApiResponse metadata = send(Method::kGet, path, "", kMetadataOnly);
  EXPECT_EQ(metadata.content_type, kProtobuf);
  EXPECT_EQ(decoded(schema::kPartialObjectMetadata, metadata.body.str()),
            served_.get(path, "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1").body);
}

TEST_F(ProtobufRequests, UpdateAnObject) {
  served_.post(kConfigMaps, testing::config_map_json("a", "1"));
  const ApiResponse updated = send(Method::kPut, std::string(kConfigMaps) + "/a",
                                   encoded(testing::config_map_json("a", "2")), "", kProtobuf);
  EXPECT_EQ(updated.code, 200);
  EXPECT_EQ(updated.content_type, "application/json");
  EXPECT_EQ(served_.get(std::string(kConfigMaps) + "/a").text("data/value"), "2");
}

TEST_F(ProtobufRequests, ListObjects) {
  served_.post(kConfigMaps, testing::config_map_json("a", "1"));
  served_.post(kConfigMaps, testing::config_map_json("b", "2"));
  const ApiResponse list = send(Method::kGet, std::string(kConfigMaps) + "?limit=1");
  const std::string body = list.body.str();
  const auto envelope = schema::open_envelope(body);
  ASSERT_TRUE(envelope);
  EXPECT_EQ(envelope->kind, "ConfigMapList");
  EXPECT_EQ(envelope->api_version, "v1");
  const auto read = model::read_list(envelope->message);
  ASSERT_TRUE(read);
  const auto twin = served_.get(std::string(kConfigMaps) + "?limit=1");
  EXPECT_EQ(read->resource_version, twin.text("metadata/resourceVersion"));
  EXPECT_EQ(read->continue_token, twin.text("metadata/continue"));
  ASSERT_EQ(read->items.size(), 1U);
  auto item = schema::decode_message(config_map(), read->items[0]);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->at("data").at("value"), "1");

  const std::string partial =
      send(Method::kGet, std::string(kConfigMaps), "", kMetadataOnly).body.str();
  const auto metadata = schema::open_envelope(partial);
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->kind, "PartialObjectMetadataList");
  const auto items = model::read_list(metadata->message);
  ASSERT_TRUE(items);
  ASSERT_EQ(items->items.size(), 2U);
  item = schema::decode_message(config_map(), items->items[1]);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->at("metadata").at("name"), "b");
  EXPECT_FALSE(item->contains("data"));
}

// Each with its type and its object, which is read by `schema`.
std::vector<json::object> events_in(std::string_view bytes, const ObjectSchema& schema) {
  std::vector<json::object> events;
  while (bytes.size() >= model::kFrameHeadBytes) {
    const std::size_t size = model::frame_bytes(bytes);
    const auto event = model::read_event(bytes.substr(model::kFrameHeadBytes, size));
    EXPECT_TRUE(event);
    const auto envelope = schema::open_envelope(event->object);
    EXPECT_TRUE(envelope);
    auto object = schema::decode_message(envelope->kind == "Status" ? schema::kStatus : schema,
                                         envelope->message);
    EXPECT_TRUE(object);
    events.push_back({{"type", event->type}, {"kind", envelope->kind}, {"object", *object}});
    bytes.remove_prefix(model::kFrameHeadBytes + size);
  }
  EXPECT_EQ(bytes, "");
  return events;
}

TEST_F(ProtobufRequests, Watch) {
  served_.post(kConfigMaps, testing::config_map_json("a", "1"));
  for (const std::string_view accept : {kProtobuf, kMetadataOnly}) {
    const bool whole = accept == kProtobuf;
    Reply reply =
        served_.server.handle({.method = Method::kGet,
                               .path = std::string(kConfigMaps),
                               .query = "watch=1&allowWatchBookmarks=1&sendInitialEvents=1&"
                                        "resourceVersionMatch=NotOlderThan",
                               .accept = std::string(accept),
                               .received = served_.now},
                              served_.now);
    ASSERT_NE(reply.watch, nullptr);
    EXPECT_EQ(reply.response.content_type, "application/vnd.kubernetes.protobuf;stream=watch");
    served_.post(kConfigMaps, testing::config_map_json(whole ? "b" : "c", "2"));
    const auto events = events_in(
        served_.server.follow(*reply.watch, served_.now, 1U << 20U).bytes.str(), config_map());
    ASSERT_GE(events.size(), 3U);
    EXPECT_EQ(events[0].at("type"), "ADDED");
    EXPECT_EQ(events[0].at("kind"), whole ? "ConfigMap" : "PartialObjectMetadata");
    EXPECT_EQ(events[0].at("object").as_object().contains("data"), whole);
    const json::object& bookmark = events[events.size() - 2];
    EXPECT_EQ(bookmark.at("type"), "BOOKMARK");
    EXPECT_EQ(
        bookmark.at("object").at("metadata").at("annotations").at("k8s.io/initial-events-end"),
        "true");
    EXPECT_EQ(events.back().at("object").at("metadata").at("name"), whole ? "b" : "c");
  }
}

TEST_F(ProtobufRequests, AWatchReportsThatItsRevisionExpired) {
  testing::ApiServerScene short_lived({.history_age_ns = 1, .history_bytes = 1});
  Reply reply = short_lived.server.handle({.method = Method::kGet,
                                           .path = std::string(kConfigMaps),
                                           .query = "watch=1",
                                           .accept = std::string(kProtobuf),
                                           .received = short_lived.now},
                                          short_lived.now);
  ASSERT_NE(reply.watch, nullptr);
  for (int i = 0; i < 4; ++i) {
    short_lived.post(kConfigMaps, testing::config_map_json("a" + std::to_string(i), "1"));
    short_lived.remove(std::string(kConfigMaps) + "/a" + std::to_string(i));
    short_lived.pass_seconds(1000);
  }
  const auto events =
      events_in(short_lived.server.follow(*reply.watch, short_lived.now, 1U << 20U).bytes.str(),
                config_map());
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].at("type"), "ERROR");
  EXPECT_EQ(events[0].at("object").at("code"), 410);
}

TEST_F(ProtobufRequests, GetErrorsInProtobuf) {
  const ApiResponse missing = send(Method::kGet, std::string(kConfigMaps) + "/none");
  EXPECT_EQ(missing.code, 404);
  EXPECT_EQ(missing.content_type, kProtobuf);
  const json::object status = decoded(schema::kStatus, missing.body.str());
  EXPECT_EQ(status, served_.get(std::string(kConfigMaps) + "/none").body);
}

TEST_F(ProtobufRequests, DeleteScaleBindAndEvict) {
  served_.post(kSets, testing::replica_set_json("web", 1));
  const std::string scale = std::string(kSets) + "/web/scale";
  const ObjectSchema& scale_schema = *schema::scale_kind().schema;
  const ApiResponse scaled = send(
      Method::kPut, scale, encoded(scale_schema, R"({"apiVersion":"autoscaling/v1","kind":"Scale",
                                    "metadata":{"name":"web"},"spec":{"replicas":4}})"));
  EXPECT_EQ(scaled.code, 200);
  EXPECT_EQ(decoded(scale_schema, scaled.body.str()), served_.get(scale).body);
  EXPECT_EQ(served_.get(scale).at("spec/replicas"), 4);

  served_.post(kPods, testing::pod_json("a"));
  served_.post(kPods, testing::pod_json("b"));
  EXPECT_EQ(send(Method::kPost, std::string(kPods) + "/a/binding",
                 encoded(*schema::binding_kind().schema,
                         R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"a"},
                             "target":{"kind":"Node","name":"n1"}})"))
                .code,
            201);
  EXPECT_EQ(served_.get(std::string(kPods) + "/a").text("spec/nodeName"), "n1");
  EXPECT_EQ(send(Method::kPost, std::string(kPods) + "/b/eviction",
                 encoded(*schema::eviction_kind().schema,
                         R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"b"}})"))
                .code,
            201);
  EXPECT_EQ(served_.get(std::string(kPods) + "/b").code, 404);

  const std::string wrong_uid = encoded(schema::kDeleteOptions,
                                        R"({"apiVersion":"apps/v1","kind":"DeleteOptions",
                                            "preconditions":{"uid":"other"}})");
  EXPECT_EQ(send(Method::kDelete, std::string(kSets) + "/web", wrong_uid).code, 409);
  const std::string options = encoded(schema::kDeleteOptions,
                                      R"({"apiVersion":"meta.k8s.io/v1","kind":"DeleteOptions",
                                          "propagationPolicy":"Background"})");
  EXPECT_EQ(send(Method::kDelete, std::string(kSets) + "/web", options).code, 200);
}

TEST_F(ProtobufRequests, RefuseWhatMakesNoSense) {
  struct Case {
    std::string body;
    std::string message;
  };
  const Case cases[] = {
      {"",
       "the request body is not valid protobuf: a protobuf object must start with k8s "
       "and a zero byte"},
      {"{}",
       "the request body is not valid protobuf: a protobuf object must start with k8s "
       "and a zero byte"},
      {schema::in_envelope("v1", "ConfigMap", "\x0a\x05"),
       "the request body is not valid protobuf: the message: is truncated or not valid protobuf"},
      {schema::in_envelope("v1", "ConfigMap", std::string("\x0a\x03\x0a\x01\xff", 5)),
       "the request body is not valid protobuf: metadata.name: is not valid UTF-8"},
      {schema::in_envelope("v2", "ConfigMap", ""),
       "the API version in the data (v2) does not match the expected API version (v1)"},
      {encoded(testing::pod_json("a")),
       "Pod in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Pod) to "
       "(core.ConfigMap): unknown conversion"},
  };
  for (const Case& each : cases) {
    const ApiResponse refused = send(Method::kPost, kConfigMaps, each.body, "application/json");
    EXPECT_EQ(refused.code, 400);
    EXPECT_EQ(json::parse(refused.body.str()).at("message").as_string(), each.message);
  }
}

TEST_F(ProtobufRequests, KnowNoCustomKinds) {
  const ApiResponse refused =
      send(Method::kPost, kPolicies, schema::in_envelope("ebb.dev/v1alpha1", "DownscalePolicy", ""),
           "application/json");
  EXPECT_EQ(refused.code, 415);
  EXPECT_EQ(send(Method::kGet, kPolicies).code, 406);
  EXPECT_EQ(
      send(Method::kGet, kPolicies, "", "application/vnd.kubernetes.protobuf,application/json")
          .content_type,
      "application/json");
  EXPECT_EQ(send(Method::kGet, kPolicies, "", kMetadataOnly).content_type, kProtobuf);
}

}  // namespace
}  // namespace ebb::apiserver
