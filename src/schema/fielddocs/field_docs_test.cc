#include "schema/fielddocs/field_docs.h"

#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/schemas/schemas_apps.h"
#include "schema/schemas/schemas_ebb.h"
#include "schema/schemas/schemas_pod.h"
#include "support/objects/served_schemas.h"

namespace ebb::schema {
namespace {

void expect_sentence(std::string_view field_doc, const std::string& where) {
  ASSERT_FALSE(field_doc.empty())
      << where << " has no field doc: add one to src/schema/fielddocs/field_docs_*.cc";
  EXPECT_TRUE(field_doc.ends_with('.')) << where << ": " << field_doc;
  EXPECT_EQ(field_doc.find('\n'), std::string_view::npos) << where;
  EXPECT_EQ(field_doc.find("  "), std::string_view::npos) << where << ": " << field_doc;
}

TEST(FieldDocs, SayWhatEveryStructureAndFieldIsFor) {
  for (const ObjectSchema* schema : testing::served_schemas()) {
    expect_sentence(field_doc_of(*schema), std::string(schema->name));
    for_each_field(*schema, [&](const Field& field) {
      expect_sentence(field_doc_of(*schema, field.name),
                      fmt::format("{}.{}", schema->name, field.name));
    });
  }
}

TEST(FieldDocs, AreAboutWhatIsThere) {
  std::set<std::string, std::less<>> places;
  for (const ObjectSchema* schema : testing::served_schemas()) {
    places.insert(std::string(schema->name));
    for (const Field& field : schema->fields) {
      places.insert(fmt::format("{}.{}", schema->name, field.name));
    }
  }
  // Types that are described once, for all kinds that use them.
  const std::set<std::string_view> others = {
      "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
      "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
      "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
      "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
      "io.k8s.apimachinery.pkg.api.resource.Quantity",
      "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
  };
  for (const std::string& place : documented_fields()) {
    if (place.starts_with("Object")) continue;
    EXPECT_TRUE(places.contains(place) || others.contains(place)) << place << " is not there";
  }
}

TEST(FieldDocs, AreFoundWhereTheMembersOfAnInlinedFieldAreDescribed) {
  const ObjectSchema& volume = *kPodSpec.find("volumes")->schema;
  EXPECT_EQ(field_doc_of(volume, "emptyDir"), "An empty folder with the lifetime of the pod.");
  const ObjectSchema& ephemeral = *kPodSpec.find("ephemeralContainers")->schema;
  EXPECT_EQ(field_doc_of(ephemeral, "image"), "The image of the container.");
}

TEST(FieldDocs, GoOnInFurtherLines) {
  EXPECT_EQ(
      field_doc_of(kPodPicker, "context"),
      "names: the request contains the names of the candidates. full: also the node, zone, age, "
      "ready-since, restarts and cost of each.");
}

TEST(FieldDocs, OfCommonFieldsStandOnce) {
  EXPECT_EQ(field_doc_of(kPod, "metadata"), field_doc_of(kDeployment, "metadata"));
  EXPECT_EQ(field_doc_of(kPod, "kind"), "The kind of the object, such as Pod.");
  EXPECT_EQ(field_doc_of(kPod, "nothing"), "");
}

TEST(FieldDocs, OfAFieldDoNotRepeatThoseOfItsStructure) {
  // kubectl explain shows both. The volume sources of Kubernetes need only one description.
  const ObjectSchema& spec = *kDownscalePolicy.find("spec")->schema;
  EXPECT_NE(field_doc_of(kDownscalePolicy, "spec"), field_doc_of(spec));
  for (const char* field : {"targetRef", "podPicker", "ranking"}) {
    EXPECT_NE(field_doc_of(spec, field), field_doc_of(*spec.find(field)->schema)) << field;
  }
}

TEST(FieldDocs, NameTheStrategiesThereAre) {
  const ObjectSchema& ranking = *kDownscalePolicy.find("spec")->schema->find("ranking")->schema;
  const ObjectSchema& strategy = *ranking.find("strategies")->schema;
  EXPECT_NE(field_doc_of(strategy, "name").find(" AntiAffinity: "), std::string_view::npos);
}

}  // namespace
}  // namespace ebb::schema
