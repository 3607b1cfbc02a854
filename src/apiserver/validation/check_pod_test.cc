#include <gtest/gtest.h>

#include "support/apiserver/validating.h"

namespace ebb::apiserver {
namespace {

using support::problems;
using support::status_problems;
using support::update_problems;

const char* const kPod = R"({"apiVersion": "v1", "kind": "Pod",
  "metadata": {"name": "web", "namespace": "shop"},
  "spec": {"containers": [{"name": "web", "image": "web:1"}]}})";

// The errors of a pod whose spec has these fields, without the prefix `spec.`.
std::string spec_problems(std::string_view spec) {
  std::string text = problems(kPod, R"({"spec": )" + std::string(spec) + "}");
  for (std::size_t at = 0; (at = text.find("spec.", at)) != std::string::npos;) {
    if (at == 0 || text[at - 1] == '\n') {
      text.erase(at, 5);
    } else {
      at += 5;
    }
  }
  return text;
}

// The same for its only container.
std::string container_problems(std::string_view container) {
  return spec_problems(R"({"volumes": [{"name": "v"}], "containers": [
    {"name": "web", "image": "web:1", )" +
                       std::string(container) + "}]}");
}

struct Case {
  const char* given;
  const char* problems;
};

TEST(CheckPod, WantsContainersWithNamesOfTheirOwn) {
  const Case cases[] = {
      {R"({"containers": null})", "containers: Required value"},
      {R"({"containers": [{"name": "a", "image": "a"}, {"name": "a", "image": "b"}]})",
       "containers[1].name: Duplicate value: \"a\""},
      {R"({"initContainers": [{"name": "web", "image": "a"}]})",
       "initContainers[0].name: Duplicate value: \"web\""},
      {R"({"containers": [{"name": "a"}]})", "containers[0].image: Required value"},
      {R"({"containers": [{"name": "a", "image": "a", "imagePullPolicy": "Often"}]})",
       "containers[0].imagePullPolicy: Unsupported value: \"Often\": supported values: "
       "\"Always\", \"IfNotPresent\", \"Never\""},
      {R"({"ephemeralContainers": [{"name": "e", "image": "a"}]})",
       "ephemeralContainers: Forbidden: cannot be set on create"},
  };
  for (const Case& one : cases) EXPECT_EQ(spec_problems(one.given), one.problems) << one.given;
}

TEST(CheckPod, ChecksPorts) {
  const Case cases[] = {
      {R"("ports": [{"name": "http", "containerPort": 80}, {"name": "b", "containerPort": 80}])",
       ""},
      {R"("ports": [{"name": "http", "containerPort": 80}, {"name": "http", "containerPort": 81}])",
       "containers[0].ports[1].name: Duplicate value: \"http\""},
      {R"("ports": [{"name": "HTTP", "containerPort": 80}])",
       "containers[0].ports[0].name: Invalid value: \"HTTP\": must contain only alpha-numeric "
       "characters (a-z, 0-9), and hyphens (-)\n"
       "containers[0].ports[0].name: Invalid value: \"HTTP\": must contain at least one letter "
       "(a-z)"},
      {R"("ports": [{"containerPort": 80, "protocol": "ICMP"}])",
       "containers[0].ports[0].protocol: Unsupported value: \"ICMP\": supported values: \"SCTP\", "
       "\"TCP\", \"UDP\""},
      {R"("ports": [{"containerPort": 80, "hostPort": 80}, {"containerPort": 81, "hostPort": 80},
                    {"containerPort": 82, "hostPort": 80, "protocol": "UDP"}])",
       "containers[0].ports[1].hostPort: Duplicate value: \"TCP//80\""},
  };
  for (const Case& one : cases) EXPECT_EQ(container_problems(one.given), one.problems);
}

TEST(CheckPod, ChecksTheEnvironment) {
  const Case cases[] = {
      {R"("env": [{"name": "A"}, {"name": "a b.c"},
                  {"name": "S", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}])",
       ""},
      {R"("env": [{"value": "x"}])", "containers[0].env[0].name: Required value"},
      {R"("env": [{"name": "A=B"}])",
       "containers[0].env[0].name: Invalid value: \"A=B\": a valid environment variable name must "
       "consist only of printable ASCII characters other than '='"},
      {R"("env": [{"name": "A", "value": "x", "valueFrom": {"secretKeyRef": {"key": "k"}}}])",
       "containers[0].env[0].valueFrom: Invalid value: \"\": may not be specified when `value` is "
       "not empty"},
      {R"("env": [{"name": "A", "valueFrom": {}}])",
       "containers[0].env[0].valueFrom: Invalid value: \"\": must specify one of: `fieldRef`, "
       "`resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`"},
      {R"("env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"},
                                              "configMapKeyRef": {"name": "c", "key": "k"}}}])",
       "containers[0].env[0].valueFrom: Invalid value: \"\": may not have more than one field "
       "specified at a time"},
      {R"("env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "s", "key": "a/b"}}}])",
       "containers[0].env[0].valueFrom.secretKeyRef.key: Invalid value: \"a/b\": a valid config "
       "key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or "
       "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')"},
  };
  for (const Case& one : cases) EXPECT_EQ(container_problems(one.given), one.problems);
}

