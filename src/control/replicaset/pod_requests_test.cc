#include "control/replicaset/pod_requests.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "model/api/requests.h"
#include "schema/core/envelope.h"
#include "schema/protobuf/protobuf.h"

namespace ebb::control {
namespace {

// A scale-up may send ten thousand of these, so they must be small.
TEST(PodRequests, AskForNoMoreThanIsRead) {
  ReplicaSet set;
  set.json =
      R"({"metadata":{"name":"web"},"spec":{"template":{"metadata":{"labels":{"app":"web"}}}}})";
  const auto create = create_pod_request(set, false);
  ASSERT_TRUE(create);
  EXPECT_EQ(create->query, "fieldValidation=Ignore");
  for (const std::string& accept : {create->accept, delete_pod_request("shop", "a", "u").accept}) {
    EXPECT_EQ(accept,
              "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
  }
}

TEST(PodRequests, SayTheSameInProtobuf) {
  ReplicaSet set;
  set.json =
      R"({"metadata":{"name":"web"},"spec":{"template":{"metadata":{"labels":{"app":"web"},
          "creationTimestamp":null},"spec":{"containers":[{"name":"a","image":"i",
          "ports":[{"containerPort":80}],"resources":{"requests":{"cpu":"500m"}}}],
          "volumes":[{"name":"v","emptyDir":{}}],"terminationGracePeriodSeconds":0}}}})";
  const auto text = create_pod_request(set, false);
  const auto bytes = create_pod_request(set, true);
  ASSERT_TRUE(text && bytes);
  EXPECT_EQ(text->content_type, "application/json");
  EXPECT_EQ(bytes->content_type, "application/vnd.kubernetes.protobuf");
  EXPECT_LT(bytes->body.size(), text->body.size());
  EXPECT_EQ(bytes->accept, text->accept);
  EXPECT_EQ(bytes->query, text->query);
  const auto envelope = schema::open_envelope(bytes->body);
  ASSERT_TRUE(envelope);
  auto pod = schema::decode_message(*model::pod_kind()->schema, envelope->message);
  ASSERT_TRUE(pod);
  EXPECT_EQ(envelope->kind, "Pod");
  const boost::json::value twin = boost::json::parse(text->body);
  EXPECT_EQ(pod->at("spec"), twin.at("spec"));
  EXPECT_EQ(pod->at("metadata").at("labels"), twin.at("metadata").at("labels"));
  EXPECT_EQ(pod->at("metadata").at("generateName"), twin.at("metadata").at("generateName"));
  const boost::json::object& owner = pod->at("metadata").at("ownerReferences").at(0).as_object();
  EXPECT_EQ(owner.at("controller"), true);
  EXPECT_EQ(owner.at("kind"), "ReplicaSet");
}

TEST(PodRequests, AreInJsonWhereProtobufWouldLoseSomething) {
  ReplicaSet set;
  set.json =
      R"({"metadata":{"name":"web"},"spec":{"template":{"metadata":{"labels":{"app":"web"}},
          "spec":{"containers":[{"name":"a","ofTomorrow":1}]}}}})";
  const auto create = create_pod_request(set, true);
  ASSERT_TRUE(create);
  EXPECT_EQ(create->content_type, "application/json");
  EXPECT_NE(create->body.find("ofTomorrow"), std::string::npos);
}

}  // namespace
}  // namespace ebb::control
