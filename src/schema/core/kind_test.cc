#include "schema/core/kind.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace ebb::schema {
namespace {

TEST(Kinds, AreFoundByPathAndByObject) {
  ASSERT_FALSE(kinds().empty());
  for (const Kind& kind : kinds()) {
    EXPECT_EQ(find_kind(kind.group, kind.version, kind.plural), &kind) << kind.name;
    EXPECT_EQ(find_kind(kind.api_version(), kind.name), &kind) << kind.name;
    EXPECT_NE(kind.schema, nullptr) << kind.name;
  }
  const Kind* deployments = find_kind("apps", "v1", "deployments");
  ASSERT_NE(deployments, nullptr);
  EXPECT_EQ(deployments->api_version(), "apps/v1");
  const Kind* pods = find_kind("v1", "Pod");
  ASSERT_NE(pods, nullptr);
  EXPECT_EQ(pods->api_version(), "v1");
}

TEST(Kinds, AreNotFoundByHalfAName) {
  EXPECT_EQ(find_kind("", "v1", "deployments"), nullptr);
  EXPECT_EQ(find_kind("apps", "v1beta1", "deployments"), nullptr);
  EXPECT_EQ(find_kind("apps", "v1", "deployment"), nullptr);
  EXPECT_EQ(find_kind("v1", "pods"), nullptr);
  EXPECT_EQ(find_kind("/v1", "Pod"), nullptr);
  EXPECT_EQ(find_kind("apps/v1", "Pod"), nullptr);
  EXPECT_EQ(find_kind("", "Pod"), nullptr);
}

TEST(Kinds, HaveTheGroupOfTheirApiVersion) {
  for (const Kind& kind : kinds()) EXPECT_EQ(api_group(kind.api_version()), kind.group);
  EXPECT_EQ(api_group("argoproj.io/v1alpha1"), "argoproj.io");
  EXPECT_EQ(api_group("v1"), "");
  EXPECT_EQ(api_group(""), "");
}

TEST(Kinds, HaveNamesThatKubectlCanTellApart) {
  std::set<std::string> names;
  const auto add = [&](std::string_view name) {
    EXPECT_TRUE(names.insert(std::string(name)).second) << name;
  };
  for (const Kind& kind : kinds()) {
    add(kind.plural);
    add(kind.singular);
    if (!kind.short_names.empty()) add(kind.short_names);
  }
}

TEST(Kinds, HaveTheFieldsThatTheirFlagsSpeakOf) {
  for (const Kind& kind : kinds()) {
    EXPECT_NE(kind.schema->find("metadata"), nullptr) << kind.name;
    EXPECT_EQ(kind.has_status, kind.schema->find("status") != nullptr) << kind.name;
    if (kind.has_scale) {
      EXPECT_NE(kind.schema->find("spec")->schema->find("replicas"), nullptr) << kind.name;
      EXPECT_NE(kind.schema->find("status")->schema->find("replicas"), nullptr) << kind.name;
    }
    if (!kind.has_status) {
      EXPECT_FALSE(kind.status_keeps_labels || kind.status_keeps_annotations) << kind.name;
    }
    if (kind.custom) {
      EXPECT_TRUE(kind.needs_revision_to_update) << kind.name;
    }
  }
}

TEST(Kinds, SelectByFieldsThatExist) {
  for (const Kind& kind : kinds()) {
    for (const Selectable& selectable : kind.selectable) {
      const ObjectSchema* schema = kind.schema;
      std::string_view rest = selectable.label;
      while (!rest.empty()) {
        const std::string_view step = rest.substr(0, rest.find('.'));
        rest.remove_prefix(std::min(rest.size(), step.size() + 1));
        ASSERT_NE(schema, nullptr) << kind.name << " " << selectable.label;
        const Field* field = schema->find(step);
        ASSERT_NE(field, nullptr) << kind.name << " " << selectable.label;
        schema = field->schema;
      }
    }
  }
}

TEST(Kinds, KeepOnStatusWritesWhatControllersRelyOn) {
  struct Case {
    std::string_view api_version;
    std::string_view name;
    bool labels;
    bool annotations;
  };
  const Case cases[] = {
      {"v1", "Pod", true, true},
      {"apps/v1", "ReplicaSet", true, true},
      {"apps/v1", "Deployment", false, true},
      {"ebb.dev/v1alpha1", "DownscalePolicy", false, false},
  };
  for (const Case& each : cases) {
    const Kind* kind = find_kind(each.api_version, each.name);
    ASSERT_NE(kind, nullptr) << each.name;
    EXPECT_EQ(kind->status_keeps_labels, each.labels) << each.name;
    EXPECT_EQ(kind->status_keeps_annotations, each.annotations) << each.name;
  }
}

}  // namespace
}  // namespace ebb::schema
