// The same objects give the same records in every output format of kubectl.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "cli/common/json_text.h"
#include "support/objects/generated_pods.h"
#include "support/objects/reading.h"

namespace ebb {
namespace {

namespace json = boost::json;

std::string records_of(std::string_view text) {
  const auto snapshot = testing::read(text);
  return snapshot ? testing::describe(*snapshot) : snapshot.error().message;
}

class Formats : public ::testing::Test {
 protected:
  // All sorts of pods and one ReplicaSet, and objects with text that is hard to quote.
  Formats() : list_(json::parse(testing::generate_pod_list({300, 20, 5}))) {
    const auto odd = json::parse(R"([
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "odd", "uid": "007",
        "annotations": {"controller.kubernetes.io/pod-deletion-cost": "-008",
                        "kubectl.kubernetes.io/last-applied-configuration": "{\"a\":1}\n"},
        "labels": {"yes": "no", "n": "1e3", "a/b": "", "null": "~", "x": "0x10", "t": "- a: #b",
                   "date": "2026-11-01", "colon": "a: b", "quote": "it's \"so\"", "wide": "ä😀"}}},
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "apart", "uid": "8",
        "annotations": {"a": "7", "b": "1e3", "c": "-2147483649"}},
        "spec": {"tolerations": [{"key": "on", "operator": "Exists", "tolerationSeconds": 300},
                                 {"key": "n", "value": "no", "effect": "NoSchedule"}],
                 "affinity": {"podAntiAffinity": {
                   "requiredDuringSchedulingIgnoredDuringExecution": [
                     {"topologyKey": "zone", "namespaces": ["1", "off"],
                      "labelSelector": {"matchLabels": {"y": "no", "a": "~"}}}],
                   "preferredDuringSchedulingIgnoredDuringExecution": [
                     {"weight": 100, "podAffinityTerm": {"topologyKey": "x", "labelSelector": {
                       "matchExpressions": [{"key": "k", "operator": "In", "values": ["1", ""]}]}}}]}}}},
      {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "on", "labels": {"y": "Y"}},
        "spec": {"unschedulable": true, "taints": [{"key": "a/b", "value": "1", "effect": "NoExecute"}]},
        "status": {"conditions": [{"type": "Ready", "status": "True"}]}},
      {"apiVersion": "v1", "kind": "ConfigMap", "data": {"text": "\ttabs\r\n  and\\lines\n\n"}},
      {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "1", "uid": "1.0"},
        "spec": {"strategy": {"rollingUpdate": {"maxSurge": "30%"}}}},
      {"apiVersion": "ebb.dev/v1alpha1", "kind": "PodGroupCost", "metadata": {"name": "g"},
        "spec": {"owner": {"kind": "ReplicaSet", "name": "w"}, "costs": {"1": -5, "a": 2}}}])");
    for (const json::value& object : odd.as_array()) items().push_back(object);
    expected_ = records_of(json::serialize(list_));
  }

  json::array& items() { return list_.as_object()["items"].as_array(); }

  json::value list_;
  std::string expected_;
};

TEST_F(Formats, IndentedJsonAndYamlGiveTheSameRecords) {
  for (const char* part : {"Pod default/odd uid=007",
                           "numbers=a=7,c=-2147483648, tolerations=on:any,n=no:NoSchedule, "
                           "apart=0/zone a 0 ~,y 0 no,in 1 off;"
                           "100/x k 0 1 ,in;",
                           "Node on labels=y=Y, taint=a/b=1:NoExecute unschedulable ready"}) {
    ASSERT_NE(expected_.find(part), std::string::npos) << part << "\n" << expected_;
  }
  EXPECT_EQ(records_of(cli::to_json_text(list_)), expected_);
  EXPECT_EQ(records_of(cli::to_yaml_text(list_)), expected_);
}

TEST_F(Formats, ListsAndSeparateDocumentsGiveTheSameRecords) {
  std::string json_documents;
  std::string yaml_documents;
  for (const json::value& item : items()) {
    json_documents += cli::to_json_text(item);
    yaml_documents += "---\n" + cli::to_yaml_text(item);
  }
  EXPECT_EQ(records_of(json_documents), expected_);
  EXPECT_EQ(records_of(yaml_documents), expected_);
}

TEST_F(Formats, WindowsLineEndsAndByteOrderMarksChangeNothing) {
  for (const std::string& text : {cli::to_json_text(list_), cli::to_yaml_text(list_)}) {
    std::string windows = "\xef\xbb\xbf";
    for (const char c : text) {
      if (c == '\n') windows += '\r';
      windows += c;
    }
    EXPECT_EQ(records_of(windows), expected_);
  }
}

}  // namespace
}  // namespace ebb
