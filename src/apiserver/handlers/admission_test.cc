// Admission webhooks: which are called for a write, in which order, with which content, and how
// their answers are applied.
#include "apiserver/handlers/admission.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "support/apiserver/webhook_scene.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;
using namespace ebb::testing;
using schema::text_at;
using Texts = std::vector<std::string>;

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kA = "/api/v1/namespaces/default/configmaps/a";
constexpr std::string_view kPods = "/api/v1/namespaces/default/pods";
constexpr std::string_view kMutating =
    "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

json::object add_data(std::string_view key, std::string_view value) {
  return patch_with(fmt::format(R"([{{"op":"add","path":"/data/{}","value":"{}"}}])", key, value));
}

class Admission : public ::testing::Test, public WebhookScene {
 protected:
  // A write of another client while a webhook is being called; webhooks admit it.
  void write_past_webhooks(std::string_view path, std::string_view patch) {
    const model::ApiRequest request{.method = model::Method::kPatch,
                                    .path = std::string(path),
                                    .content_type = "application/merge-patch+json",
                                    .body = std::string(patch)};
    const auto session = cluster.server.handle(request, cluster.now).session;
    for (const WebhookQuestion& question : session->questions) {
      session->answers[question] = {.code = 200, .body = review_text(uid_of(question), allow())};
    }
    EXPECT_EQ(cluster.server.handle(request, cluster.now, session).response.code, 200);
    for (const Change& change : cluster.server.take_staged()) {
      cluster.server.publish(change.revision, cluster.now);
    }
  }

  std::string data(std::string_view key) {
    return cluster.get(kA).text(fmt::format("data/{}", key));
  }
};

TEST_F(Admission, StoresWhatAMutatingWebhookMakesOfAnObject) {
  add_mutating("label", "label.example.com", [](const json::object&) {
    return patch_with(R"([{"op":"add","path":"/metadata/labels","value":{"seen":"yes"}}])");
  });
  const ApiServerScene::Answer made = cluster.post(kMaps, config_map_json("a"));
  EXPECT_EQ(made.code, 201) << made.message();
  EXPECT_EQ(made.text("metadata/labels/seen"), "yes");
  EXPECT_EQ(cluster.get(kA).text("metadata/labels/seen"), "yes");
  // The writer owns the fields that it sent, not those that the webhook added.
  EXPECT_EQ(json::serialize(made.at("metadata/managedFields")).find("seen"), std::string::npos);
}

TEST_F(Admission, APatchWithoutOperationsChangesNothing) {
  for (const std::string_view patch : {"null", "[]"}) {
    WebhookScene hooked;
    hooked.add_mutating("it", "it.example.com",
                        [&](const json::object&) { return patch_with(patch); });
    EXPECT_EQ(hooked.cluster.post(kMaps, config_map_json("a")).code, 201) << patch;
  }
}

TEST_F(Admission, FillsInDefaultsOfWhatAWebhookAdds) {
  add_mutating("sidecar", "sidecar.example.com", [](const json::object&) {
    return patch_with(
        R"([{"op":"add","path":"/spec/containers/-","value":{"name":"side","image":"i:1"}}])");
  });
  const ApiServerScene::Answer made = cluster.post(kPods, pod_json("web"));
  EXPECT_EQ(made.code, 201) << made.message();
  EXPECT_EQ(made.text("spec/containers/1/imagePullPolicy"), "IfNotPresent");
}

TEST_F(Admission, ValidatesWhatWebhooksHaveChanged) {
  add_mutating("bad", "bad.example.com", [](const json::object&) {
    return patch_with(R"([{"op":"add","path":"/metadata/labels","value":{"-":"x"}}])");
  });
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).code, 422);
}

