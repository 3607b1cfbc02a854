#include "apiserver/validation/validate.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <gtest/gtest.h>

#include "support/apiserver/validating.h"

namespace ebb::apiserver {
namespace {

using support::problems;
using support::update_problems;

const char* const kWeb = R"({
  "apiVersion": "apps/v1", "kind": "Deployment",
  "metadata": {"name": "web", "namespace": "shop", "uid": "u1",
               "creationTimestamp": "2026-11-01T12:00:00Z"},
  "spec": {"selector": {"matchLabels": {"app": "web"}},
           "template": {"metadata": {"labels": {"app": "web"}},
                        "spec": {"containers": [{"name": "web", "image": "web:1"}]}}}})";

std::string minimal(std::string_view api_version, std::string_view kind, std::string_view more) {
  return R"({"apiVersion": ")" + std::string(api_version) + R"(", "kind": ")" + std::string(kind) +
         R"(", "metadata": {"name": "web", "namespace": "shop"})" + std::string(more) + "}";
}

TEST(Validate, FindsNothingWrongWithAnOrdinaryObjectOfEachKind) {
  EXPECT_EQ(problems(kWeb), "");
  const std::string pods = R"("selector": {"matchLabels": {"app": "web"}},
    "template": {"metadata": {"labels": {"app": "web"}},
                 "spec": {"containers": [{"name": "web", "image": "web:1"}]}})";
  const std::string documents[] = {
      minimal("v1", "Pod", R"(, "spec": {"containers": [{"name": "web", "image": "web:1"}]})"),
      minimal("v1", "Secret", R"(, "data": {"token": "c2VjcmV0"})"),
      minimal("v1", "Event", R"(, "involvedObject": {"kind": "Pod", "namespace": "shop"})"),
      minimal("v1", "ConfigMap", R"(, "data": {"a.txt": "x"}, "binaryData": {"b": "AA=="})"),
      minimal("v1", "Service", R"(, "spec": {"ports": [{"port": 80}], "selector": {"a": "b"}})"),
      minimal("v1", "ServiceAccount", ""),
      minimal("apps/v1", "ReplicaSet", ", \"spec\": {" + pods + "}"),
      minimal("coordination.k8s.io/v1", "Lease", R"(, "spec": {"leaseDurationSeconds": 15})"),
      minimal("ebb.dev/v1alpha1", "DownscalePolicy",
              R"(, "spec": {"targetRef": {"kind": "Deployment", "name": "web"},
                            "ranking": {"preset": "keep-zones-balanced"}})"),
      minimal("ebb.dev/v1alpha1", "PodGroupCost",
              R"(, "spec": {"owner": {"kind": "ReplicaSet", "name": "web-1"},
                            "costs": {"web-1-a": -3}})"),
      R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"},
          "spec": {"taints": [{"key": "a", "effect": "NoSchedule"}]}})",
      R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})",
  };
  for (const std::string& document : documents) EXPECT_EQ(problems(document), "") << document;
}

TEST(Validate, FollowsTheTableOnWhatIsRequiredAndAllowed) {
  const struct {
    const char* change;
    const char* problems;
  } cases[] = {
      {R"({"spec": {"selector": null}})", "spec.selector: Required value"},
      {R"({"spec": {"replicas": -1}})",
       "spec.replicas: Invalid value: -1: must be greater than or equal to 0"},
      {R"({"spec": {"template": {"spec": {"restartPolicy": "Sometimes"}}}})",
       "spec.template.spec.restartPolicy: Unsupported value: \"Sometimes\": supported values: "
       "\"Always\", \"OnFailure\", \"Never\""},
      {R"({"spec": {"template": {"spec": {"containers": null}}}})",
       "spec.template.spec.containers: Required value"},
      {R"({"spec": {"template": {"spec": {"containers": [{"image": "a"}]}}}})",
       "spec.template.spec.containers[0].name: Required value"},
      {R"({"spec": {"template": {"spec": {"containers": [{"name": "a.b", "image": "a"}]}}}})",
       "spec.template.spec.containers[0].name: Invalid value: \"a.b\": must not contain dots"},
      {R"({"spec": {"template": {"spec": {"containers": [
            {"name": "a", "image": "a", "ports": [{"containerPort": 70000}, {}]}]}}}})",
       "spec.template.spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be "
       "between 1 and 65535, inclusive\n"
       "spec.template.spec.containers[0].ports[1].containerPort: Required value"},
  };
  for (const auto& one : cases) EXPECT_EQ(problems(kWeb, one.change), one.problems);
}

