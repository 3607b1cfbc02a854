#include <gtest/gtest.h>

#include "support/apiserver/validating.h"

namespace ebb::apiserver {
namespace {

using support::problems;
using support::status_problems;
using support::update_problems;

std::string workload(std::string_view kind) {
  return R"({"apiVersion": "apps/v1", "kind": ")" + std::string(kind) + R"(",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"selector": {"matchLabels": {"app": "web"}},
             "template": {"metadata": {"labels": {"app": "web"}},
                          "spec": {"containers": [{"name": "web", "image": "web:1"}]}}}})";
}

const std::string kWeb = workload("Deployment");
const std::string kSet = workload("ReplicaSet");

TEST(CheckWorkload, WantsASelectorThatMatchesTheTemplate) {
  const struct {
    const char* change;
    const char* problems;
  } cases[] = {
      {R"({"spec": {"selector": null}})", "spec.selector: Required value"},
      {R"({"spec": {"selector": {"matchLabels": null}}})",
       "spec.selector: Invalid value: {}: empty selector is invalid for deployment"},
      {R"({"spec": {"template": {"metadata": {"labels": {"z": "1", "app": "db"}}}}})",
       "spec.template.metadata.labels: Invalid value: {\"app\":\"db\",\"z\":\"1\"}: `selector` "
       "does not match template `labels`"},
      {R"({"spec": {"template": {"metadata": null}}})",
       "spec.template.metadata.labels: Invalid value: null: `selector` does not match template "
       "`labels`"},
      {R"({"spec": {"selector": {"matchExpressions": [
            {"key": "app", "operator": "In", "values": ["db", "web"]},
            {"key": "old", "operator": "DoesNotExist"},
            {"key": "app", "operator": "NotIn", "values": ["db"]},
            {"key": "app", "operator": "Exists"}]}}})",
       ""},
      {R"({"spec": {"selector": {"matchExpressions": [{"key": "app", "operator": "NotIn",
                                                        "values": ["web"]}]}}})",
       "spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match "
       "template `labels`"},
      {R"({"spec": {"selector": {"matchExpressions": [{"key": "app", "operator": "In"}]}}})",
       "spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":["
       "{\"key\":\"app\",\"operator\":\"In\"}]}: invalid label selector\n"
       "spec.selector.matchExpressions[0].values: Required value: must be specified when "
       "`operator` is 'In' or 'NotIn'"},
      {R"({"spec": {"selector": {"matchLabels": null, "matchExpressions": [
            {"key": "app", "operator": "Exists", "values": ["a"]}]}}})",
       "spec.selector: Invalid value: {\"matchExpressions\":[{\"key\":\"app\",\"operator\":"
       "\"Exists\",\"values\":[\"a\"]}]}: invalid label selector\n"
       "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` "
       "is 'Exists' or 'DoesNotExist'"},
      {R"({"spec": {"selector": {"matchLabels": null, "matchExpressions": [
            {"key": "app", "operator": "Is", "values": ["a"]}]}}})",
       "spec.selector: Invalid value: {\"matchExpressions\":[{\"key\":\"app\",\"operator\":"
       "\"Is\",\"values\":[\"a\"]}]}: invalid label selector\n"
       "spec.selector.matchExpressions[0].operator: Invalid value: \"Is\": not a valid selector "
       "operator"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(problems(kWeb, one.change), one.problems);
    EXPECT_EQ(problems(kSet, one.change), one.problems);
  }
}

TEST(CheckWorkload, KeepsTheSelectorForGood) {
  const char* const other = R"({"spec": {
    "selector": {"matchLabels": {"app": "db"}},
    "template": {"metadata": {"labels": {"app": "db"}}}}})";
  for (const std::string& base : {kWeb, kSet}) {
    EXPECT_EQ(update_problems(base, "{}", R"({"spec": {"replicas": 5}})"), "");
    EXPECT_EQ(update_problems(base, "{}", other),
              "spec.selector: Invalid value: {\"matchLabels\":{\"app\":\"db\"}}: field is "
              "immutable");
  }
}

TEST(CheckWorkload, WantsATemplateOfPodsThatCanBeKeptRunning) {
  const struct {
    const char* spec;
    const char* problems;
  } cases[] = {
      {R"({"restartPolicy": "Never"})",
       "spec.template.spec.restartPolicy: Unsupported value: \"Never\": supported values: "
       "\"Always\""},
      {R"({"activeDeadlineSeconds": 5})",
       "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet "
       "is not Supported"},
      {R"({"containers": []})", "spec.template.spec.containers: Required value"},
      {R"({"containers": [{"name": "a"}]})",
       "spec.template.spec.containers[0].image: Required value"},
      {R"({"ephemeralContainers": [{"name": "a", "image": "a"}]})",
       "spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in "
       "pod template"},
      {R"({"nodeSelector": {"zone": "no good"}, "terminationGracePeriodSeconds": 0})",
       "spec.template.spec.nodeSelector: Invalid value: \"no good\": a valid label must be an "
       "empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
       "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex "
       "used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"},
  };
  for (const auto& one : cases) {
    const std::string change = R"({"spec": {"template": {"spec": )" + std::string(one.spec) + "}}}";
    EXPECT_EQ(problems(kSet, change), one.problems) << one.spec;
  }
}