TEST_F(Admission, RefusesAnObjectThatAWebhookTookTheNameFrom) {
  for (const std::string_view path : {"/metadata/name", "/metadata"}) {
    WebhookScene hooked;
    bool takes = false;
    hooked.add_mutating("it", "it.example.com", [&](const json::object&) {
      return takes ? patch_with(fmt::format(R"([{{"op":"remove","path":"{}"}}])", path)) : allow();
    });
    EXPECT_EQ(hooked.cluster.post(kMaps, config_map_json("a")).code, 201);
    takes = true;
    const ApiServerScene::Answer made = hooked.cluster.post(kMaps, config_map_json("b"));
    EXPECT_EQ(made.message(),
              "ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is "
              "required");
    const ApiServerScene::Answer changed =
        hooked.cluster.patch(kA, "merge-patch", R"({"data":{"x":"y"}})");
    EXPECT_EQ(changed.message(),
              "ConfigMap \"a\" is invalid: metadata.name: Invalid value: \"\": field is immutable");
  }
}

TEST_F(Admission, SendsACompleteReviewOfACreation) {
  add_validating("all", "all.example.com", [](const json::object&) { return allow(); });
  EXPECT_EQ(cluster
                .post(std::string(kMaps) + "?fieldManager=me&fieldValidation=Strict",
                      config_map_json("a"))
                .code,
            201);
  ASSERT_EQ(requests.size(), 1U);
  json::object request = requests[0];
  EXPECT_EQ(text_at(request, {"uid"}).size(), 36U);
  EXPECT_EQ(text_at(request, {"object", "kind"}), "ConfigMap");
  EXPECT_FALSE(text_at(request, {"object", "metadata", "uid"}).empty());
  EXPECT_NE(schema::array_at(request, {"object", "metadata", "managedFields"}), nullptr);
  for (const std::string_view field : {"uid", "object"}) request.stable_erase(field);
  EXPECT_EQ(
      json::serialize(request),
      R"({"kind":{"group":"","version":"v1","kind":"ConfigMap"},)"
      R"("resource":{"group":"","version":"v1","resource":"configmaps"},)"
      R"("requestKind":{"group":"","version":"v1","kind":"ConfigMap"},)"
      R"("requestResource":{"group":"","version":"v1","resource":"configmaps"},)"
      R"("name":"a","namespace":"default","operation":"CREATE",)"
      R"("userInfo":{"username":"ebb-admin","groups":["system:masters","system:authenticated"]},)"
      R"("oldObject":null,"dryRun":false,"options":{"kind":"CreateOptions",)"
      R"("apiVersion":"meta.k8s.io/v1","fieldManager":"me","fieldValidation":"Strict"}})");
}

TEST_F(Admission, AsksMutatingWebhooksOneAfterTheOtherAndThenTheValidatingOnesAtOnce) {
  // By the names of the configurations, not by when they were made.
  add_mutating("b", "second.example.com", [](const json::object& request) {
    return add_data("second", text_at(request, {"object", "data", "first"}));
  });
  add_mutating("a", "first.example.com",
               [](const json::object&) { return add_data("first", "1"); });
  add_validating("y", "third.example.com", [](const json::object&) { return allow(); });
  add_validating("z", "fourth.example.com", [](const json::object&) { return allow(); });
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).code, 201);
  EXPECT_EQ(
      asked,
      (Texts{"first.example.com CREATE configmaps a", "second.example.com CREATE configmaps a",
             "third.example.com CREATE configmaps a", "fourth.example.com CREATE configmaps a"}));
  EXPECT_EQ(cluster.runs, 4);
  EXPECT_EQ(data("second"), "1");
  EXPECT_EQ(text_at(requests[3], {"object", "data", "second"}), "1");
}

