#include "model/protobuf/decode_pod_protobuf.h"

#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/json/decode_pod.h"
#include "model/json/json_value.h"
#include "model/protobuf/wire_fields.h"
#include "schema/core/kind.h"
#include "schema/core/time.h"
#include "support/objects/reading.h"
#include "support/objects/wire_encoder.h"

namespace ebb::model {
namespace {

namespace json = boost::json;
using testing::append_field;
using testing::encode_pod;

// Both decoders use one pool here, so equal handles mean equal things.
Result<Pod> decode_json(const json::object& object, Pool& pool) {
  simdjson::dom::parser parser;
  const simdjson::padded_string text(json::serialize(object));
  DecodeContext context(pool);
  const Pod pod = decode_pod(JsonValue(context, parser.parse(text).value()));
  if (context.problem()) return fail(ErrorCode::kInvalidInput, *context.problem());
  return pod;
}

// All fields of the record.
auto everything(const Pod& pod) {
  return std::make_tuple(
      std::make_tuple(pod.name.view(), pod.namespace_name.view(), pod.uid.view(), pod.node.view(),
                      pod.labels, pod.controller, pod.created.since_epoch_ns(), pod.revision,
                      pod.ready_since.since_epoch_ns()),
      std::make_tuple(pod.restarts, pod.sidecar_restarts, pod.deletion_cost, pod.annotated_rank,
                      pod.status_rank, pod.phase, pod.ready, pod.deleting,
                      pod.prefer_for_scale_down, pod.deletion_cost_set, pod.deletion_cost_valid,
                      pod.placement, pod.numbers));
}

std::string describe_placement(const Pod& pod) {
  Snapshot snapshot;
  snapshot.pods.push_back(pod);
  return testing::describe(snapshot);
}

std::string pick(const std::vector<std::string>& choices) { return *rc::gen::elementOf(choices); }

bool chance(int percent) { return *rc::gen::inRange(0, 100) < percent; }

std::string random_time() {
  return schema::format_time(
      Timestamp::from_seconds(*rc::gen::inRange<std::int64_t>(-2'000'000'000, 4'000'000'000)));
}

json::object random_metadata() {
  json::object metadata{{"name", pick({"web-1", "web-2", "ä"})}, {"uid", pick({"u1", "u2"})}};
  if (chance(80)) metadata["namespace"] = pick({"shop", "default", ""});
  if (chance(80)) metadata["resourceVersion"] = pick({"1", "99999999999", "abc", ""});
  if (chance(80)) metadata["creationTimestamp"] = random_time();
  if (chance(20)) metadata["creationTimestamp"] = nullptr;
  if (chance(30)) metadata["deletionTimestamp"] = random_time();
  if (chance(30)) metadata["finalizers"] = json::array{"a/b"};
  json::object labels;
  for (const char* key : {"z", "app", "kubernetes.io/prefer-for-scale-down", "b"}) {
    if (chance(40)) labels[key] = pick({"", "web", "true"});
  }
  if (chance(90)) metadata["labels"] = labels;
  json::object annotations{{"other", "text"}};
  if (chance(40)) annotations[kDeletionCostAnnotation] = pick({"7", "-3", "07", "", "x"});
  if (chance(30))
    annotations["z/port"] = pick({"8080", "-1", "2147483648", "-99999999999999999999", "8080.0"});
  if (chance(40)) annotations[kPublishedCostAnnotation] = pick({"7", "Annotation=7", "", "x"});
  if (chance(40)) annotations[kCostRankAnnotation] = pick({"7", "-3", "+7", "", "99999999999"});
  if (chance(80)) metadata["annotations"] = annotations;
  json::array owners;
  if (chance(30)) {
    owners.push_back({{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "n"}, {"uid", "o0"}});
  }
  if (chance(60)) {
    owners.push_back({{"apiVersion", pick({"apps/v1", "example.com/v1", "v1"})},
                      {"kind", "ReplicaSet"},
                      {"name", "web"},
                      {"uid", pick({"o1", "o2"})},
                      {"controller", chance(80)},
                      {"blockOwnerDeletion", true}});
  }
  metadata["ownerReferences"] = owners;
  return metadata;
}

json::array random_statuses(const std::vector<std::string>& names) {
  json::array statuses;
  for (const std::string& name : names) {
    if (!chance(70)) continue;
    statuses.push_back({{"name", name},
                        {"ready", chance(50)},
                        {"restartCount", *rc::gen::inRange(0, 5)},
                        {"image", "i"},
                        {"state", {{"running", {{"startedAt", random_time()}}}}}});
  }
  return statuses;
}

json::array random_tolerations() {
  json::array tolerations;
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    json::object toleration;
    if (chance(80)) toleration["key"] = pick({"a/b", "c", ""});
    if (chance(80)) toleration["operator"] = pick({"Exists", "Equal", "Gt", ""});
    if (chance(50)) toleration["value"] = pick({"v", "5", ""});
    if (chance(60)) {
      toleration["effect"] = pick({"NoSchedule", "NoExecute", "PreferNoSchedule", "Odd", ""});
    }
    if (chance(50)) toleration["tolerationSeconds"] = *rc::gen::inRange(0, 2);
    tolerations.push_back(toleration);
  }
  return tolerations;
}

json::object random_term() {
  json::object term;
  if (chance(90)) term["topologyKey"] = pick({"zone", "host", ""});
  if (chance(80)) {
    json::object selector;
    if (chance(60)) selector["matchLabels"] = {{"z", pick({"1", ""})}, {"app", "web"}};
    if (chance(50)) {
      json::object expression{{"key", "tier"},
                              {"operator", pick({"In", "NotIn", "Exists", "DoesNotExist", "Odd"})}};
      if (chance(60)) expression["values"] = json::array{"a", pick({"b", "c"})};
      selector["matchExpressions"] = json::array{expression};
    }
    term["labelSelector"] = selector;
  }
  if (chance(30)) term["namespaces"] = json::array{"shop", pick({"a", "b"})};
  if (chance(20)) term["namespaceSelector"] = json::object();
  if (chance(20)) term["matchLabelKeys"] = json::array{"pod-template-hash"};
  return term;
}

json::object random_affinity() {
  json::object apart;
  if (chance(60)) {
    apart["requiredDuringSchedulingIgnoredDuringExecution"] =
        json::array{random_term(), random_term()};
  }
  if (chance(60)) {
    apart["preferredDuringSchedulingIgnoredDuringExecution"] = json::array{
        json::object{{"weight", *rc::gen::inRange(-1, 102)}, {"podAffinityTerm", random_term()}}};
  }
  json::object affinity{
      {"podAffinity",
       {{"requiredDuringSchedulingIgnoredDuringExecution", json::array{random_term()}}}}};
  if (chance(80)) affinity["podAntiAffinity"] = apart;
  return affinity;
}

json::object random_pod() {
  json::array init;
  for (const char* name : {"i1", "i2"}) {
    json::object container{{"name", name}, {"image", "i"}};
    if (chance(50)) container["restartPolicy"] = pick({"Always", "Never"});
    if (chance(70)) init.push_back(container);
  }
  json::object spec{{"initContainers", init},
                    {"containers", {{{"name", "c"}, {"image", "i"}}}},
                    {"terminationGracePeriodSeconds", 30},
                    {"hostNetwork", true}};
  if (chance(60)) spec["tolerations"] = random_tolerations();
  if (chance(50)) spec["affinity"] = random_affinity();
  if (chance(70)) spec["nodeName"] = pick({"", "node-1", "node-2"});
  json::array conditions;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
    json::object condition{{"type", pick({"Ready", "Initialized"})},
                           {"status", pick({"True", "False", "Unknown"})}};
    if (chance(70)) condition["lastTransitionTime"] = random_time();
    conditions.push_back(condition);
  }
  json::object status{{"conditions", conditions},
                      {"containerStatuses", random_statuses({"c"})},
                      {"initContainerStatuses", random_statuses({"i1", "i2"})}};
  if (chance(80)) {
    status["phase"] = pick({"Pending", "Running", "Succeeded", "Failed", "Unknown", "Odd", ""});
  }
  if (chance(20)) status["cost"] = *rc::gen::inRange(-5, 5);
  return {{"metadata", random_metadata()}, {"spec", spec}, {"status", status}};
}

