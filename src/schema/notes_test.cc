#include "schema/notes.h"

#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schema/shapes_apps.h"
#include "schema/shapes_ebb.h"
#include "schema/shapes_pod.h"
#include "support/served_shapes.h"

namespace ebb::schema {
namespace {

void expect_sentence(std::string_view note, const std::string& where) {
  ASSERT_FALSE(note.empty()) << where << " has no note: add one to src/schema/notes_*.cc";
  EXPECT_TRUE(note.ends_with('.')) << where << ": " << note;
  EXPECT_EQ(note.find('\n'), std::string_view::npos) << where;
  EXPECT_EQ(note.find("  "), std::string_view::npos) << where << ": " << note;
}

TEST(Notes, SayWhatEveryStructureAndFieldIsFor) {
  for (const Shape* shape : testing::served_shapes()) {
    expect_sentence(note_of(*shape), std::string(shape->name));
    for_each_field(*shape, [&](const Field& field) {
      expect_sentence(note_of(*shape, field.name), fmt::format("{}.{}", shape->name, field.name));
    });
  }
}

TEST(Notes, AreAboutWhatIsThere) {
  std::set<std::string, std::less<>> places;
  for (const Shape* shape : testing::served_shapes()) {
    places.insert(std::string(shape->name));
    for (const Field& field : shape->fields) {
      places.insert(fmt::format("{}.{}", shape->name, field.name));
    }
  }
  // Types that are described once, and what is described for all.
  const std::set<std::string_view> others = {
      "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
      "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
      "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
      "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
      "io.k8s.apimachinery.pkg.api.resource.Quantity",
      "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
  };
  for (const std::string& place : noted_places()) {
    if (place.starts_with("Object")) continue;
    EXPECT_TRUE(places.contains(place) || others.contains(place)) << place << " is not there";
  }
}

TEST(Notes, AreFoundWhereTheMembersOfAnInlinedFieldAreDescribed) {
  const Shape& volume = *kPodSpec.find("volumes")->shape;
  EXPECT_EQ(note_of(volume, "emptyDir"), "An empty folder that lives as long as the pod.");
  const Shape& ephemeral = *kPodSpec.find("ephemeralContainers")->shape;
  EXPECT_EQ(note_of(ephemeral, "image"), "The image that it is started from.");
}

TEST(Notes, GoOnInFurtherLines) {
  EXPECT_EQ(note_of(kPodPicker, "context"),
            "names: the picker is told the names of the candidates. full: also node, zone, age, "
            "ready-since, restarts and cost of each.");
}

TEST(Notes, OfCommonFieldsStandOnce) {
  EXPECT_EQ(note_of(kPod, "metadata"), note_of(kDeployment, "metadata"));
  EXPECT_EQ(note_of(kPod, "kind"), "What kind of object this is, such as Pod.");
  EXPECT_EQ(note_of(kPod, "nothing"), "");
}

TEST(Notes, OfAFieldDoNotRepeatThoseOfItsStructure) {
  // kubectl explain shows both. Kubernetes' own sources of volumes are too plain to say twice.
  const Shape& spec = *kDownscalePolicy.find("spec")->shape;
  EXPECT_NE(note_of(kDownscalePolicy, "spec"), note_of(spec));
  for (const char* field : {"targetRef", "podPicker", "ranking"}) {
    EXPECT_NE(note_of(spec, field), note_of(*spec.find(field)->shape)) << field;
  }
}

TEST(Notes, NameTheStrategiesThereAre) {
  const Shape& ranking = *kDownscalePolicy.find("spec")->shape->find("ranking")->shape;
  const Shape& strategy = *ranking.find("strategies")->shape;
  EXPECT_NE(note_of(strategy, "name").find(" AntiAffinity: "), std::string_view::npos);
}

}  // namespace
}  // namespace ebb::schema