TEST_F(Admission, ReinvokesAWebhookOnceIfItsPolicySaysSo) {
  for (const std::string_view policy : {"IfNeeded", "Never"}) {
    WebhookScene hooked;
    hooked.add_mutating(
        "a", "first.example.com", [](const json::object&) { return allow(); },
        fmt::format(R"({{"reinvocationPolicy":"{}"}})", policy));
    int times = 0;
    hooked.add_mutating(
        "b", "second.example.com",
        [&](const json::object&) { return add_data("x", std::to_string(++times)); },
        R"({"reinvocationPolicy":"IfNeeded"})");
    EXPECT_EQ(hooked.cluster.post(kMaps, config_map_json("a")).code, 201);
    Texts expected{"first.example.com CREATE configmaps a",
                   "second.example.com CREATE configmaps a"};
    if (policy == "IfNeeded") expected.push_back(expected.front());
    EXPECT_EQ(hooked.asked, expected) << policy;
  }
}

TEST_F(Admission, RefusesWhatAWebhookDenies) {
  struct Case {
    std::string_view status;
    int code;
    std::string_view message;
    std::string_view reason;
  };
  for (const Case& one : {
           Case{"", 400, " without explanation", "null"},
           Case{R"({"message":"no cats"})", 400, ": no cats", "null"},
           Case{R"({"message":"no cats","code":200})", 400, ": no cats", "null"},
           Case{R"({"message":"no cats","code":403,"reason":"Forbidden"})", 403, ": no cats",
                "Forbidden"},
           Case{R"({"reason":"Gone","code":410})", 410, ": Gone", "Gone"},
           Case{R"({"code":7777})", 400, " without explanation", "null"},
       }) {
    for (const bool mutating : {true, false}) {
      WebhookScene hooked;
      const auto say_no = [&](const json::object&) { return deny(one.status); };
      if (mutating) hooked.add_mutating("no", "no.example.com", say_no);
      if (!mutating) hooked.add_validating("no", "no.example.com", say_no);
      const ApiServerScene::Answer answer = hooked.cluster.post(kMaps, config_map_json("a"));
      EXPECT_EQ(answer.code, one.code) << one.status;
      EXPECT_EQ(
          answer.message(),
          fmt::format("admission webhook \"no.example.com\" denied the request{}", one.message));
      EXPECT_EQ(answer.text("reason"), one.reason);
      EXPECT_EQ(hooked.cluster.get(kA).code, 404);
    }
  }
}

TEST_F(Admission, AppliesTheFailurePolicyIfThereIsNoVerdict) {
  const std::string post = R"(Post "https://127.0.0.1:9443/it.example.com?timeout=10s": )";
  struct Case {
    WebhookAnswer answer;
    std::string why;
  };
  const Case cases[] = {
      {{.error = "context deadline exceeded"},
       "failed to call webhook: " + post + "context deadline exceeded"},
      {{.code = 404, .body = "x"},
       "failed to call webhook: the server could not find the requested resource"},
      {{.code = 500, .body = "oh\n"},
       "failed to call webhook: an error on the server (\"oh\") has prevented the request from "
       "succeeding"},
      {{.code = 200, .body = "{"},
       "failed to call webhook: couldn't get version/kind; json parse error: "},
      {{.code = 200, .content_type = "text/plain"},
       "failed to call webhook: 0-length response with status code: 200 and content type: "
       "text/plain"},
      {{.code = 200, .body = R"({"apiVersion":"admission.k8s.io/v1","kind":"Other"})"},
       "failed to call webhook: no kind \"Other\" is registered for version "
       "\"admission.k8s.io/v1\""},
      {{.code = 200,
        .body = R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",)"
                R"("response":{"allowed":"yes"}})"},
       "failed to call webhook: json: cannot unmarshal string into Go struct field "
       "AdmissionResponse.response.allowed of type bool"},
      {{.code = 200, .body = R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"})"},
       "received invalid webhook response: webhook response was absent"},
      {{.code = 200,
        .body = R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",)"
                R"("response":{"uid":"other","allowed":true}})"},
       "received invalid webhook response: expected response.uid="},
  };
  for (const Case& one : cases) {
    for (const std::string_view policy : {"Fail", "Ignore"}) {
      for (const bool mutating : {true, false}) {
        WebhookScene hooked;
        const std::string extra = fmt::format(R"({{"failurePolicy":"{}"}})", policy);
        if (mutating) hooked.add_mutating("it", "it.example.com", nullptr, extra);
        if (!mutating) hooked.add_validating("it", "it.example.com", nullptr, extra);
        hooked.transport = [&](const WebhookQuestion&) { return one.answer; };
        const ApiServerScene::Answer answer = hooked.cluster.post(kMaps, config_map_json("a"));
        EXPECT_EQ(answer.code, policy == "Ignore" ? 201 : 500) << one.why;
        if (policy == "Ignore") continue;
        EXPECT_EQ(answer.text("reason"), "InternalError");
        EXPECT_TRUE(answer.message().starts_with(
            "Internal error occurred: failed calling webhook \"it.example.com\": " + one.why))
            << answer.message();
      }
    }
  }
}

