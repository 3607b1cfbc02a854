#include "apiserver/objects/scale.h"

#include <utility>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

json::object parse(const char* text) { return json::parse(text).as_object(); }

schema::Kind deployments() {
  schema::Kind kind;
  kind.group = "apps";
  kind.version = "v1";
  kind.name = "Deployment";
  kind.has_scale = true;
  return kind;
}

TEST(Scale, ShowsAWorkloadsReplicasAndSelector) {
  const json::object deployment = parse(R"({
    "apiVersion":"apps/v1","kind":"Deployment",
    "metadata":{"uid":"u1","name":"web","namespace":"shop","labels":{"x":"y"},
                "resourceVersion":"17","creationTimestamp":"2026-11-01T12:00:00Z","generation":3},
    "spec":{"replicas":5,"selector":{"matchLabels":{"tier":"front","app":"web"}},"paused":true},
    "status":{"replicas":4,"readyReplicas":2}})");
  EXPECT_EQ(json::serialize(scale_of(deployments(), deployment)),
            R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web",)"
            R"("namespace":"shop","uid":"u1","resourceVersion":"17",)"
            R"("creationTimestamp":"2026-11-01T12:00:00Z"},"spec":{"replicas":5},)"
            R"("status":{"replicas":4,"selector":"app=web,tier=front"}})");
}

TEST(Scale, LeavesOutZeroReplicasButNotWhatThereIs) {
  const json::object workload =
      parse(R"({"metadata":{"name":"web"},"spec":{"replicas":0,"selector":{}}})");
  EXPECT_EQ(json::serialize(scale_of(deployments(), workload)),
            R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web"},)"
            R"("spec":{},"status":{"replicas":0}})");
}

TEST(Scale, SetsReplicas) {
  json::object workload = parse(R"({"metadata":{"name":"web"},"spec":{"replicas":1,"x":2}})");
  ASSERT_TRUE(apply_scale(workload, parse(R"({"spec":{"replicas":7},"status":{"replicas":9}})")));
  EXPECT_EQ(json::serialize(workload),
            R"({"metadata":{"name":"web"},"spec":{"replicas":7,"x":2}})");
  ASSERT_TRUE(apply_scale(workload, parse(R"({"spec":{}})")));
  EXPECT_EQ(json::serialize(workload),
            R"({"metadata":{"name":"web"},"spec":{"replicas":0,"x":2}})");
}

TEST(Scale, RoundTripsThroughItsOwnForm) {
  for (const char* text :
       {R"({"metadata":{},"spec":{"replicas":3}})", R"({"metadata":{},"spec":{"replicas":0}})"}) {
    json::object workload = parse(text);
    ASSERT_TRUE(apply_scale(workload, scale_of(deployments(), workload)));
    EXPECT_EQ(json::serialize(workload), text);
  }
}

TEST(Scale, RefusesInvalidNumbersOfReplicas) {
  const auto failure = [](const char* scale) {
    json::object workload = parse(R"({"metadata":{"name":"web"},"spec":{"replicas":1}})");
    const auto applied = apply_scale(workload, parse(scale));
    EXPECT_FALSE(applied) << scale;
    EXPECT_EQ(workload.at("spec").at("replicas"), 1);
    return applied ? model::Status() : applied.error();
  };
  const model::Status negative = failure(R"({"spec":{"replicas":-1}})");
  EXPECT_EQ(negative.code, 422);
  EXPECT_EQ(negative.message,
            R"(Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be )"
            R"(greater than or equal to 0)");
  ASSERT_EQ(negative.causes.size(), 1U);
  EXPECT_EQ(negative.causes[0].field, "spec.replicas");
  const std::pair<const char*, const char*> cases[] = {
      {R"({"spec":{"replicas":"3"}})", "string"},
      {R"({"spec":{"replicas":3000000000}})", "number 3000000000"},
      {R"({"spec":{"replicas":18446744073709551615}})", "number 18446744073709551615"},
      {R"({"spec":{"replicas":true}})", "bool"},
      {R"({"spec":{"replicas":[3]}})", "array"},
      {R"({"spec":{"replicas":{}}})", "object"},
  };
  for (const auto& [scale, what] : cases) {
    const model::Status status = failure(scale);
    EXPECT_EQ(status.code, 400);
    EXPECT_EQ(status.message,
              std::string("Scale in version \"v1\" cannot be handled as a Scale: json: cannot "
                          "unmarshal ") +
                  what + " into Go struct field ScaleSpec.spec.replicas of type int32");
  }
}

}  // namespace
}  // namespace ebb::apiserver
