// Properties of every line of the schema table, and a few known lines.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "schema/core/json.h"
#include "schema/core/kind.h"
#include "schema/core/quantity.h"
#include "schema/schemas/schemas_apps.h"
#include "schema/schemas/schemas_core.h"
#include "schema/schemas/schemas_ebb.h"
#include "schema/schemas/schemas_meta.h"
#include "schema/schemas/schemas_node.h"
#include "schema/schemas/schemas_pod.h"
#include "schema/schemas/schemas_subresources.h"
#include "support/objects/served_schemas.h"

namespace ebb::schema {
namespace {

// Calls check(field, "ObjectSchema.field") for each line of the table.
template <class Check>
void for_each_line(Check check) {
  for (const ObjectSchema* schema : testing::served_schemas()) {
    for (const Field& field : schema->fields) {
      check(field, std::string(schema->name) + "." + std::string(field.name));
    }
  }
}

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  std::string word;
  for (const char c : text) {
    if (c != ' ') {
      word += c;
      continue;
    }
    found.push_back(word);
    word.clear();
  }
  if (!word.empty()) found.push_back(word);
  return found;
}

bool is_integer(Type type) { return type == Type::kInt32 || type == Type::kInt64; }

bool fits(const json::value& value, Type type) {
  switch (type) {
    case Type::kBool:
      return value.is_bool();
    case Type::kInt32:
    case Type::kInt64:
      return value.is_int64();
    case Type::kString:
      return value.is_string();
    case Type::kQuantity:
      return value.is_string() && Quantity::parse(value.get_string()).has_value();
    case Type::kIntOrString:
      return value.is_int64() || value.is_string();
    case Type::kObject:
      return value.is_object();
    default:
      return false;
  }
}

TEST(ObjectSchemas, HaveUniqueNumbersInProtobuf) {
  for (const ObjectSchema* schema : testing::served_schemas()) {
    std::set<int> numbers;
    for (const Field& field : schema->fields) {
      if (field.number == 0) {
        EXPECT_TRUE(field.name == "kind" || field.name == "apiVersion") << field.name;
        continue;
      }
      EXPECT_TRUE(numbers.insert(field.number).second) << schema->name << " " << field.number;
    }
  }
}

TEST(ObjectSchemas, HaveUniqueNamesInJson) {
  for (const ObjectSchema* schema : testing::served_schemas()) {
    std::set<std::string_view> names;
    for_each_field(*schema, [&](const Field& field) {
      EXPECT_FALSE(field.name.empty()) << schema->name;
      EXPECT_TRUE(names.insert(field.name).second) << schema->name << " " << field.name;
      EXPECT_EQ(schema->find(field.name), &field) << schema->name << " " << field.name;
    });
  }
}

TEST(ObjectSchemas, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const ObjectSchema* schema : testing::served_schemas()) {
    EXPECT_TRUE(names.insert(schema->name).second) << schema->name;
  }
  EXPECT_GT(names.size(), 190U);
}

TEST(ObjectSchemas, NameAShapeWhereThereIsAnObject) {
  for_each_line([](const Field& field, const std::string& where) {
    EXPECT_EQ(field.type == Type::kObject, field.schema != nullptr) << where;
    if (field.is_inlined) {
      EXPECT_EQ(field.type, Type::kObject) << where;
      EXPECT_EQ(field.form, Form::kOne) << where;
    }
  });
}

TEST(ObjectSchemas, MergeListsByAFieldOfTheirEntries) {
  for_each_line([](const Field& field, const std::string& where) {
    if (!field.merge_key.empty()) {
      ASSERT_EQ(field.form, Form::kList) << where;
      ASSERT_EQ(field.type, Type::kObject) << where;
      EXPECT_NE(field.schema->find(field.merge_key), nullptr) << where;
    }
    if (field.unites) {
      EXPECT_EQ(field.form, Form::kList) << where;
      EXPECT_NE(field.type, Type::kObject) << where;
      EXPECT_TRUE(field.merge_key.empty()) << where;
    }
    if (field.retains_keys) {
      EXPECT_EQ(field.type, Type::kObject) << where;
    }
  });
}

TEST(ObjectSchemas, HaveDefaultsThatFit) {
  for_each_line([](const Field& field, const std::string& where) {
    if (field.default_json.empty()) return;
    EXPECT_EQ(field.computed_default, nullptr) << where;
    EXPECT_EQ(field.form, Form::kOne) << where;
    EXPECT_FALSE(field.is_required) << where;
    boost::json::error_code error;
    const json::value value = boost::json::parse(field.default_json, error);
    ASSERT_FALSE(error) << where;
    EXPECT_TRUE(fits(value, field.type)) << where << " " << field.default_json;
    // Defaults must not be dropped when the object is sent back.
    if (field.default_json == field.zero_json()) {
      EXPECT_TRUE(field.keeps_zero) << where;
    }
    if (!field.choices.empty()) {
      const std::vector<std::string> choices = words(field.choices);
      const std::string chosen(value.get_string());
      EXPECT_NE(std::find(choices.begin(), choices.end(), chosen), choices.end()) << where;
    }
    if (is_integer(field.type) && field.default_json != field.zero_json()) {
      EXPECT_GE(value.get_int64(), field.minimum) << where;
      EXPECT_LE(value.get_int64(), field.maximum) << where;
    }
  });
}