TEST_F(Admission, HoldsAPatchToItsRules) {
  struct Case {
    bool mutating;
    std::string_view response;
    std::string_view message;
  };
  for (const Case& one : {
           Case{true, R"({"allowed":true,"patch":"W10="})",
                "webhook returned response.patch but not response.patchType"},
           Case{true, R"({"allowed":true,"patchType":"JSONPatch"})",
                "webhook returned response.patchType but not response.patch"},
           Case{true, R"({"allowed":true,"patch":"W3t9XQ==","patchType":"Other"})",
                "unsupported patch type \"Other\""},
           Case{true, R"({"allowed":true,"patch":"e30=","patchType":"JSONPatch"})",
                "received undecodable patch in webhook response: json: cannot unmarshal object "
                "into Go "
                "value of type jsonpatch.Patch"},
           Case{true, R"({"allowed":true,"patch":"WzFd","patchType":"JSONPatch"})",
                "json: cannot unmarshal number into Go value of type jsonpatch.Operation"},
           Case{true, R"({"allowed":true,"patch":"ew==","patchType":"JSONPatch"})",
                "received undecodable patch in webhook response: the patch is not valid JSON: "},
           Case{true, R"({"allowed":true,"patch":"!","patchType":"JSONPatch"})",
                "illegal base64 data at input byte 0"},
           Case{false, R"({"allowed":true,"patch":"W10=","patchType":"JSONPatch"})",
                "validating webhook may not return response.patch"},
           Case{false, R"({"allowed":true,"patchType":"JSONPatch"})",
                "validating webhook may not return response.patchType"},
       }) {
    WebhookScene hooked;
    const auto respond = [&](const json::object&) {
      return json::parse(one.response).get_object();
    };
    if (one.mutating) hooked.add_mutating("it", "it.example.com", respond);
    if (!one.mutating) hooked.add_validating("it", "it.example.com", respond);
    const ApiServerScene::Answer answer = hooked.cluster.post(kMaps, config_map_json("a"));
    EXPECT_EQ(answer.code, 500);
    EXPECT_NE(answer.message().find(one.message), std::string::npos) << answer.message();
  }
}

TEST_F(Admission, AsksAboutDeletionsWithTheOldObjectOnly) {
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).code, 201);
  add_validating("keep", "keep.example.com", [](const json::object&) { return deny(""); });
  EXPECT_EQ(cluster.remove(kA, R"({"propagationPolicy":"Background"})").code, 400);
  ASSERT_EQ(requests.size(), 1U);
  EXPECT_TRUE(requests[0].at("object").is_null());
  EXPECT_EQ(text_at(requests[0], {"oldObject", "metadata", "name"}), "a");
  EXPECT_EQ(text_at(requests[0], {"options", "propagationPolicy"}), "Background");
  EXPECT_EQ(cluster.get(kA).code, 200);
}

TEST_F(Admission, RefusesPatchesToDeletes) {
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).code, 201);
  add_mutating("patch", "patch.example.com",
               [](const json::object&) { return add_data("x", "y"); });
  EXPECT_EQ(cluster.remove(kA).message(),
            "Internal error occurred: admission webhook \"patch.example.com\" attempted to modify "
            "the object, which is not supported for this operation");
}

