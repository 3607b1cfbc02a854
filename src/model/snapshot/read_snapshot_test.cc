#include "model/snapshot/read_snapshot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/core/kind.h"
#include "support/objects/reading.h"
#include "support/objects/wire_encoder.h"

namespace ebb::model {
namespace {

using ebb::testing::error_of;

constexpr std::string_view kPodJson =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"shop","uid":"1"}})";
constexpr std::string_view kPodYaml =
    "apiVersion: v1\nkind: Pod\nmetadata: {name: b, namespace: shop, uid: '2'}\n";

// Reads sources in order; the error of the first that is wrong, or of the whole.
Result<Snapshot> read_all(
    std::initializer_list<std::pair<std::string_view, std::string_view>> sources) {
  SnapshotReader reader;
  for (const auto& [name, text] : sources) {
    const simdjson::padded_string padded(text);
    EBB_RETURN_IF_ERROR(reader.add(name, padded));
  }
  return std::move(reader).finish();
}

std::string object(std::string_view kind, std::string_view namespace_name, std::string_view name,
                   std::string_view uid) {
  const bool ours = kind == "DownscalePolicy" || kind == "PodGroupCost";
  const bool core = kind == "Pod" || kind == "Node";
  return fmt::format(R"({{"apiVersion":"{}","kind":"{}",
                         "metadata":{{"namespace":"{}","name":"{}","uid":"{}"}},
                         "spec":{{"targetRef":{{"kind":"K","name":"n"}},
                                  "owner":{{"kind":"K","name":"n"}}}}}})",
                     ours   ? "ebb.dev/v1alpha1"
                     : core ? "v1"
                            : "apps/v1",
                     kind, namespace_name, name, uid);
}

TEST(ReadSnapshot, CollectsFromSourcesOfEitherFormat) {
  const auto snapshot = read_all({{"a.json", kPodJson}, {"b.yaml", kPodYaml}});
  ASSERT_TRUE(snapshot) << snapshot.error().message;
  ASSERT_EQ(snapshot->pods.size(), 2U);
  EXPECT_EQ(snapshot->pods[1].name.view(), "b");
  EXPECT_EQ(snapshot->pods[0].namespace_name, snapshot->pods[1].namespace_name);
}

TEST(ReadSnapshot, KeepsRecordsWhenTheTextIsGone) {
  SnapshotReader reader;
  {
    const simdjson::padded_string text(kPodJson);
    ASSERT_TRUE(reader.add("a", text));
  }
  {
    const simdjson::padded_string text{std::string(kPodJson.size(), '\n') + std::string(kPodYaml)};
    ASSERT_TRUE(reader.add("b", text));
  }
  const auto snapshot = std::move(reader).finish();
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->pods.at(0).name.view(), "a");
  EXPECT_EQ(snapshot->pods.at(1).uid.view(), "2");
}

TEST(ReadSnapshot, TakesWhatBeginsWithABracketAsJson) {
  EXPECT_EQ(error_of(fmt::format(" \r\n\t{}", kPodJson)), "");
  EXPECT_EQ(error_of(fmt::format("\xef\xbb\xbf{}", kPodJson)), "");
  EXPECT_EQ(error_of(fmt::format("\xef\xbb\xbf{}", kPodYaml)), "");
  EXPECT_EQ(error_of(fmt::format("# a comment\n{}", kPodJson)), "");
  EXPECT_EQ(error_of(fmt::format("--- {}\n---\n{}", kPodJson, kPodYaml)), "");
  EXPECT_EQ(error_of("{kind: Pod}"), "line 1, column 2: unexpected k");
}

TEST(ReadSnapshot, SaysThatASourceIsEmptyOrInAnotherEncoding) {
  using namespace std::string_view_literals;
  for (const std::string_view text : {"", " \n\t\r\n", "\xef\xbb\xbf", "---\n", "# nothing\n"}) {
    EXPECT_EQ(error_of(text), "is empty; expected the output of kubectl get -o json") << text;
  }
  EXPECT_EQ(error_of("\xff\xfe{\0}\0"sv), "is UTF-16; save it as UTF-8");
  EXPECT_EQ(error_of("\xfe\xff\0{\0}"sv), "is UTF-16; save it as UTF-8");
  EXPECT_EQ(error_of("{\"a\":\n\"\xe4\"}"), "line 2, column 2: is not valid UTF-8");
  EXPECT_EQ(error_of("a: b\nc: \xe4\n"), "line 2, column 4: is not valid UTF-8");
}

