#include <gtest/gtest.h>

#include "support/apiserver/validating.h"

namespace ebb::apiserver {
namespace {

using support::problems;
using support::update_problems;

const char* const kConfig = R"({"apiVersion": "v1", "kind": "ConfigMap",
  "metadata": {"name": "c", "namespace": "shop", "uid": "u1",
               "creationTimestamp": "2026-11-01T12:00:00Z"}})";

const std::string kSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

std::string named(const char* api_version, const char* kind, const char* name) {
  const bool global = std::string_view(kind) == "Node" || std::string_view(kind) == "Namespace";
  return problems(R"({"apiVersion": ")" + std::string(api_version) + R"(", "kind": ")" + kind +
                  R"(", "metadata": {"name": ")" + name + '"' +
                  (global ? "}}" : R"(, "namespace": "shop"}})"));
}

TEST(CheckMetadata, HasRulesForNamesByKind) {
  EXPECT_EQ(named("v1", "ConfigMap", "a.b"), "");
  EXPECT_EQ(named("v1", "ConfigMap", "Web"),
            "metadata.name: Invalid value: \"Web\": " + kSubdomain);
  EXPECT_EQ(named("v1", "Node", "a.b"), "");
  EXPECT_EQ(named("v1", "Namespace", "a.b"),
            "metadata.name: Invalid value: \"a.b\": must not contain dots");
  EXPECT_EQ(named("v1", "ServiceAccount", "a.b"), "");
  EXPECT_EQ(named("coordination.k8s.io/v1", "Lease", "a_b"),
            "metadata.name: Invalid value: \"a_b\": " + kSubdomain);
  // Events are named after the object that they are about, whose name may have any form.
  EXPECT_NE(named("v1", "Event", "a%b").find("may not contain '%'"), std::string::npos);
  EXPECT_EQ(named("v1", "Event", "System:Node").find("metadata.name"), std::string::npos);
}

TEST(CheckMetadata, WantsANameOrSomethingToMakeItFrom) {
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"name": null}})"),
            "metadata.name: Required value: name or generateName is required");
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"generateName": "web-"}})"), "");
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"generateName": "Web-"}})"),
            "metadata.generateName: Invalid value: \"Web-\": " + kSubdomain);
}

TEST(CheckMetadata, WantsANamespaceWhereThereAreSome) {
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"namespace": null}})"),
            "metadata.namespace: Required value");
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"namespace": "a.b"}})"),
            "metadata.namespace: Invalid value: \"a.b\": must not contain dots");
  EXPECT_EQ(problems(R"({"apiVersion": "v1", "kind": "Node",
                         "metadata": {"name": "n1", "namespace": "shop"}})"),
            "metadata.namespace: Forbidden: not allowed on this type");
}

TEST(CheckMetadata, ChecksLabelsAndAnnotations) {
  EXPECT_EQ(problems(kConfig, R"({"metadata": {
              "labels": {"example.com/Role": "a_b.C-d", "empty": ""},
              "annotations": {"Example.com/x": "anything at all"}}})"),
            "");
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"labels": {"a/b/c": "x"}}})"),
            "metadata.labels: Invalid value: \"a/b/c\": a valid label key must consist of "
            "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
            "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
            "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and "
            "'/' (e.g. 'example.com/MyName')");
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"labels": {"a": "b c"}}})"),
            "metadata.labels: Invalid value: \"b c\": a valid label must be an empty string or "
            "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
            "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
            "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"annotations": {"/x": ""}}})"),
            "metadata.annotations: Invalid value: \"/x\": prefix part must be non-empty");
}

TEST(CheckMetadata, BoundsTheSizeOfAllAnnotationsTogether) {
  const auto sized = [](std::size_t bytes) {
    return problems(kConfig, R"({"metadata": {"annotations": {"a": "", "b": ")" +
                                 std::string(bytes - 2, 'x') + R"("}}})");
  };
  EXPECT_EQ(sized(256 * 1024), "");
  EXPECT_EQ(sized(256 * 1024 + 1),
            "metadata.annotations: Too long: may not be more than 262144 bytes");
}