RC_GTEST_PROP(DecodePodProtobuf, MakesTheSameRecordAsJson, ()) {
  const json::object object = random_pod();
  Pool pool;
  const auto from_json = decode_json(object, pool);
  const auto from_protobuf = decode_pod_protobuf(encode_pod(object), pool);
  RC_ASSERT(from_json.has_value());
  RC_ASSERT(from_protobuf.has_value());
  RC_ASSERT(everything(*from_json) == everything(*from_protobuf));
}

// Cached values of one pod must not change the decoding of another.
RC_GTEST_PROP(DecodePodProtobuf, MakesOfManyPodsWhatItMakesOfEach, ()) {
  Pool pool;
  for (int i = 0; i < 6; ++i) {
    const std::string message = encode_pod(random_pod());
    Pool fresh;
    const auto together = decode_pod_protobuf(message, pool);
    const auto alone = decode_pod_protobuf(message, fresh);
    RC_ASSERT(together.has_value() && alone.has_value());
    RC_ASSERT(describe_placement(*together) == describe_placement(*alone));
  }
}

RC_GTEST_PROP(DecodePodProtobuf, RefusesOrReadsWhateverIsLeftOfAMessage, ()) {
  const std::string whole = encode_pod(random_pod());
  Pool pool;
  const auto cut = *rc::gen::inRange<std::size_t>(0, whole.size());
  (void)decode_pod_protobuf(std::string_view(whole).substr(0, cut), pool);
  std::string changed = whole;
  changed[cut] = static_cast<char>(*rc::gen::inRange(0, 256));
  (void)decode_pod_protobuf(changed, pool);
}

