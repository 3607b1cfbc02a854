#include "control/webhook/admission_review.h"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

namespace json = boost::json;

std::string review_of(std::string_view request) {
  return fmt::format(
      R"({{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{{"uid":"r1",
          "namespace":"shop","name":"web","userInfo":{{"username":"someone"}},{}}}}})",
      request);
}

TEST(AdmissionReview, ReadsAResizeOfAReplicaSet) {
  const auto review = decode_review(review_of(
      R"("resource":{"group":"apps","version":"v1","resource":"replicasets"},"operation":"UPDATE",
         "dryRun":true,
         "oldObject":{"metadata":{"uid":"u","annotations":{
           "deployment.kubernetes.io/desired-replicas":"8"}},"spec":{"replicas":8}},
         "object":{"metadata":{"uid":"u","annotations":{
           "deployment.kubernetes.io/desired-replicas":"3"}},"spec":{"replicas":3}})"));
  ASSERT_TRUE(review && review->resize);
  EXPECT_EQ(review->uid, "r1");
  EXPECT_EQ(review->user, "someone");
  EXPECT_EQ(review->namespace_name, "shop");
  EXPECT_EQ(review->name, "web");
  EXPECT_TRUE(review->dry_run);
  EXPECT_EQ(review->resize->set_uid, "u");
  EXPECT_EQ(review->resize->from, 8);
  EXPECT_EQ(review->resize->to, 3);
  EXPECT_FALSE(review->resize->by_scale);
  EXPECT_TRUE(review->resize->desired_changed);
  EXPECT_FALSE(review->removal);
}

TEST(AdmissionReview, TakesAnAbsentSizeOfAScaleForZero) {
  const auto review = decode_review(review_of(
      R"("resource":{"group":"apps","version":"v1","resource":"replicasets"},"operation":"UPDATE",
         "subResource":"scale",
         "oldObject":{"metadata":{"uid":"u"},"spec":{"replicas":2}},
         "object":{"metadata":{"uid":"u"},"spec":{}})"));
  ASSERT_TRUE(review && review->resize);
  EXPECT_TRUE(review->resize->by_scale);
  EXPECT_FALSE(review->resize->desired_changed);
  EXPECT_EQ(review->resize->to, 0);
}

std::string delete_of(std::string_view options, std::string_view annotations = "{}",
                      std::string_view conditions = "") {
  return review_of(fmt::format(
      R"("resource":{{"group":"","version":"v1","resource":"pods"}},"operation":"DELETE",
         "object":null,"options":{},
         "oldObject":{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"web-1",
           "namespace":"shop","uid":"p1","annotations":{},"ownerReferences":[{{"kind":"ReplicaSet",
           "apiVersion":"apps/v1","name":"web","uid":"u","controller":true}}]}},
           "spec":{{"nodeName":"n","terminationGracePeriodSeconds":20}},"status":{{"phase":"Running","conditions":[
           {{"type":"Ready","status":"True"}}{}]}}}})",
      options, annotations, conditions));
}

TEST(AdmissionReview, ReadsADeleteOfAPod) {
  const auto review = decode_review(delete_of(R"({"kind":"DeleteOptions","apiVersion":"v1"})"));
  ASSERT_TRUE(review && review->removal);
  EXPECT_FALSE(review->resize);
  const ReviewedDelete& removal = *review->removal;
  EXPECT_EQ(removal.pod_uid, "p1");
  EXPECT_EQ(removal.set, "web");
  EXPECT_EQ(removal.set_uid, "u");
  EXPECT_TRUE(removal.serving);
  EXPECT_TRUE(removal.plain);
  EXPECT_FALSE(removal.disrupted);
  EXPECT_FALSE(removal.deleting);
  EXPECT_EQ(removal.mark, "");
}

TEST(AdmissionReview, SeesOptionsMarksAndDisruptions) {
  for (const std::string_view options :
       {R"({"preconditions":{"uid":"p1"}})", R"({"gracePeriodSeconds":0})",
        R"({"gracePeriodSeconds":30})", R"({"propagationPolicy":"Background"})"}) {
    EXPECT_FALSE(decode_review(delete_of(options))->removal->plain) << options;
  }
  // kube-apiserver fills in the one of the pod.
  EXPECT_TRUE(decode_review(delete_of(R"({"gracePeriodSeconds":20})"))->removal->plain);
  EXPECT_TRUE(decode_review(delete_of(R"({"gracePeriodSeconds":null})"))->removal->plain);
  const std::string_view marked =
      R"({"ebb.dev/scale-down":"d 3 -9","controller.kubernetes.io/pod-deletion-cost":"-9"})";
  EXPECT_EQ(decode_review(delete_of("{}", marked))->removal->mark, "d 3 -9");
  const std::string_view outdated =
      R"({"ebb.dev/scale-down":"d 3 -9","controller.kubernetes.io/pod-deletion-cost":"4"})";
  EXPECT_EQ(decode_review(delete_of("{}", outdated))->removal->mark, "");
  EXPECT_TRUE(
      decode_review(delete_of("{}", "{}", R"(,{"type":"DisruptionTarget","status":"True"})"))
          ->removal->disrupted);
  EXPECT_FALSE(
      decode_review(delete_of("{}", "{}", R"(,{"type":"DisruptionTarget","status":"False"})"))
          ->removal->disrupted);
}

TEST(AdmissionReview, DecidesNothingAboutOtherRequests) {
  for (const std::string_view request :
       {R"("resource":{"group":"apps","resource":"replicasets"},"operation":"CREATE")",
        R"("resource":{"group":"apps","resource":"replicasets"},"operation":"UPDATE")",
        R"("resource":{"group":"apps","resource":"replicasets"},"operation":"UPDATE",
           "subResource":"status","oldObject":{},"object":{})",
        R"("resource":{"group":"other","resource":"replicasets"},"operation":"UPDATE",
           "oldObject":{},"object":{})",
        R"("resource":{"group":"","resource":"pods"},"operation":"DELETE","oldObject":null)",
        R"("resource":{"group":"","resource":"pods"},"operation":"DELETE","oldObject":{})",
        R"("resource":{"group":"","resource":"pods"},"operation":"DELETE","oldObject":{
           "metadata":{"name":7}})",
        R"("resource":7,"operation":[])"}) {
    const auto review = decode_review(review_of(request));
    ASSERT_TRUE(review) << request;
    EXPECT_EQ(review->uid, "r1");
    EXPECT_FALSE(review->resize) << request;
    EXPECT_FALSE(review->removal) << request;
  }
}

TEST(AdmissionReview, IsNotOneWithoutAUid) {
  for (const std::string_view body :
       {"", "x", "{}", "[]", R"({"request":{}})", R"({"request":{"uid":7}})",
        R"({"request":{"uid":""}})", R"({"request":"uid"})"}) {
    EXPECT_FALSE(decode_review(body)) << body;
  }
}

TEST(AdmissionAnswer, NamesTheReview) {
  EXPECT_EQ(json::parse(allowing_answer("r1")),
            json::parse(R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",
                            "response":{"uid":"r1","allowed":true}})"));
  EXPECT_EQ(json::parse(refusing_answer("r1", "not \"now\"")),
            json::parse(R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",
                            "response":{"uid":"r1","allowed":false,"status":{"code":409,
                            "status":"Failure","reason":"Conflict","message":"not \"now\""}}})"));
}

}  // namespace
}  // namespace ebb::control