TEST(ReadSnapshot, NamesTheSourceThatIsWrong) {
  const auto in_json = read_all({{"a.json", kPodJson}, {"b.json", R"({"kind":)"}});
  ASSERT_FALSE(in_json);
  EXPECT_EQ(in_json.error().message,
            "b.json: line 1, column 9: the text ends in the middle of a document");
  EXPECT_EQ(in_json.error().code, ErrorCode::kInvalidInput);
  const auto in_yaml = read_all({{"a.yaml", kPodYaml}, {"b.yaml", "kind: [\n"}});
  ASSERT_FALSE(in_yaml);
  EXPECT_EQ(in_yaml.error().message,
            "b.yaml: line 2, column 1: expected , or ] in a list that began with [");
}

TEST(ReadSnapshot, SaysInWhichYamlDocumentAnObjectIsWrong) {
  EXPECT_EQ(error_of(fmt::format("---\n{}---\napiVersion: v1\nkind: Pod\n", kPodYaml)),
            "document at line 5, column 1: Pod: metadata.name: is missing");
  EXPECT_EQ(error_of("apiVersion: v1\nkind: Pod\nmetadata: {name: yes}\n"),
            "Pod: metadata.name: expected a string, got a boolean");
}

TEST(ReadSnapshot, RefusesAnObjectThatIsGivenTwice) {
  for (const std::string_view kind :
       {"Pod", "ReplicaSet", "Deployment", "DownscalePolicy", "PodGroupCost"}) {
    EXPECT_EQ(error_of(object(kind, "shop", "web", "1") + object(kind, "shop", "web", "2")),
              fmt::format("{} shop/web is given twice; give each once", kind));
    EXPECT_EQ(error_of(object(kind, "shop", "web", "1") + object(kind, "test", "web", "2")), "");
  }
  EXPECT_EQ(error_of(object("Node", "", "n1", "1") + object("Node", "", "n1", "2")),
            "Node n1 is given twice; give each once");
}

TEST(ReadSnapshot, RefusesAUidThatTwoObjectsOfAKindHave) {
  for (const std::string_view kind : {"Pod", "ReplicaSet", "Deployment"}) {
    EXPECT_EQ(error_of(object(kind, "shop", "a", "1") + object(kind, "shop", "b", "1")),
              fmt::format("{} shop/b: metadata.uid: 1 is the uid of shop/a as well", kind));
  }
  EXPECT_EQ(error_of(object("Pod", "shop", "a", "1") + object("ReplicaSet", "shop", "a", "1")), "");
}

TEST(ReadSnapshot, SpellsControlCharactersInErrors) {
  EXPECT_EQ(error_of(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"\u001b[2J\n"}})"),
            "Pod \\u001b[2J\\u000a: metadata.uid: is missing");
}

TEST(SnapshotReader, ReadsPagesOfPodsAndNodesInProtobuf) {
  SnapshotReader reader;
  const auto token = reader.add_protobuf_list(
      "pods",
      testing::encode_pod_list(
          {{"metadata", {{"resourceVersion", "7"}, {"continue", "more"}}},
           {"items", boost::json::array{boost::json::object{
                         {"metadata", {{"name", "a"}, {"namespace", "shop"}, {"uid", "1"}}}}}}}));
  ASSERT_TRUE(token) << token.error().message;
  EXPECT_EQ(*token, "more");
  std::string nodes;
  const schema::Kind* kind = schema::find_kind("v1", "Node");
  testing::append_field(
      nodes, 2,
      testing::encode_message(
          *kind->schema,
          {{"metadata", {{"name", "n"}, {"labels", {{"zone", "z"}, {"app", "x"}}}}},
           {"status", {{"images", boost::json::array{{{"sizeBytes", 123456789}}}}}}}));
  ASSERT_EQ(reader.add_protobuf_list("nodes", testing::in_envelope("NodeList", nodes)), "");
  EXPECT_EQ(reader.count(), 2U);
  const auto read = std::move(reader).finish();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pods.at(0).name.view(), "a");
  EXPECT_EQ(read->nodes.at(0).name.view(), "n");
  ASSERT_EQ(read->nodes.at(0).labels->labels.size(), 2U);
  EXPECT_EQ(read->nodes.at(0).labels->labels.at(0).key.view(), "app");
}

TEST(SnapshotReader, RefusesProtobufThatMakesNoSense) {
  std::string nameless;
  testing::append_field(nameless, 2, "");
  std::string cut;
  testing::append_field(cut, 2, "\x0a\x7f");
  for (const auto& [bytes, problem] : std::vector<std::pair<std::string, std::string>>{
           {"k8s", "things:"},
           {testing::in_envelope("NodeList", nameless), "metadata.name: is missing"},
           {testing::in_envelope("NodeList", cut), "is truncated or not valid protobuf"},
           {testing::in_envelope("PodList", cut), "is truncated or not valid protobuf"},
           {testing::in_envelope("SecretList", nameless), "is a SecretList in protobuf"}}) {
    SnapshotReader reader;
    const auto token = reader.add_protobuf_list("things", bytes);
    ASSERT_FALSE(token) << problem;
    EXPECT_NE(token.error().message.find(problem), std::string::npos) << token.error().message;
  }
}