TEST(ObjectSchemas, LimitOnlyWhatCanBeLimited) {
  for_each_line([](const Field& field, const std::string& where) {
    const Field unlimited;
    if (field.minimum != unlimited.minimum || field.maximum != unlimited.maximum) {
      EXPECT_TRUE(is_integer(field.type) || field.type == Type::kDouble) << where;
      EXPECT_LT(field.minimum, field.maximum) << where;
    }
    if (!field.choices.empty()) {
      EXPECT_EQ(field.type, Type::kString) << where;
    }
    if (field.format == Format::kPort) {
      EXPECT_TRUE(is_integer(field.type) || field.type == Type::kIntOrString) << where;
    } else if (field.format != Format::kNone) {
      EXPECT_EQ(field.type, Type::kString) << where;
    }
  });
}

TEST(ObjectSchemas, SeeThroughInlinedFields) {
  const Field* volumes = kPodSpec.find("volumes");
  ASSERT_NE(volumes, nullptr);
  EXPECT_EQ(volumes->schema->find("volumeSource"), nullptr);
  const Field* empty_dir = volumes->schema->find("emptyDir");
  ASSERT_NE(empty_dir, nullptr);
  EXPECT_TRUE(empty_dir->keeps_zero);
  EXPECT_EQ(empty_dir->number, 2);

  const Field* ephemeral = kPodSpec.find("ephemeralContainers");
  ASSERT_NE(ephemeral, nullptr);
  EXPECT_NE(ephemeral->schema->find("image"), nullptr);
  EXPECT_NE(ephemeral->schema->find("targetContainerName"), nullptr);
  // A probe has its handler inlined.
  const Field* probe = kPodSpec.find("containers")->schema->find("readinessProbe");
  ASSERT_NE(probe, nullptr);
  EXPECT_NE(probe->schema->find("httpGet"), nullptr);
  EXPECT_NE(probe->schema->find("periodSeconds"), nullptr);
}

TEST(ObjectSchemas, ListFieldsInTheOrderOfTheTable) {
  std::vector<std::string_view> names;
  for_each_field(kPodTemplateSpec, [&](const Field& field) { names.push_back(field.name); });
  EXPECT_EQ(names, (std::vector<std::string_view>{"metadata", "spec"}));
  names.clear();
  for_each_field(*kPodSpec.find("volumes")->schema,
                 [&](const Field& field) { names.push_back(field.name); });
  ASSERT_GT(names.size(), 3U);
  EXPECT_EQ(names[0], "name");
  EXPECT_EQ(names[1], "hostPath");
}

TEST(ObjectSchemas, KnowHowListsAreMerged) {
  EXPECT_EQ(kPodSpec.find("containers")->merge_key, "name");
  EXPECT_EQ(kPodSpec.find("volumes")->merge_key, "name");
  EXPECT_TRUE(kPodSpec.find("volumes")->retains_keys);
  EXPECT_EQ(kPodSpec.find("tolerations")->merge_key, "");
  const ObjectSchema& container = *kPodSpec.find("containers")->schema;
  EXPECT_EQ(container.find("ports")->merge_key, "containerPort");
  EXPECT_EQ(container.find("env")->merge_key, "name");
  EXPECT_EQ(kObjectMeta.find("ownerReferences")->merge_key, "uid");
  EXPECT_TRUE(kObjectMeta.find("finalizers")->unites);
  const ObjectSchema& deployment = *kDeployment.find("spec")->schema;
  EXPECT_TRUE(deployment.find("strategy")->retains_keys);
  EXPECT_EQ(kDeployment.find("status")->schema->find("conditions")->merge_key, "type");
}

TEST(ObjectSchemas, KeepOurFieldsClearOfKubernetesNumbers) {
  const std::set<std::string> ours = {"downscalePodPicker", "cost"};
  for_each_line([&](const Field& field, const std::string& where) {
    EXPECT_EQ(field.number >= 1000, ours.count(std::string(field.name)) > 0) << where;
  });
  for (const ObjectSchema* schema : {&kDeployment, &kReplicaSet}) {
    const Field* picker = schema->find("spec")->schema->find("downscalePodPicker");
    ASSERT_NE(picker, nullptr) << schema->name;
    EXPECT_EQ(picker->schema, &kPodPicker);
  }
  const Field* cost = kPod.find("status")->schema->find("cost");
  ASSERT_NE(cost, nullptr);
  EXPECT_EQ(cost->type, Type::kInt32);
  EXPECT_TRUE(cost->keeps_zero);
}

TEST(ObjectSchemas, HaveTheNumbersOfKubernetes) {
  struct Case {
    const ObjectSchema& schema;
    std::string_view name;
    int number;
  };
  const Case cases[] = {
      {kPodSpec, "containers", 2},        {kPodSpec, "nodeName", 10},
      {kPodSpec, "hostUsers", 37},        {kObjectMeta, "uid", 5},
      {kObjectMeta, "managedFields", 17}, {kSecret, "stringData", 4},
      {kEvent, "reportingComponent", 14}, {kNode, "status", 3},
      {kDeleteOptions, "dryRun", 5},
  };
  for (const Case& each : cases) {
    const Field* field = each.schema.find(each.name);
    ASSERT_NE(field, nullptr) << each.name;
    EXPECT_EQ(field->number, each.number) << each.name;
  }
}

}  // namespace
}  // namespace ebb::schema
