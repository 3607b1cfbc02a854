// Secrets, ConfigMaps, events, services, namespaces and nodes.
#include <gtest/gtest.h>

#include "support/apiserver/validating.h"

namespace ebb::apiserver {
namespace {

using support::problems;
using support::update_problems;

std::string of_kind(const char* kind) {
  return R"({"apiVersion": "v1", "kind": ")" + std::string(kind) +
         R"(", "metadata": {"name": "a", "namespace": "shop"}})";
}

const std::string kSecret = of_kind("Secret");
const std::string kConfig = of_kind("ConfigMap");

TEST(CheckData, WantsKeysThatCanBeFiles) {
  const std::string rule =
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
      "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
      "'[-._a-zA-Z0-9]+')";
  EXPECT_EQ(problems(kSecret, R"({"data": {"a/b": ""}})"),
            "data[a/b]: Invalid value: \"a/b\": " + rule);
  EXPECT_EQ(problems(kConfig, R"({"data": {"..": ""}, "binaryData": {"a b": ""}})"),
            "data[..]: Invalid value: \"..\": must not be '..'\n"
            "binaryData[a b]: Invalid value: \"a b\": " +
                rule);
  EXPECT_EQ(problems(kConfig, R"({"data": {"a": ""}, "binaryData": {"a": ""}})"),
            "data[a]: Invalid value: \"a\": duplicate of key present in binaryData");
}

TEST(CheckData, BoundsTheSizeOfAllValuesTogether) {
  const std::string mebibyte(1024 * 1024, 'x');
  EXPECT_EQ(problems(kConfig, R"({"data": {"a": ")" + mebibyte + R"("}})"), "");
  EXPECT_EQ(problems(kConfig, R"({"data": {"a": ")" + mebibyte + R"(", "b": "x"}})"),
            ": Too long: may not be more than 1048576 bytes");
  // 349,525 groups of four characters are 1,048,575 bytes.
  std::string base64(4UL * 349525, 'A');
  EXPECT_EQ(problems(kSecret, R"({"data": {"a": ")" + base64 + R"(AA=="}})"), "");
  EXPECT_EQ(problems(kSecret, R"({"data": {"a": ")" + base64 + R"(AAA="}})"),
            "data: Too long: may not be more than 1048576 bytes");
}

TEST(CheckData, WantsTheKeysOfASecretsType) {
  EXPECT_EQ(problems(kSecret, R"({"type": "kubernetes.io/tls", "data": {"tls.crt": ""}})"),
            "data[tls.key]: Required value");
  EXPECT_EQ(problems(kSecret, R"({"type": "kubernetes.io/basic-auth", "data": {"password": ""}})"),
            "");
  EXPECT_EQ(problems(kSecret, R"({"type": "kubernetes.io/basic-auth"})"),
            "data[username]: Required value\ndata[password]: Required value");
  EXPECT_EQ(problems(kSecret, R"({"type": "kubernetes.io/service-account-token"})"),
            "metadata.annotations[kubernetes.io/service-account.name]: Required value");
  EXPECT_EQ(problems(kSecret, R"({"type": "example.com/anything"})"), "");
}

TEST(CheckData, KeepsWhatIsImmutable) {
  EXPECT_EQ(update_problems(kSecret, "{}", R"({"type": "example.com/other"})"),
            "type: Invalid value: \"example.com/other\": field is immutable");
  EXPECT_EQ(update_problems(kSecret, R"({"data": {"a": ""}})", R"({"data": {"a": "AAAA"}})"), "");
  const char* const frozen = R"({"immutable": true, "data": {"a": "AAAA"}})";
  for (const std::string& base : {kSecret, kConfig}) {
    EXPECT_EQ(update_problems(base, frozen, frozen), "");
    EXPECT_EQ(update_problems(base, frozen, R"({"immutable": true, "data": {"a": "BBBB"}})"),
              "data: Forbidden: field is immutable when `immutable` is set");
    EXPECT_EQ(update_problems(base, frozen, R"({"data": {"a": "AAAA"}})"),
              "immutable: Forbidden: field is immutable when `immutable` is set");
  }
}