TEST(CheckMetadata, ChecksOwners) {
  const auto owners = [](const std::string& list) {
    return problems(kConfig, R"({"metadata": {"ownerReferences": [)" + list + "]}}");
  };
  const std::string a =
      R"({"apiVersion":"apps/v1","kind":"ReplicaSet","name":"a","uid":"1","controller":true})";
  const std::string b =
      R"({"apiVersion":"v1","kind":"Pod","name":"b","uid":"2","controller":true})";
  EXPECT_EQ(owners(a), "");
  EXPECT_EQ(owners(a + "," + b),
            "metadata.ownerReferences: Invalid value: [" + a + "," + b +
                "]: Only one reference can have Controller set to true. Found \"true\" in "
                "references for ReplicaSet/a and Pod/b");
  EXPECT_EQ(owners("{}"),
            "metadata.ownerReferences[0].apiVersion: Required value\n"
            "metadata.ownerReferences[0].kind: Required value\n"
            "metadata.ownerReferences[0].name: Required value\n"
            "metadata.ownerReferences[0].uid: Required value");
  EXPECT_EQ(owners(R"({"apiVersion": "a/b/c", "kind": "X", "name": "x", "uid": "1"})"),
            "metadata.ownerReferences[0].apiVersion: Invalid value: \"a/b/c\": must be "
            "<group>/<version> or <version>");
  EXPECT_EQ(owners(R"({"apiVersion":"v1","kind":"Event","name":"e","uid":"1"})"),
            "metadata.ownerReferences[0]: Invalid value: "
            "{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"name\":\"e\",\"uid\":\"1\"}: /v1, "
            "Kind=Event is disallowed from being an owner");
}

TEST(CheckMetadata, ChecksFinalizers) {
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"finalizers": ["orphan", "ebb.dev/keep"]}})"), "");
  EXPECT_EQ(problems(kConfig, R"({"metadata": {"finalizers": ["orphan", "foregroundDeletion"]}})"),
            "metadata.finalizers: Invalid value: [\"orphan\",\"foregroundDeletion\"]: finalizer "
            "orphan and foregroundDeletion cannot be both set");
  EXPECT_NE(problems(kConfig, R"({"metadata": {"finalizers": ["no good"]}})"), "");
}

TEST(CheckMetadata, AddsNoFinalizersToWhatIsBeingDeleted) {
  const char* const going = R"({"metadata": {"deletionTimestamp": "2026-11-01T12:00:00Z",
                                             "finalizers": ["ebb.dev/a", "ebb.dev/b"]}})";
  EXPECT_EQ(update_problems(kConfig, going, R"({"metadata": {"finalizers": ["ebb.dev/b"]}})"), "");
  EXPECT_EQ(update_problems(kConfig, going,
                            R"({"metadata": {"finalizers": ["ebb.dev/b", "ebb.dev/c"]}})"),
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being "
            "deleted, found new finalizers []string{\"ebb.dev/c\"}");
}

TEST(CheckMetadata, KeepsWhatMustNotChange) {
  const struct {
    const char* after;
    const char* problems;
  } cases[] = {
      {R"({"metadata": {"labels": {"a": "b"}}})", ""},
      {R"({"metadata": {"uid": null, "creationTimestamp": null}})", ""},
      {R"({"metadata": {"name": "d"}})", "metadata.name: Invalid value: \"d\": field is immutable"},
      {R"({"metadata": {"namespace": "other"}})",
       "metadata.namespace: Invalid value: \"other\": field is immutable"},
      {R"({"metadata": {"uid": "u2"}})", "metadata.uid: Invalid value: \"u2\": field is immutable"},
      {R"({"metadata": {"deletionTimestamp": "2026-11-01T12:00:00Z"}})",
       "metadata.deletionTimestamp: Invalid value: \"2026-11-01T12:00:00Z\": field is immutable"},
      {R"({"metadata": {"deletionGracePeriodSeconds": 5}})",
       "metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable"},
  };
  for (const auto& one : cases) EXPECT_EQ(update_problems(kConfig, "{}", one.after), one.problems);
}

}  // namespace
}  // namespace ebb::apiserver