TEST_F(Admission, AsksAboutEachObjectOfACollection) {
  for (const std::string_view name : {"a", "b", "c"}) cluster.post(kMaps, config_map_json(name));
  add_validating("keep", "keep.example.com", [](const json::object& request) {
    const std::string_view name = text_at(request, {"oldObject", "metadata", "name"});
    return name == "b" ? deny(R"({"message":"keep b"})") : allow();
  });
  const ApiServerScene::Answer answer = cluster.remove(kMaps);
  EXPECT_EQ(asked.size(), 3U);
  EXPECT_EQ(answer.code, 400);
  EXPECT_EQ(cluster.get(kA).code, 404);
  EXPECT_EQ(cluster.get(std::string(kMaps) + "/b").code, 200);
  EXPECT_EQ(cluster.get(std::string(kMaps) + "/c").code, 200);
}

TEST_F(Admission, KeepsAGeneratedNameFromRunToRun) {
  add_mutating("m", "m.example.com", [](const json::object&) { return add_data("x", "y"); });
  add_validating("v", "v.example.com", [](const json::object&) { return allow(); });
  const ApiServerScene::Answer made = cluster.post(
      kMaps,
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"g-"},"data":{"k":"v"}})");
  ASSERT_EQ(made.code, 201) << made.message();
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_FALSE(requests[0].contains("name"));
  EXPECT_EQ(text_at(requests[0], {"object", "metadata", "name"}), "");
  EXPECT_EQ(text_at(requests[1], {"name"}), made.text("metadata/name"));
  EXPECT_EQ(text_at(requests[1], {"object", "metadata", "uid"}), made.text("metadata/uid"));
  EXPECT_NE(text_at(requests[0], {"uid"}), text_at(requests[1], {"uid"}));
}

TEST_F(Admission, AsksAboutSubresourcesAsWhatTheyAre) {
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  EXPECT_EQ(cluster.post(sets, replica_set_json("web", 1)).code, 201);
  EXPECT_EQ(cluster.post(kPods, pod_json("p")).code, 201);
  add_validating("v", "v.example.com", [](const json::object&) { return allow(); });
  const std::string pod = std::string(kPods) + "/p";
  EXPECT_EQ(cluster.patch(sets + "/web/scale", "merge-patch", R"({"spec":{"replicas":4}})").code,
            200);
  EXPECT_EQ(cluster.patch(pod + "/status", "merge-patch", R"({"status":{"phase":"Running"}})").code,
            200);
  EXPECT_EQ(
      cluster
          .post(pod + "/binding", R"({"apiVersion":"v1","kind":"Binding","metadata":{"name":"p"},)"
                                  R"("target":{"name":"n"}})")
          .code,
      201);
  EXPECT_EQ(cluster
                .post(pod + "/eviction",
                      R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"p"}})")
                .code,
            201);
  EXPECT_EQ(
      asked,
      (Texts{"v.example.com UPDATE replicasets/scale web", "v.example.com UPDATE pods/status p",
             "v.example.com CREATE pods/binding p", "v.example.com CREATE pods/eviction p"}));
  EXPECT_EQ(text_at(requests[0], {"kind", "kind"}), "Scale");
  EXPECT_EQ(schema::integer_at(requests[0], {"object", "spec", "replicas"}), 4);
  EXPECT_EQ(schema::integer_at(requests[0], {"oldObject", "spec", "replicas"}), 1);
  EXPECT_EQ(text_at(requests[2], {"object", "target", "name"}), "n");
  EXPECT_EQ(text_at(requests[3], {"kind", "group"}), "policy");
}