TEST(CheckEvent, WantsTheNamespaceOfWhatItIsAbout) {
  const std::string event = of_kind("Event");
  EXPECT_EQ(problems(event, R"({"involvedObject": {"namespace": "shop"}})"), "");
  EXPECT_EQ(problems(event, R"({"involvedObject": {"namespace": "other"}})"),
            "involvedObject.namespace: Invalid value: \"other\": does not match event.namespace");
  EXPECT_EQ(problems(event, R"({"involvedObject": {"kind": "Node"}})"),
            "involvedObject.namespace: Invalid value: \"\": does not match event.namespace");
  EXPECT_EQ(problems(event, R"({"metadata": {"namespace": "default"},
                                "involvedObject": {"kind": "Node"}})"),
            "");
}

TEST(CheckEvent, WantsMoreOfNewerEvents) {
  const std::string event = of_kind("Event");
  const char* const complete = R"({"eventTime": "2026-11-01T12:00:00.000000Z",
    "involvedObject": {"namespace": "shop"}, "reportingComponent": "ebb.dev/controller",
    "reportingInstance": "ebb-1", "action": "ScaleDown", "reason": "SuccessfulDelete"})";
  EXPECT_EQ(problems(event, complete), "");
  EXPECT_EQ(problems(event, R"({"eventTime": "2026-11-01T12:00:00.000000Z",
                                "involvedObject": {"namespace": "shop"},
                                "reportingComponent": "ebb"})"),
            "reason: Required value\naction: Required value\nreportingInstance: Required value");
}

TEST(CheckService, WantsPortsUnlessThereAreNone) {
  const std::string service = of_kind("Service");
  EXPECT_EQ(problems(service), "spec.ports: Required value");
  EXPECT_EQ(problems(service, R"({"spec": {"clusterIP": "None"}})"), "");
  EXPECT_EQ(problems(service, R"({"spec": {"type": "ExternalName"}})"),
            "spec.externalName: Required value");
  EXPECT_EQ(problems(service, R"({"spec": {"type": "ExternalName", "externalName": "a.b."}})"), "");
  EXPECT_EQ(problems(service, R"({"spec": {"ports": [{"port": 80}, {"port": 81, "name": "b"},
                                                     {"port": 82, "name": "b"}]}})"),
            "spec.ports[0].name: Required value\nspec.ports[2].name: Duplicate value: \"b\"");
  EXPECT_EQ(problems(service, R"({"spec": {"ports": [{"port": 0}]}})"),
            "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive\n"
            "spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535, inclusive");
}

TEST(CheckNode, WantsTaintsOnce) {
  const char* const node = R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}})";
  EXPECT_EQ(problems(node, R"({"spec": {"taints": [{"key": "a", "effect": "NoSchedule"},
                                                   {"key": "a", "effect": "NoExecute"}]}})"),
            "");
  EXPECT_EQ(problems(node, R"({"spec": {"taints": [{"key": "a", "effect": "NoSchedule"},
                                    {"key": "a", "value": "b", "effect": "NoSchedule"}]}})"),
            "spec.taints[1]: Duplicate value: "
            "{\"key\":\"a\",\"value\":\"b\",\"effect\":\"NoSchedule\"}: taints must be unique by "
            "key and effect pair");
  EXPECT_EQ(problems(node, R"({"spec": {"taints": [{"key": "a"}]}})"),
            "spec.taints[0].effect: Required value");
  EXPECT_EQ(problems(node, R"({"spec": {"taints": [{"key": "a", "effect": "Never"}]}})"),
            "spec.taints[0].effect: Unsupported value: \"Never\": supported values: "
            "\"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"");
}

TEST(CheckNode, KeepsWhereTheNodeComesFrom) {
  const char* const node = R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}})";
  const char* const known = R"({"spec": {"providerID": "ebb://n1", "podCIDRs": ["10.0.0.0/24"]}})";
  EXPECT_EQ(update_problems(node, "{}", known), "");
  EXPECT_EQ(update_problems(node, known, known), "");
  EXPECT_EQ(update_problems(node, known, "{}"),
            "spec.podCIDRs: Forbidden: node updates may not change podCIDR except from \"\" to "
            "valid\n"
            "spec.providerID: Invalid value: null: field cannot be cleared once set");
}

TEST(CheckNamespace, ChecksItsFinalizers) {
  const char* const shop =
      R"({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}})";
  EXPECT_EQ(problems(shop, R"({"spec": {"finalizers": ["kubernetes"]}})"), "");
  EXPECT_NE(problems(shop, R"({"spec": {"finalizers": ["no good"]}})"), "");
}

}  // namespace
}  // namespace ebb::apiserver