TEST(CheckPod, ChecksVolumesAndMounts) {
  EXPECT_EQ(container_problems(R"("volumeMounts": [{"name": "v", "mountPath": "/a"},
                                                   {"name": "v", "mountPath": "/b"}])"),
            "");
  EXPECT_EQ(container_problems(R"("volumeMounts": [{"name": "w", "mountPath": "/a"},
                                                   {"name": "v", "mountPath": "/a"}])"),
            "containers[0].volumeMounts[0].name: Not found: \"w\"\n"
            "containers[0].volumeMounts[1].mountPath: Invalid value: \"/a\": must be unique");
  EXPECT_EQ(spec_problems(R"({"volumes": [{"name": "v"}, {"name": "v"}]})"),
            "volumes[1].name: Duplicate value: \"v\"");
  EXPECT_EQ(
      spec_problems(R"({"volumes": [{"name": "v", "emptyDir": {}, "hostPath": {"path": "/"}}]})"),
      "volumes[0].hostPath: Forbidden: may not specify more than 1 volume type");
  EXPECT_EQ(spec_problems(R"({"volumes": [{"emptyDir": {}}]})"), "volumes[0].name: Required value");
}

TEST(CheckPod, ChecksProbes) {
  const Case cases[] = {
      {R"("livenessProbe": {"httpGet": {"port": "http"}}, "readinessProbe":
          {"exec": {"command": ["true"]}, "successThreshold": 3})",
       ""},
      {R"("livenessProbe": {})",
       "containers[0].livenessProbe: Required value: must specify a handler type"},
      {R"("livenessProbe": {"httpGet": {"port": 80}, "tcpSocket": {"port": 80}})",
       "containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler "
       "type"},
      {R"("livenessProbe": {"tcpSocket": {"port": 80}, "successThreshold": 2})",
       "containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1"},
      {R"("livenessProbe": {"tcpSocket": {"port": 80}, "periodSeconds": -1})",
       "containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or "
       "equal to 0"},
  };
  for (const Case& one : cases) EXPECT_EQ(container_problems(one.given), one.problems);
  EXPECT_EQ(spec_problems(R"({"initContainers": [{"name": "i", "image": "i",
                               "readinessProbe": {"tcpSocket": {"port": 80}}}]})"),
            "initContainers[0].readinessProbe: Forbidden: may not be set for init containers "
            "without restartPolicy=Always");
  EXPECT_EQ(spec_problems(R"({"initContainers": [{"name": "i", "image": "i",
                               "restartPolicy": "Always",
                               "readinessProbe": {"tcpSocket": {"port": 80}}}]})"),
            "");
}

