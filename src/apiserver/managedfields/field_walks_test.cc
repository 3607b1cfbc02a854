// Merging, comparing and claiming along the structure of Deployments.
#include "apiserver/managedfields/field_walks.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/schemas/schemas_apps.h"
#include "schema/schemas/schemas_pod.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

json::object object(std::string_view text) { return json::parse(text).as_object(); }

std::string text_of(const FieldSet& set) { return fields_v1(set); }

json::object pod(std::string_view spec) { return object(fmt::format(R"({{"spec":{}}})", spec)); }

TEST(CompareFields, ReportsFieldsThatWereAddedModifiedAndRemoved) {
  const struct {
    std::string_view before;
    std::string_view after;
    std::string_view added;
    std::string_view modified;
    std::string_view removed;
  } cases[] = {
      {R"({"nodeName":"a"})", R"({"nodeName":"a"})", "{}", "{}", "{}"},
      {R"({"nodeName":"a"})", R"({"nodeName":"b"})", "{}", R"({"f:spec":{"f:nodeName":{}}})", "{}"},
      // A new value counts itself, and so does everything in it.
      {"{}", R"({"securityContext":{"fsGroup":1}})",
       R"({"f:spec":{"f:securityContext":{".":{},"f:fsGroup":{}}}})", "{}", "{}"},
      // Atomic maps are one place.
      {R"({"nodeSelector":{"a":"1"}})", R"({"nodeSelector":{"a":"1","b":"2"}})", "{}",
       R"({"f:spec":{"f:nodeSelector":{}}})", "{}"},
      // List entries are matched by key, whatever their position.
      {R"({"containers":[{"name":"a","image":"1"},{"name":"b","image":"1"}]})",
       R"({"containers":[{"name":"b","image":"2"},{"name":"a","image":"1"}]})", "{}",
       R"({"f:spec":{"f:containers":{"k:{\"name\":\"b\"}":{"f:image":{}}}}})", "{}"},
      {R"({"containers":[{"name":"a"}]})", R"({"containers":[]})", "{}", "{}",
       R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}}}})"},
      // Ports by number and protocol, TCP if they name none.
      {R"({"containers":[{"name":"a","ports":[{"containerPort":53}]}]})",
       R"({"containers":[{"name":"a","ports":[{"containerPort":53,"protocol":"TCP"},)"
       R"({"containerPort":53,"protocol":"UDP"}]}]})",
       R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{"f:ports":{)"
       R"("k:{\"containerPort\":53,\"protocol\":\"TCP\"}":{"f:protocol":{}},)"
       R"("k:{\"containerPort\":53,\"protocol\":\"UDP\"}":)"
       R"({".":{},"f:containerPort":{},"f:protocol":{}}}}}}})",
       "{}", "{}"},
      // Atomic lists are one place.
      {R"({"tolerations":[{"key":"a"}]})", R"({"tolerations":[{"key":"a"},{"key":"b"}]})", "{}",
       R"({"f:spec":{"f:tolerations":{}}})", "{}"},
  };
  for (const auto& each : cases) {
    const FieldChanges changes = compare_fields(schema::kPod, pod(each.before), pod(each.after));
    EXPECT_EQ(text_of(changes.added), each.added) << each.after;
    EXPECT_EQ(text_of(changes.modified), each.modified) << each.after;
    EXPECT_EQ(text_of(changes.removed), each.removed) << each.after;
  }
}

TEST(FieldsOf, CountsStructuresByWhatIsInThem) {
  const struct {
    std::string_view document;
    std::string_view fields;
  } cases[] = {
      {R"({"spec":{"nodeName":"a"}})", R"({"f:spec":{"f:nodeName":{}}})"},
      {R"({"spec":{"securityContext":{}}})", R"({"f:spec":{"f:securityContext":{}}})"},
      {R"({"spec":{"nodeName":null}})", R"({"f:spec":{"f:nodeName":{}}})"},
      {R"({"metadata":{"labels":{"a":"1"},"finalizers":["x/y"]}})",
       R"({"f:metadata":{"f:finalizers":{"v:\"x/y\"":{}},"f:labels":{"f:a":{}}}})"},
      {R"({"spec":{"containers":[{"name":"a","command":["x"]}]}})",
       R"({"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":{".":{},"f:command":{},"f:name":{}}}}})"},
      {R"({"metadata":{"ownerReferences":[{"uid":"u","name":"n"}]}})",
       R"({"f:metadata":{"f:ownerReferences":{"k:{\"uid\":\"u\"}":{}}}})"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(text_of(fields_of(schema::kPod, object(each.document))), each.fields);
  }
}

