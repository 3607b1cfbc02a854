#include "model/decode_pod_protobuf.h"

#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "model/decode_pod.h"
#include "model/json_value.h"
#include "model/wire_fields.h"
#include "schema/kind.h"
#include "schema/time.h"
#include "support/wire_encoder.h"

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

// All that the record has.
auto everything(const Pod& pod) {
  return std::make_tuple(
      std::make_tuple(pod.name.view(), pod.name_space.view(), pod.uid.view(), pod.node.view(),
                      pod.labels, pod.controller, pod.created.since_epoch_ns(), pod.revision,
                      pod.ready_since.since_epoch_ns()),
      std::make_tuple(pod.restarts, pod.sidecar_restarts, pod.deletion_cost, pod.annotated_rank,
                      pod.status_rank, pod.phase, pod.ready, pod.deleting,
                      pod.prefer_for_scale_down, pod.deletion_cost_set, pod.deletion_cost_valid));
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
  if (chance(40)) annotations[kCostRankAnnotation] = pick({"7", "-3", "+7", "", "99999999999"});
  if (chance(80)) metadata["annotations"] = annotations;
  json::array owners;
  if (chance(30)) {
    owners.push_back({{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "n"}, {"uid", "o0"}});
  }
  if (chance(60)) {
    owners.push_back({{"apiVersion", "apps/v1"},
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
      {"\x0a\x7f", "a Pod without a name: Pod: is cut off or no protobuf"},
      {pod(R"({"metadata":{"name":"p"}})"), "Pod default/p: metadata.uid: is missing"},
      {pod(R"({"metadata":{"name":"p","uid":"u","namespace":"s","ownerReferences":[
           {"kind":"A","name":"a","uid":"1","controller":true},
           {"kind":"B","name":"b","uid":"2","controller":true}]}})"),
       "Pod s/p: metadata.ownerReferences: there is a second controller; an object has one at "
       "most"},
      {pod(R"({"metadata":{"name":"p","uid":"u"},"status":{"containerStatuses":[
           {"name":"c","restartCount":-1}]}})"),
       "Pod default/p: status.containerStatuses: restartCount must not be negative"},
      {encode_pod({{"metadata", {{"name", std::string(300, 'n')}, {"uid", "u"}}}}),
       "a Pod without a name: metadata: has a name of 300 bytes; Kubernetes allows 253"},
      {encode_pod({{"metadata", {{"name", "p\xff"}, {"uid", "u"}}}}),
       "a Pod without a name: metadata.name: is no UTF-8"},
  };
  for (const auto& c : cases) EXPECT_EQ(error_of(c.message), c.error);
}

TEST(DecodePodProtobuf, RefusesAFieldOfAnotherType) {
  std::string metadata;
  append_field(metadata, wire::kName, std::uint64_t{7});
  std::string pod;
  append_field(pod, wire::kMetadata, metadata);
  EXPECT_EQ(error_of(pod), "a Pod without a name: metadata: is cut off or no protobuf");
}

// Field numbers, by the path of each field in the schema table.
TEST(WireFields, AreThoseOfTheSchemaTable) {
  const struct {
    const char* path;
    std::uint32_t number;
  } fields[] = {
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
      {"metadata.ownerReferences.controller", wire::kOwnerController},
      {"spec.nodeName", wire::kNodeName},
      {"spec.initContainers", wire::kInitContainers},
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
  for (const auto& expected : fields) {
    const schema::Shape* shape = schema::find_kind("v1", "Pod")->shape;
    const schema::Field* field = nullptr;
    std::string_view path = expected.path;
    while (!path.empty()) {
      const std::size_t dot = path.find('.');
      ASSERT_NE(shape, nullptr) << expected.path;
      field = shape->find(path.substr(0, dot));
      ASSERT_NE(field, nullptr) << expected.path;
      shape = field->shape;
      path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
    }
    EXPECT_EQ(field->number, expected.number) << expected.path;
  }
}

}  // namespace
}  // namespace ebb::model