TEST(CheckPod, ChecksResources) {
  const Case cases[] = {
      {R"({"requests": {"cpu": "500m", "memory": "1Gi"}, "limits": {"cpu": "1", "memory": "1Gi"}})",
       ""},
      {R"({"requests": {"cpu": "-1"}})",
       "requests[cpu]: Invalid value: \"-1\": must be greater than or equal to 0"},
      {R"({"requests": {"cpu": "2"}, "limits": {"cpu": "1500m"}})",
       "requests: Invalid value: \"2\": must be less than or equal to cpu limit of 1500m"},
      {R"({"requests": {"cores": "2"}})",
       "requests[cores]: Invalid value: \"cores\": must be a standard resource type or fully "
       "qualified\n"
       "containers[0].resources.requests[cores]: Invalid value: \"cores\": must be a standard "
       "resource for containers"},
      {R"({"requests": {"example.com/gpu": "1"}, "limits": {"example.com/gpu": "1"}})", ""},
      {R"({"requests": {"example.com/gpu": "1"}, "limits": {"example.com/gpu": "2"}})",
       "requests: Invalid value: \"1\": must be equal to example.com/gpu limit of 2"},
      {R"({"requests": {"example.com/gpu": "1"}})",
       "limits: Required value: Limit must be set for non overcommitable resources"},
      {R"({"limits": {"example.com/gpu": "500m"}})",
       "limits[example.com/gpu]: Invalid value: \"500m\": must be an integer"},
  };
  for (const Case& one : cases) {
    // A pod gets its requests from its limits; a template stays unchanged.
    const std::string given = problems(
        R"({"apiVersion": "apps/v1", "kind": "ReplicaSet",
            "metadata": {"name": "web", "namespace": "shop"},
            "spec": {"selector": {"matchLabels": {"app": "web"}},
                     "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [
                       {"name": "web", "image": "web:1", "resources": )" +
        std::string(one.given) + "}]}}}}");
    const std::string where = *one.problems == '\0' ? "" : "containers[0].resources.";
    std::string expected = where + one.problems;
    for (std::size_t at = 0; (at = expected.find("containers[0]", at)) != std::string::npos;) {
      expected.insert(at, "spec.template.spec.");
      at += 32;
    }
    EXPECT_EQ(given, expected) << one.given;
  }
}

TEST(CheckPod, ChecksTolerations) {
  const Case cases[] = {
      {R"({"operator": "Exists"})", ""},
      {R"({"key": "a", "value": "b", "effect": "NoExecute", "tolerationSeconds": 5})", ""},
      {R"({"key": "a", "value": "b", "operator": "Exists"})",
       "operator: Invalid value: \"b\": value must be empty when `operator` is 'Exists'"},
      {R"({"effect": "NoSchedule"})",
       "operator: Invalid value: \"\": operator must be Exists when `key` is empty, which means "
       "\"match all values and all keys\""},
      {R"({"key": "a", "effect": "NoSchedule", "tolerationSeconds": 5})",
       "effect: Invalid value: \"NoSchedule\": effect must be 'NoExecute' when "
       "`tolerationSeconds` is set"},
  };
  for (const Case& one : cases) {
    const std::string where = *one.problems == '\0' ? "" : "tolerations[0].";
    EXPECT_EQ(spec_problems(R"({"tolerations": [)" + std::string(one.given) + "]}"),
              where + one.problems);
  }
}

TEST(CheckPod, ChecksOtherFieldsOfTheSpec) {
  const Case cases[] = {
      {R"({"terminationGracePeriodSeconds": 0, "activeDeadlineSeconds": 1})", ""},
      {R"({"terminationGracePeriodSeconds": -1})", ""},  // means 1
      {R"({"activeDeadlineSeconds": 0})",
       "activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"},
      {R"({"nodeName": "n1", "schedulingGates": [{"name": "wait"}]})",
       "nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"},
      {R"({"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution":
            [{"topologyKey": "zone", "labelSelector": {"matchExpressions": [
              {"key": "a", "operator": "In"}]}}]}}})",
       "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector."
       "matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or "
       "'NotIn'"},
      {R"({"topologySpreadConstraints": [{"maxSkew": 0, "topologyKey": "zone",
                                          "whenUnsatisfiable": "DoNotSchedule"}]})",
       "topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than 0"},
  };
  for (const Case& one : cases) EXPECT_EQ(spec_problems(one.given), one.problems);
}

TEST(CheckPod, RefusesDeletionCostsThatAreNotNumbers) {
  const auto cost = [](const char* text) {
    return R"({"metadata": {"annotations": {"controller.kubernetes.io/pod-deletion-cost": ")" +
           std::string(text) + R"("}}})";
  };
  const auto refusal = [](const char* text) {
    return "metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: \"" +
           std::string(text) + "\": must be a 32bit integer";
  };
  for (const char* valid : {"0", "-0", "-008", "2147483647", "-2147483648"}) {
    EXPECT_EQ(problems(kPod, cost(valid)), "") << valid;
  }
  for (const char* invalid : {"", "00", "+1", " 1", "1e3", "2147483648", "-2147483649"}) {
    EXPECT_EQ(problems(kPod, cost(invalid)), refusal(invalid));
    EXPECT_EQ(update_problems(kPod, cost("1"), cost(invalid)), refusal(invalid));
    EXPECT_EQ(update_problems(kPod, "{}", cost(invalid)), refusal(invalid));
    EXPECT_EQ(status_problems(kPod, cost("1"), cost(invalid)), refusal(invalid));
    // A field that was invalid before may stay invalid.
    EXPECT_EQ(update_problems(kPod, cost("many"), cost(invalid)), "");
    EXPECT_EQ(status_problems(kPod, cost("many"), cost(invalid)), "");
  }
}

TEST(CheckPod, TakesAnyDeletionCostWhileItsGateIsOff) {
  model::FeatureGates off;
  off.set(model::Gate::kPodDeletionCost, false);
  const std::string cost =
      R"({"metadata": {"annotations": {"controller.kubernetes.io/pod-deletion-cost": "much"}}})";
  EXPECT_NE(problems(kPod, cost), "");
  EXPECT_EQ(problems(kPod, cost, off), "");
}