TEST(Validate, TellsBoundsFromOneAnother) {
  const std::string lease = minimal("coordination.k8s.io/v1", "Lease", "");
  EXPECT_EQ(problems(lease, R"({"spec": {"leaseDurationSeconds": 0}})"),
            "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0");
  EXPECT_EQ(problems(lease, R"({"spec": {"leaseTransitions": -1}})"),
            "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0");
  EXPECT_EQ(problems(lease, R"({"spec": {"preferredHolder": "me"}})"),
            "spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined");
}

TEST(Validate, AcceptsNamesOfPortsButNoNumbersInQuotes) {
  const auto port = [](const char* text) {
    return problems(
        minimal("v1", "Service", R"(, "spec": {"ports": [{"port": 80}]})"),
        R"({"spec": {"ports": [{"port": 80, "targetPort": )" + std::string(text) + "}]}}");
  };
  EXPECT_EQ(port("8080"), "");
  EXPECT_EQ(port("\"http\""), "");
  EXPECT_EQ(port("\"8080\""),
            "spec.ports[0].targetPort: Invalid value: \"8080\": must contain at least one letter "
            "(a-z)");
  EXPECT_EQ(port("0"), "");  // zero is absent, so it becomes the port
  EXPECT_EQ(port("-1"),
            "spec.ports[0].targetPort: Invalid value: -1: must be between 1 and 65535, inclusive");
}

TEST(Validate, ListsWhatIsWrongInTheOrderOfTheFields) {
  EXPECT_EQ(problems(R"({"apiVersion": "apps/v1", "kind": "Deployment",
                         "metadata": {"namespace": "shop", "labels": {"a b": ""}},
                         "spec": {"progressDeadlineSeconds": 5, "minReadySeconds": 9,
                                  "selector": {"matchLabels": {"app": "web"}}}})"),
            "metadata.name: Required value: name or generateName is required\n"
            "metadata.labels: Invalid value: \"a b\": name part must consist of alphanumeric "
            "characters, '-', '_' or '.', and must start and end with an alphanumeric character "
            "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
            "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
            "spec.template.metadata.labels: Invalid value: null: `selector` does not match "
            "template `labels`\n"
            "spec.template.spec.containers: Required value\n"
            "spec.progressDeadlineSeconds: Invalid value: 5: must be greater than "
            "minReadySeconds");
}

TEST(Validate, HasCauseTypesThatProgramsCompare) {
  const support::Document wanted = support::document(kWeb, R"({
    "spec": {"selector": null, "replicas": -1, "strategy": {"type": "Recreate", "rollingUpdate": {}},
             "template": {"spec": {"restartPolicy": "Never", "containers": [
               {"name": "a", "image": "a", "volumeMounts": [{"name": "v", "mountPath": "/v"}]},
               {"name": "a", "image": "b"}]}}}})");
  std::string reasons;
  for (const auto& cause : validate(*wanted.kind, wanted.object, nullptr)) {
    reasons += cause.field + ' ' + cause.reason + '\n';
  }
  EXPECT_EQ(reasons,
            "spec.replicas FieldValueInvalid\n"
            "spec.selector FieldValueRequired\n"
            "spec.template.spec.containers[0].volumeMounts[0].name FieldValueNotFound\n"
            "spec.template.spec.containers[1].name FieldValueDuplicate\n"
            "spec.template.spec.restartPolicy FieldValueNotSupported\n"
            "spec.strategy.rollingUpdate FieldValueForbidden\n");
}

// A short request can have more errors than should be sent.
TEST(Validate, FindsAThousandThingsAndNoMore) {
  support::Document wanted = support::document(kWeb, "{}");
  boost::json::array many;
  for (int i = 0; i < 5000; ++i) many.push_back(boost::json::object());
  wanted.object.at("spec").at("template").at("spec").as_object()["containers"] = std::move(many);
  EXPECT_EQ(validate(*wanted.kind, wanted.object, nullptr).size(), 1000U);
}

TEST(Validate, LeavesAStatusOfItsOwnAlone) {
  EXPECT_EQ(update_problems(kWeb, R"({"status": {"replicas": 1, "readyReplicas": 5}})",
                            R"({"status": {"replicas": 1, "readyReplicas": 5}})"),
            "");
}

}  // namespace
}  // namespace ebb::apiserver