std::string error_of(const std::string& message) {
  Pool pool;
  const auto pod = decode_pod_protobuf(message, pool);
  return pod ? "none" : pod.error().message;
}

TEST(DecodePodProtobuf, NamesThePodAndWhatIsWrongWithIt) {
  const auto pod = [](const char* text) { return encode_pod(json::parse(text).as_object()); };
  const struct {
    std::string message;
    std::string error;
  } cases[] = {
      {"", "a Pod without a name: metadata.name: is missing"},
      {"\x0a\x7f", "a Pod without a name: Pod: is truncated or not valid protobuf"},
      {pod(R"({"metadata":{"name":"p"}})"), "Pod default/p: metadata.uid: is missing"},
      {pod(R"({"metadata":{"name":"p","uid":"u","namespace":"s","ownerReferences":[
           {"kind":"A","name":"a","uid":"1","controller":true},
           {"kind":"B","name":"b","uid":"2","controller":true}]}})"),
       "Pod s/p: metadata.ownerReferences: there is a second controller; an object has at "
       "most one"},
      {pod(R"({"metadata":{"name":"p","uid":"u"},"status":{"containerStatuses":[
           {"name":"c","restartCount":-1}]}})"),
       "Pod default/p: status.containerStatuses: restartCount must not be negative"},
      {encode_pod({{"metadata", {{"name", std::string(300, 'n')}, {"uid", "u"}}}}),
       "a Pod without a name: metadata: has a name of 300 bytes; Kubernetes allows 253"},
      {encode_pod({{"metadata", {{"name", "p\xff"}, {"uid", "u"}}}}),
       "a Pod without a name: metadata.name: is not valid UTF-8"},
  };
  for (const auto& c : cases) EXPECT_EQ(error_of(c.message), c.error);
}

TEST(DecodePodProtobuf, RefusesAFieldOfAnotherType) {
  std::string metadata;
  append_field(metadata, wire::kName, std::uint64_t{7});
  std::string pod;
  append_field(pod, wire::kMetadata, metadata);
  EXPECT_EQ(error_of(pod), "a Pod without a name: metadata: is truncated or not valid protobuf");
}

// Field numbers, by the path of each field in the schema table.
struct FieldNumber {
  const char* path;
  std::uint32_t number;
};

std::uint32_t number_in_table(const char* kind, std::string_view path) {
  const schema::ObjectSchema* schema = schema::find_kind("v1", kind)->schema;
  const schema::Field* field = nullptr;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    field = schema == nullptr ? nullptr : schema->find(path.substr(0, dot));
    if (field == nullptr) return 0;
    schema = field->schema;
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return field->number;
}