TEST(CheckWorkload, RefusesDeletionCostsInTemplatesThatAreNotNumbers) {
  const auto cost = [](const char* text) {
    return R"({"spec": {"template": {"metadata": {"annotations":
               {"controller.kubernetes.io/pod-deletion-cost": ")" +
           std::string(text) + R"("}}}}})";
  };
  const std::string refusal =
      "spec.template.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "
      "\"+5\": must be a 32bit integer";
  for (const std::string& base : {kWeb, kSet}) {
    EXPECT_EQ(problems(base, cost("-5")), "");
    EXPECT_EQ(problems(base, cost("+5")), refusal);
    EXPECT_EQ(update_problems(base, cost("5"), cost("+5")), refusal);
    EXPECT_EQ(update_problems(base, cost("many"), cost("+5")), "");
  }
}

TEST(CheckWorkload, BoundsARollout) {
  const struct {
    const char* rolling;
    const char* problems;
  } cases[] = {
      {R"({"maxUnavailable": 1, "maxSurge": 0})", ""},
      {R"({"maxUnavailable": "0%", "maxSurge": "1%"})", ""},
      {R"({"maxUnavailable": 0, "maxSurge": 0})",
       "maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0"},
      {R"({"maxUnavailable": "0%", "maxSurge": 0})",
       "maxUnavailable: Invalid value: \"0%\": may not be 0 when `maxSurge` is 0"},
      {R"({"maxUnavailable": "101%"})",
       "maxUnavailable: Invalid value: \"101%\": must not be greater than 100%"},
      {R"({"maxUnavailable": "99999999999999999999999%"})",
       "maxUnavailable: Invalid value: \"99999999999999999999999%\": must not be greater than "
       "100%"},
      {R"({"maxSurge": "200%"})", ""},
      {R"({"maxSurge": -1})", "maxSurge: Invalid value: -1: must be greater than or equal to 0"},
      {R"({"maxSurge": "half"})",
       "maxSurge: Invalid value: \"half\": a valid percent string must be a numeric string "
       "followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"},
  };
  for (const auto& one : cases) {
    const std::string change =
        R"({"spec": {"strategy": {"rollingUpdate": )" + std::string(one.rolling) + "}}}";
    const std::string where = *one.problems == '\0' ? "" : "spec.strategy.rollingUpdate.";
    EXPECT_EQ(problems(kWeb, change), where + one.problems) << one.rolling;
  }
  EXPECT_EQ(problems(kWeb, R"({"spec": {"strategy": {"type": "Recreate"}}})"), "");
  EXPECT_EQ(
      problems(kWeb,
               R"({"spec": {"strategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}}})"),
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is "
      "'Recreate'");
}

TEST(CheckWorkload, WantsAProgressDeadlineAfterPodsCanBeAvailable) {
  EXPECT_EQ(problems(kWeb, R"({"spec": {"progressDeadlineSeconds": 11, "minReadySeconds": 10}})"),
            "");
  EXPECT_EQ(problems(kWeb, R"({"spec": {"progressDeadlineSeconds": 10, "minReadySeconds": 10}})"),
            "spec.progressDeadlineSeconds: Invalid value: 10: must be greater than "
            "minReadySeconds");
  EXPECT_EQ(problems(kWeb, R"({"spec": {"minReadySeconds": -1, "revisionHistoryLimit": -2}})"),
            "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0\n"
            "spec.revisionHistoryLimit: Invalid value: -2: must be greater than or equal to 0");
}

TEST(CheckWorkload, BoundsTheCountsOfAStatus) {
  const struct {
    const char* status;
    const char* problems;
  } cases[] = {
      {R"({"replicas": 3, "readyReplicas": 2, "availableReplicas": 1, "fullyLabeledReplicas": 3})",
       ""},
      {R"({"replicas": -1})",
       "status.replicas: Invalid value: -1: must be greater than or equal to 0\n"
       "status.fullyLabeledReplicas: Invalid value: 0: cannot be greater than status.replicas\n"
       "status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas\n"
       "status.availableReplicas: Invalid value: 0: cannot be greater than status.replicas"},
      {R"({"replicas": 1, "readyReplicas": 2})",
       "status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas"},
      {R"({"replicas": 2, "readyReplicas": 1, "availableReplicas": 2})",
       "status.availableReplicas: Invalid value: 2: cannot be greater than readyReplicas"},
      {R"({"replicas": 1, "fullyLabeledReplicas": 2})",
       "status.fullyLabeledReplicas: Invalid value: 2: cannot be greater than status.replicas"},
      {R"({"terminatingReplicas": -1, "observedGeneration": -1})",
       "status.terminatingReplicas: Invalid value: -1: must be greater than or equal to 0\n"
       "status.observedGeneration: Invalid value: -1: must be greater than or equal to 0"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(status_problems(kSet, "{}", R"({"status": )" + std::string(one.status) + "}"),
              one.problems);
  }
  EXPECT_EQ(status_problems(kWeb, "{}", R"({"status": {"replicas": 1, "updatedReplicas": 2}})"),
            "status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas");
  EXPECT_EQ(status_problems(kWeb, R"({"status": {"collisionCount": 2}})",
                            R"({"status": {"collisionCount": 1}})"),
            "status.collisionCount: Invalid value: 1: cannot be decremented");
}

TEST(CheckWorkload, ChecksThePicker) {
  for (const std::string& base : {kWeb, kSet}) {
    EXPECT_EQ(problems(base, R"({"spec": {"downscalePodPicker": {"http": {"host": "picker"}}}})"),
              "");
    EXPECT_EQ(
        problems(base, R"({"spec": {"downscalePodPicker": {"maxRetries": 11}}})"),
        "spec.downscalePodPicker: Required value: one of `http` and `grpc` must be specified\n"
        "spec.downscalePodPicker.maxRetries: Invalid value: 11: must be between 0 and 10, "
        "inclusive");
  }
}

}  // namespace
}  // namespace ebb::apiserver