TEST(MergeApplied, PutsTheConfigurationOnTop) {
  const struct {
    std::string_view live;
    std::string_view applied;
    std::string_view merged;
  } cases[] = {
      {R"({"nodeName":"a","hostname":"h"})", R"({"nodeName":"b"})",
       R"({"nodeName":"b","hostname":"h"})"},
      {R"({"nodeSelector":{"a":"1"}})", R"({"nodeSelector":{"b":"2"}})",
       R"({"nodeSelector":{"b":"2"}})"},
      // Shared entries follow the configuration; others stay near their neighbours.
      {R"({"containers":[{"name":"a"},{"name":"x"},{"name":"b"}]})",
       R"({"containers":[{"name":"b"},{"name":"a"},{"name":"c"}]})",
       R"({"containers":[{"name":"x"},{"name":"b"},{"name":"a"},{"name":"c"}]})"},
      {R"({"containers":[{"name":"a","image":"1"}]})",
       R"({"containers":[{"name":"a","tty":true}]})",
       R"({"containers":[{"name":"a","image":"1","tty":true}]})"},
      {R"({"containers":[{"name":"a"}]})", R"({"containers":null})",
       R"({"containers":[{"name":"a"}]})"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(json::serialize(merge_applied(schema::kPod, pod(each.live), pod(each.applied))),
              json::serialize(pod(each.merged)));
  }
}

TEST(WithoutFields, LeavesNullWhereAllIsGone) {
  const json::object live =
      object(R"({"metadata":{"labels":{"a":"1","b":"2"}},"spec":{"nodeName":"n"}})");
  const FieldSet both({{"f:metadata", "f:labels", "f:a"}, {"f:metadata", "f:labels", "f:b"}});
  EXPECT_EQ(without_fields(schema::kPod, live, both),
            object(R"({"metadata":{"labels":null},"spec":{"nodeName":"n"}})"));
  const FieldSet one({{"f:metadata", "f:labels", "f:a"}, {"f:spec"}});
  EXPECT_EQ(without_fields(schema::kPod, live, one),
            object(R"({"metadata":{"labels":{"b":"2"}}})"));
}

TEST(CheckApplied, NamesThePlaceAndWhatIsWrongInKubernetesWords) {
  const struct {
    std::string_view configuration;
    std::string_view message;
  } cases[] = {
      {R"({"spec":{"foo":1}})", ".spec.foo: field not declared in schema"},
      {R"({"spec":{"replicas":"x"}})",
       ".spec.replicas: expected numeric (int or float), got string"},
      {R"({"spec":{"paused":"x"}})", ".spec.paused: expected boolean, got &{x}"},
      {R"({"spec":{"template":[1]}})", ".spec.template: expected map, got &{[1]}"},
      {R"({"metadata":{"labels":{"a":1}}})",
       ".metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}"},
      {R"({"metadata":{"finalizers":"x"}})", ".metadata.finalizers: expected list, got &{x}"},
      {R"({"metadata":{"finalizers":["a/b","a/b"]}})",
       ".metadata.finalizers: duplicate entries for key [=\"a/b\"]"},
      {R"({"spec":{"template":{"spec":{"containers":[{"name":"c"},{"name":"c"}]}}}})",
       ".spec.template.spec.containers: duplicate entries for key [name=\"c\"]"},
      {R"({"spec":{"template":{"spec":{"containers":["x"]}}}})",
       ".spec.template.spec.containers: element 0: associative list with keys may not have "
       "non-map elements"},
  };
  for (const auto& each : cases) {
    const Result<void> checked = check_applied(schema::kDeployment, object(each.configuration));
    ASSERT_FALSE(checked) << each.configuration;
    EXPECT_EQ(checked.error().message, each.message);
  }
  EXPECT_TRUE(check_applied(schema::kDeployment,
                            object(R"({"spec":{"replicas":null,"strategy":{"rollingUpdate":
                                   {"maxSurge":1,"maxUnavailable":"25%"}}}})")));
}

}  // namespace
}  // namespace ebb::apiserver