TEST(SnapshotReader, TakesBackWhatWasAddedAfterAMark) {
  SnapshotReader reader;
  const simdjson::padded_string first(kPodJson);
  ASSERT_TRUE(reader.add("first", first));
  const auto mark = reader.mark();
  const simdjson::padded_string second(std::string_view(
      R"({"apiVersion":"v1","kind":"List","items":[
          {"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","uid":"2"}},
          {"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}},
          {"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}]})"));
  ASSERT_TRUE(reader.add("second", second));
  EXPECT_EQ(reader.count(), 3U);
  reader.take_back(mark);
  EXPECT_EQ(reader.count(), 1U);
  ASSERT_TRUE(reader.add("second again", second));
  const auto read = std::move(reader).finish();
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->pods.size(), 2U);
  EXPECT_EQ(read->nodes.size(), 1U);
  EXPECT_EQ(read->skipped.at("Secret"), 1U);
}

// A pod with a negative restart count is usable. A pod whose node is a number, or whose bytes are
// garbage after the metadata, is not.
TEST(SnapshotReader, KeepsTheOthersBesideObjectsOfAClusterThatAreInvalid) {
  SnapshotReader reader(OnInvalid::kKeepOthers);
  const simdjson::padded_string json(std::string_view(
      R"({"apiVersion":"v1","kind":"PodList","items":[
          {"metadata":{"name":"good","namespace":"shop","uid":"1"}},
          {"metadata":{"name":"odd","namespace":"shop","uid":"2"},
           "status":{"containerStatuses":[{"restartCount":-1}]}},
          {"metadata":{"name":"bad","namespace":"shop","uid":"3","ownerReferences":[
             {"kind":"ReplicaSet","name":"web","uid":"s","controller":true}]},
           "spec":{"nodeName":7}}]})"));
  ASSERT_TRUE(reader.add("pods", json));
  std::string metadata;
  testing::append_field(metadata, 1, std::string_view("wire"));
  testing::append_field(metadata, 3, std::string_view("shop"));
  testing::append_field(metadata, 5, std::string_view("4"));
  std::string pod;
  testing::append_field(pod, 1, metadata);
  std::string list;
  testing::append_field(list, 2, pod + "\x27");
  ASSERT_TRUE(reader.add_protobuf_list("pods", testing::in_envelope("PodList", list)));

  const auto read = std::move(reader).finish();
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->pods.size(), 2U);
  EXPECT_EQ(read->pods[1].name.view(), "odd");
  EXPECT_EQ(read->remarks,
            std::vector<std::string>{"Pod shop/odd: status.containerStatuses[0].restartCount: must "
                                     "not be negative, got -1"});
  ASSERT_EQ(read->undecoded.size(), 2U);
  const UndecodedObject& bad = read->undecoded[0];
  EXPECT_EQ(bad.kind, "Pod");
  EXPECT_EQ(bad.namespace_name.view(), "shop");
  EXPECT_EQ(bad.uid.view(), "3");
  ASSERT_NE(bad.controller, nullptr);
  EXPECT_EQ(bad.controller->name.view(), "web");
  EXPECT_EQ(bad.problem, "Pod shop/bad: spec.nodeName: expected a string, got a number");
  const UndecodedObject& wire = read->undecoded[1];
  EXPECT_EQ(wire.name.view(), "wire");
  EXPECT_EQ(wire.controller, nullptr);
  EXPECT_TRUE(wire.owner_known);
  EXPECT_NE(wire.problem.find("shop/wire"), std::string::npos) << wire.problem;
}

TEST(SnapshotReader, TakesBackInvalidObjectsToo) {
  SnapshotReader reader(OnInvalid::kKeepOthers);
  const auto mark = reader.mark();
  const simdjson::padded_string json(std::string_view(
      R"({"apiVersion":"v1","kind":"PodList","items":[{"metadata":{"name":"a","uid":"1"},
          "status":{"containerStatuses":[{"restartCount":-1}]}},
          {"metadata":{"name":"b","uid":"2"},"spec":7}]})"));
  ASSERT_TRUE(reader.add("pods", json));
  ASSERT_EQ(reader.so_far().undecoded.size(), 1U);
  reader.take_back(mark);
  EXPECT_TRUE(reader.so_far().undecoded.empty());
  EXPECT_TRUE(reader.so_far().remarks.empty());
}

}  // namespace
}  // namespace ebb::model