TEST(WireFields, AreThoseOfTheSchemaTable) {
  const FieldNumber fields[] = {
      {"metadata", wire::kMetadata},
      {"spec", wire::kSpec},
      {"status", wire::kStatus},
      {"metadata.name", wire::kName},
      {"metadata.namespace", wire::kNamespace},
      {"metadata.uid", wire::kUid},
      {"metadata.resourceVersion", wire::kResourceVersion},
      {"metadata.creationTimestamp", wire::kCreationTimestamp},
      {"metadata.deletionTimestamp", wire::kDeletionTimestamp},
      {"metadata.labels", wire::kLabels},
      {"metadata.annotations", wire::kAnnotations},
      {"metadata.ownerReferences", wire::kOwnerReferences},
      {"metadata.ownerReferences.kind", wire::kOwnerKind},
      {"metadata.ownerReferences.name", wire::kOwnerName},
      {"metadata.ownerReferences.uid", wire::kOwnerUid},
      {"metadata.ownerReferences.apiVersion", wire::kOwnerApiVersion},
      {"metadata.ownerReferences.controller", wire::kOwnerController},
      {"spec.nodeName", wire::kNodeName},
      {"spec.affinity", wire::kAffinity},
      {"spec.initContainers", wire::kInitContainers},
      {"spec.tolerations", wire::kTolerations},
      {"spec.tolerations.key", wire::kTolerationKey},
      {"spec.tolerations.operator", wire::kTolerationOperator},
      {"spec.tolerations.value", wire::kTolerationValue},
      {"spec.tolerations.effect", wire::kTolerationEffect},
      {"spec.affinity.podAntiAffinity", wire::kPodAntiAffinity},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution",
       wire::kRequiredTerms},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.labelSelector",
       wire::kTermSelector},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.namespaces",
       wire::kTermNamespaces},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.topologyKey",
       wire::kTermTopologyKey},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.labelSelector."
       "matchLabels",
       wire::kMatchLabels},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.labelSelector."
       "matchExpressions",
       wire::kMatchExpressions},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.labelSelector."
       "matchExpressions.key",
       wire::kExpressionKey},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.labelSelector."
       "matchExpressions.operator",
       wire::kExpressionOperator},
      {"spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution.labelSelector."
       "matchExpressions.values",
       wire::kExpressionValues},
      {"spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution",
       wire::kPreferredTerms},
      {"spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.weight",
       wire::kTermWeight},
      {"spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution."
       "podAffinityTerm",
       wire::kWeightedTerm},
      {"spec.initContainers.name", wire::kContainerName},
      {"spec.initContainers.restartPolicy", wire::kContainerRestartPolicy},
      {"status.phase", wire::kPhase},
      {"status.conditions", wire::kConditions},
      {"status.containerStatuses", wire::kContainerStatuses},
      {"status.initContainerStatuses", wire::kInitContainerStatuses},
      {"status.cost", wire::kCost},
      {"status.conditions.type", wire::kConditionType},
      {"status.conditions.status", wire::kConditionStatus},
      {"status.conditions.lastTransitionTime", wire::kLastTransitionTime},
      {"status.containerStatuses.name", wire::kStatusName},
      {"status.containerStatuses.restartCount", wire::kRestartCount},
  };
  for (const FieldNumber& expected : fields) {
    EXPECT_EQ(number_in_table("Pod", expected.path), expected.number) << expected.path;
  }
  const FieldNumber node_fields[] = {
      {"spec.unschedulable", wire::kUnschedulable},
      {"spec.taints", wire::kTaints},
      {"spec.taints.key", wire::kTaintKey},
      {"spec.taints.value", wire::kTaintValue},
      {"spec.taints.effect", wire::kTaintEffect},
      {"status.conditions", wire::kNodeConditions},
      {"status.conditions.type", wire::kConditionType},
      {"status.conditions.status", wire::kConditionStatus},
  };
  for (const FieldNumber& expected : node_fields) {
    EXPECT_EQ(number_in_table("Node", expected.path), expected.number) << expected.path;
  }
}

}  // namespace
}  // namespace ebb::model