TEST_F(Admission, ChangesAScaleOnItsWay) {
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  EXPECT_EQ(cluster.post(sets, replica_set_json("web", 1)).code, 201);
  add_mutating("m", "m.example.com", [](const json::object&) {
    return patch_with(R"([{"op":"replace","path":"/spec/replicas","value":3}])");
  });
  EXPECT_EQ(cluster.patch(sets + "/web/scale", "merge-patch", R"({"spec":{"replicas":9}})")
                .text("spec/replicas"),
            "3");
  EXPECT_EQ(cluster.get(sets + "/web").text("spec/replicas"), "3");
}

TEST_F(Admission, StartsOverAfterAConcurrentWrite) {
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a", "1")).code, 201);
  int times = 0;
  add_mutating("m", "m.example.com", [&](const json::object& request) {
    if (++times == 1) write_past_webhooks(kA, R"({"data":{"value":"2"}})");
    return add_data("seen", text_at(request, {"oldObject", "data", "value"}));
  });
  EXPECT_EQ(cluster.patch(kA, "merge-patch", R"({"data":{"mine":"x"}})").code, 200);
  EXPECT_EQ(times, 2);
  EXPECT_EQ(data("seen"), "2");
  EXPECT_EQ(data("mine"), "x");
}

TEST_F(Admission, GivesUpWhenOthersAreAlwaysFaster) {
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a", "1")).code, 201);
  int times = 0;
  add_mutating("m", "m.example.com", [&](const json::object&) {
    write_past_webhooks(kA, fmt::format(R"({{"data":{{"value":"time {}"}}}})", ++times));
    return allow();
  });
  const ApiServerScene::Answer answer =
      cluster.patch(kA, "merge-patch", R"({"data":{"mine":"x"}})");
  EXPECT_EQ(answer.code, 409);
  EXPECT_EQ(answer.text("reason"), "Conflict");
  EXPECT_EQ(times, 11);
}

TEST_F(Admission, NeverSendsWebhookConfigurationsToWebhooks) {
  add_validating("no", "no.example.com", [](const json::object&) { return deny(""); });
  add_mutating("other", "other.example.com", [](const json::object&) { return deny(""); });
  EXPECT_EQ(cluster.remove(std::string(kMutating) + "/other").code, 200);
  EXPECT_TRUE(asked.empty());
}

TEST_F(Admission, HandsWarningsOnOnce) {
  const auto warn = [](const json::object&) {
    json::object response = allow();
    response["warnings"] = json::array{"old thing", "other thing"};
    return response;
  };
  add_mutating("m", "m.example.com", warn);
  add_validating("v", "v.example.com", warn);
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).warnings,
            (Texts{"old thing", "other thing"}));
}

TEST_F(Admission, WarnsAlsoWhereItDenies) {
  add_validating("v", "v.example.com", [](const json::object&) {
    json::object response = deny("");
    response["warnings"] = json::array{"old thing"};
    return response;
  });
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).warnings, (Texts{"old thing"}));
}

TEST_F(Admission, SaysThatARunIsDryAndStoresNothing) {
  add_mutating("m", "m.example.com", [](const json::object&) { return add_data("x", "y"); });
  const ApiServerScene::Answer answer =
      cluster.post(std::string(kMaps) + "?dryRun=All", config_map_json("a"));
  EXPECT_EQ(answer.text("data/x"), "y");
  EXPECT_TRUE(schema::is_true_at(requests[0], {"dryRun"}));
  EXPECT_EQ(cluster.get(kA).code, 404);
}

TEST_F(Admission, SendsTheOlderReviewToWebhooksThatKnowOnlyThat) {
  add_validating("v", "v.example.com", nullptr, R"({"admissionReviewVersions":["v2","v1beta1"]})");
  transport = [](const WebhookQuestion& question) {
    EXPECT_NE(question.review.find(R"("apiVersion":"admission.k8s.io/v1beta1")"),
              std::string::npos);
    // It need not repeat the uid.
    return WebhookAnswer{.code = 200, .body = R"({"response":{"allowed":true}})"};
  };
  EXPECT_EQ(cluster.post(kMaps, config_map_json("a")).code, 201);
}

}  // namespace
}  // namespace ebb::apiserver