const std::string kOnly =
    "spec: Forbidden: pod updates may not change fields other than `spec.containers[*].image`,"
    "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
    "to 1 if it was previously negative)\nchanged: ";

TEST(CheckPodUpdate, AllowsWhatMayChange) {
  const Case cases[] = {
      {"{}", R"({"metadata": {"labels": {"a": "b"}}})"},
      {"{}", R"({"spec": {"containers": [{"name": "web", "image": "web:2",
                                          "imagePullPolicy": "IfNotPresent"}]}})"},
      {"{}", R"({"spec": {"activeDeadlineSeconds": 60}})"},
      {R"({"spec": {"activeDeadlineSeconds": 60}})", R"({"spec": {"activeDeadlineSeconds": 5}})"},
      {"{}", R"({"spec": {"tolerations": [{"operator": "Exists"}]}})"},
      {R"({"spec": {"tolerations": [{"operator": "Exists", "effect": "NoExecute"}]}})",
       R"({"spec": {"tolerations": [{"operator": "Exists", "effect": "NoExecute",
                                     "tolerationSeconds": 5}]}})"},
      {R"({"spec": {"schedulingGates": [{"name": "a"}, {"name": "b"}]}})",
       R"({"spec": {"schedulingGates": [{"name": "b"}]}})"},
      {R"({"spec": {"terminationGracePeriodSeconds": -5}})",
       R"({"spec": {"terminationGracePeriodSeconds": 1}})"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(update_problems(kPod, one.given, one.problems), "") << one.problems;
  }
}

TEST(CheckPodUpdate, RefusesAllOtherChanges) {
  const struct {
    const char* before;
    const char* after;
    std::string problems;
  } cases[] = {
      {"{}", R"({"spec": {"nodeName": "n1"}})", kOnly + "nodeName"},
      {R"({"spec": {"nodeName": "n1"}})", R"({"spec": {"nodeName": "n2", "hostname": "h"}})",
       kOnly + "nodeName, hostname"},
      {R"({"spec": {"nodeName": "n1"}})", "{}", kOnly + "nodeName"},
      {"{}", R"({"spec": {"containers": [{"name": "other", "image": "web:1"}]}})",
       kOnly + "containers"},
      {"{}", R"({"spec": {"terminationGracePeriodSeconds": 1}})",
       kOnly + "terminationGracePeriodSeconds"},
      {"{}",
       R"({"spec": {"containers": [{"name": "web", "image": "web:1"}, {"name": "b", "image": "b"}]}})",
       "spec.containers: Forbidden: pod updates may not add or remove containers"},
      {"{}", R"({"spec": {"initContainers": [{"name": "b", "image": "b"}]}})",
       "spec.initContainers: Forbidden: pod updates may not add or remove containers"},
      {"{}", R"({"spec": {"containers": [{"name": "web", "image": "web:2 ",
                                          "imagePullPolicy": "IfNotPresent"}]}})",
       "spec.containers[0].image: Invalid value: \"web:2 \": must not have leading or trailing "
       "whitespace"},
      {R"({"spec": {"activeDeadlineSeconds": 5}})", R"({"spec": {"activeDeadlineSeconds": 6}})",
       "spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to previous "
       "value"},
      {R"({"spec": {"activeDeadlineSeconds": 5}})", "{}",
       "spec.activeDeadlineSeconds: Invalid value: null: must not update from a positive integer "
       "to nil value"},
      {R"({"spec": {"tolerations": [{"operator": "Exists"}]}})", "{}",
       "spec.tolerations: Forbidden: existing toleration can not be modified except its "
       "tolerationSeconds"},
      {"{}", R"({"spec": {"schedulingGates": [{"name": "a"}]}})",
       "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new "
       "scheduling gate 'a'"},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(update_problems(kPod, one.before, one.after), one.problems) << one.after;
  }
}

TEST(CheckPodStatus, KeepsTheClassOfService) {
  EXPECT_EQ(status_problems(kPod, R"({"status": {"qosClass": "BestEffort"}})",
                            R"({"status": {"qosClass": "Guaranteed"}})"),
            "status.qosClass: Invalid value: \"Guaranteed\": field is immutable");
  EXPECT_EQ(status_problems(kPod, "{}", R"({"status": {"qosClass": "Guaranteed"}})"), "");
  EXPECT_EQ(status_problems(kPod, R"({"status": {"phase": "Pending"}})",
                            R"({"status": {"phase": "Running", "cost": -5}})"),
            "");
}

}  // namespace
}  // namespace ebb::apiserver
