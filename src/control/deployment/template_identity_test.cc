// Templates with the same meaning must compare equal, and all others must not. The rule is tested
// on every field of the schema.
#include "control/deployment/template_identity.h"

#include <algorithm>
#include <random>
#include <set>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "schema/core/json.h"
#include "schema/schemas/schemas_pod.h"

namespace ebb::control {
namespace {

namespace json = boost::json;
using schema::Field;
using schema::Form;
using schema::ObjectSchema;
using schema::Type;

json::object parse(std::string_view text) { return json::parse(text).as_object(); }

json::value text(std::string_view of) { return json::value(of); }

bool both_ways_same(const json::object& a, const json::object& b) {
  const bool same = same_template(a, b);
  EXPECT_EQ(same, same_template(b, a)) << json::serialize(a) << json::serialize(b);
  if (same) {
    EXPECT_EQ(template_digest(a), template_digest(b)) << json::serialize(a) << json::serialize(b);
  }
  return same;
}

TEST(TemplateIdentity, WhatMeansTheSameIsTheSame) {
  struct Case {
    const char* name;
    const char* a;
    const char* b;
  };
  const Case cases[] = {
      {"the hash label does not count",
       R"({"metadata":{"labels":{"app":"x","pod-template-hash":"1"}}})",
       R"({"metadata":{"labels":{"pod-template-hash":"2","app":"x"}}})"},
      {"nor its being absent", R"({"metadata":{"labels":{"pod-template-hash":"1"}}})",
       R"({"metadata":{}})"},
      {"an old null", R"({"metadata":{"creationTimestamp":null},"spec":{}})", R"({"spec":{}})"},
      {"an empty list", R"({"spec":{"volumes":[]}})", R"({"spec":{}})"},
      {"an empty map", R"({"spec":{"nodeSelector":{}}})", R"({"spec":{"nodeSelector":null}})"},
      {"an empty list in a list", R"({"spec":{"containers":[{"name":"a","args":[]}]}})",
       R"({"spec":{"containers":[{"name":"a"}]}})"},
      {"a zero that the API cannot tell from absent", R"({"spec":{"hostNetwork":false}})",
       R"({"spec":{}})"},
      {"an empty structure that is always there",
       R"({"spec":{"containers":[{"name":"a","resources":{}}]}})",
       R"({"spec":{"containers":[{"name":"a","resources":{"limits":{}}}]}})"},
      {"a quantity by its amount",
       R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"1","memory":"1Gi"}}}]}})",
       R"({"spec":{"containers":[{"resources":{"limits":{"memory":"1024Mi","cpu":"1000m"}}}]}})"},
      {"a quantity behind a pointer",
       R"({"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":"1Gi"}}]}})",
       R"({"spec":{"volumes":[{"name":"v","emptyDir":{"sizeLimit":"1073741824"}}]}})"},
      {"a time by its instant", R"({"metadata":{"creationTimestamp":"2026-11-01T12:00:00Z"}})",
       R"({"metadata":{"creationTimestamp":"2026-11-01T14:00:00+02:00"}})"},
      {"unknown fields that are the same", R"({"spec":{"new":{"a":[1,{}]}}})",
       R"({"spec":{"new":{"a":[1,{}]}}})"},
      {"an unknown null", R"({"spec":{"new":null}})", R"({"spec":{}})"},
  };
  for (const Case& c : cases) EXPECT_TRUE(both_ways_same(parse(c.a), parse(c.b))) << c.name;
}

TEST(TemplateIdentity, WhatDiffersIsDifferent) {
  struct Case {
    const char* name;
    const char* a;
    const char* b;
  };
  const Case cases[] = {
      {"a label", R"({"metadata":{"labels":{"app":"x"}}})",
       R"({"metadata":{"labels":{"app":"y"}}})"},
      {"a label more", R"({"metadata":{"labels":{"app":"x"}}})", R"({"metadata":{}})"},
      {"a label that is empty", R"({"metadata":{"labels":{"app":""}}})", R"({"metadata":{}})"},
      {"an annotation", R"({"metadata":{"annotations":{"a":"1"}}})", R"({"metadata":{}})"},
      {"an annotation called like the hash",
       R"({"metadata":{"annotations":{"pod-template-hash":"1"}}})", R"({"metadata":{}})"},
      {"a node selector called like the hash",
       R"({"spec":{"nodeSelector":{"pod-template-hash":"1"}}})", R"({"spec":{}})"},
      {"a structure that is there and empty",
       R"({"spec":{"volumes":[{"name":"v","emptyDir":{}}]}})",
       R"({"spec":{"volumes":[{"name":"v"}]}})"},
      {"one security context", R"({"spec":{"containers":[{"name":"a","securityContext":{}}]}})",
       R"({"spec":{"containers":[{"name":"a"}]}})"},
      {"an empty affinity", R"({"spec":{"affinity":{}}})", R"({"spec":{}})"},
      {"zero where absent means a default", R"({"spec":{"terminationGracePeriodSeconds":0}})",
       R"({"spec":{}})"},
      {"false where absent means nobody said", R"({"spec":{"enableServiceLinks":false}})",
       R"({"spec":{}})"},
      {"the order of containers", R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
       R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})"},
      {"a quantity", R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"1"}}}]}})",
       R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"1001m"}}}]}})"},
      {"a quantity of zero is a limit",
       R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"0"}}}]}})",
       R"({"spec":{"containers":[{"resources":{}}]}})"},
      {"a number and its text",
       R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":80}}}]}})",
       R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":"80"}}}]}})"},
      {"a text that looks like a quantity", R"({"metadata":{"annotations":{"a":"1"}}})",
       R"({"metadata":{"annotations":{"a":"1000m"}}})"},
      {"an environment variable without value",
       R"({"spec":{"containers":[{"env":[{"name":"A"}]}]}})",
       R"({"spec":{"containers":[{"env":[]}]}})"},
      {"an unknown field", R"({"spec":{"new":0}})", R"({"spec":{}})"},
      {"an unknown list", R"({"spec":{"new":[]}})", R"({"spec":{"new":[1]}})"},
      {"an unknown field beside spec", R"({"new":1})", R"({})"},
  };
  for (const Case& c : cases) EXPECT_FALSE(both_ways_same(parse(c.a), parse(c.b))) << c.name;
}

// A tenant can write many templates that differ only in one value.
TEST(TemplateIdentity, DigestsOfDifferentTemplatesDiffer) {
  std::set<std::uint64_t> digests;
  const char* const templates[] = {
      R"({})",
      R"({"metadata":{"labels":{"app":"x"}}})",
      R"({"metadata":{"annotations":{"app":"x"}}})",
      R"({"metadata":{"annotations":{"app":"y"}}})",
      R"({"spec":{"nodeSelector":{"app":"x"}}})",
      R"({"spec":{"affinity":{}}})",
      R"({"spec":{"hostNetwork":true}})",
      R"({"spec":{"terminationGracePeriodSeconds":0}})",
      R"({"spec":{"terminationGracePeriodSeconds":1}})",
      R"({"spec":{"containers":[{"name":"a"},{"name":"b"}]}})",
      R"({"spec":{"containers":[{"name":"b"},{"name":"a"}]}})",
      R"({"spec":{"containers":[{"name":"a"},{"name":"b","image":"i"}]}})",
      R"({"spec":{"containers":[{"env":[{"name":"A"}]}]}})",
      R"({"spec":{"containers":[{"env":[{"name":"A","value":"1"}]}]}})",
      R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"1"}}}]}})",
      R"({"spec":{"containers":[{"resources":{"limits":{"cpu":"1001m"}}}]}})",
      R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":80}}}]}})",
      R"({"spec":{"containers":[{"livenessProbe":{"httpGet":{"port":"80"}}}]}})",
  };
  for (const char* one : templates) {
    EXPECT_TRUE(digests.insert(template_digest(parse(one))).second) << one;
  }
}

// Random templates of all fields that the schema knows.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  json::object object(const ObjectSchema& schema, int depth) {
    json::object made;
    schema::for_each_field(schema, [&](const Field& field) {
      if (field.type == Type::kObject && depth == 0) return;
      if (one_in(depth > 2 ? 2 : 3)) made[field.name] = value(field, depth - 1);
    });
    return made;
  }

  // The same template, written differently.
  json::object rewrite(const ObjectSchema& schema, const json::object& object) {
    std::vector<std::pair<std::string, json::value>> members;
    for (const auto& member : object) {
      const Field* field = schema.find(member.key());
      members.emplace_back(member.key(), rewrite(*field, member.value()));
    }
    schema::for_each_field(schema, [&](const Field& field) {
      if (object.contains(field.name) || !one_in(3)) return;
      members.emplace_back(field.name, nothing(field));
    });
    std::shuffle(members.begin(), members.end(), random_);
    json::object made;
    for (auto& [name, value] : members) made[name] = std::move(value);
    return made;
  }

  bool one_in(unsigned n) { return random_() % n == 0; }

 private:
  json::value one(const Field& field, int depth) {
    switch (field.type) {
      case Type::kBool:
        return true;
      case Type::kInt32:
      case Type::kInt64:
      case Type::kDouble:
        return static_cast<std::int64_t>(1 + random_() % 100);
      case Type::kIntOrString:
        return one_in(2) ? json::value("25%") : json::value(7);
      case Type::kQuantity:
        return text(fmt::format("{}", 1 + random_() % 9));
      case Type::kTime:
      case Type::kMicroTime:
        return text(fmt::format("2026-11-01T12:00:{:02}Z", random_() % 60));
      case Type::kObject:
        return object(*field.schema, depth);
      default:
        return text(fmt::format("text-{}", random_() % 100));
    }
  }

  json::value value(const Field& field, int depth) {
    if (field.form == Form::kOne) return one(field, depth);
    if (field.form == Form::kList) {
      json::array items;
      for (std::uint64_t i = 0; i <= random_() % 3; ++i) items.push_back(one(field, depth));
      return items;
    }
    json::object map;
    for (std::uint64_t i = 0; i <= random_() % 3; ++i) {
      map[fmt::format("key-{}", i)] = one(field, depth);
    }
    return map;
  }

  json::value rewrite_one(const Field& field, const json::value& value) {
    if (field.type == Type::kObject) return rewrite(*field.schema, value.get_object());
    if (field.type == Type::kQuantity && one_in(2)) {
      return text(std::string(value.get_string()) + "000m");
    }
    if (field.type == Type::kTime && one_in(2)) {
      std::string time(value.get_string());
      return text(time.replace(11, 2, "13").replace(19, 1, "+01:00"));
    }
    return value;
  }

  json::value rewrite(const Field& field, const json::value& value) {
    if (field.form == Form::kOne) return rewrite_one(field, value);
    if (field.form == Form::kList) {
      json::array items;
      for (const json::value& item : value.get_array()) items.push_back(rewrite_one(field, item));
      return items;
    }
    std::vector<std::string> keys;
    for (const auto& member : value.get_object()) keys.emplace_back(member.key());
    std::shuffle(keys.begin(), keys.end(), random_);
    json::object map;
    for (const std::string& key : keys) map[key] = rewrite_one(field, value.at(key));
    return map;
  }

  json::value nothing(const Field& field) {
    if (field.form == Form::kList && one_in(2)) return json::array();
    if (field.form == Form::kMap && one_in(2)) return json::object();
    return nullptr;
  }

  std::mt19937_64 random_;
};

RC_GTEST_PROP(TemplateIdentity, WritingItDifferentlyChangesNothing, (std::uint64_t seed)) {
  Maker maker(seed);
  const json::object made = maker.object(schema::kPodTemplateSpec, 6);
  const json::object again = maker.rewrite(schema::kPodTemplateSpec, made);
  if (!both_ways_same(made, again)) {
    RC_FAIL(json::serialize(made) + "\n" + json::serialize(again));
  }
}

// Visits every scalar of a document in a way that lets it be changed.
template <class Visit>
void each_scalar(json::value& value, const Visit& visit) {
  if (json::object* object = value.if_object()) {
    for (auto& member : *object) each_scalar(member.value(), visit);
  } else if (json::array* array = value.if_array()) {
    for (json::value& item : *array) each_scalar(item, visit);
  } else {
    visit(value);
  }
}

json::value another(const json::value& value) {
  if (value.is_bool()) return !value.get_bool();
  if (value.is_int64()) return value.get_int64() + 1;
  std::string other(value.get_string());
  // A later second of a time, an added digit of a quantity, another text.
  if (other.ends_with('Z')) {
    other[17] = other[17] == '5' ? '0' : static_cast<char>(other[17] + 1);
    return text(other);
  }
  return text(other + "1");
}

RC_GTEST_PROP(TemplateIdentity, NoScalarCanChangeUnnoticed, (std::uint64_t seed)) {
  Maker maker(seed);
  json::value made = maker.object(schema::kPodTemplateSpec, 6);
  const json::object before = made.get_object();
  int scalars = 0;
  each_scalar(made, [&](json::value& scalar) {
    if (++scalars % 7 != 0) return;
    const json::value kept = scalar;
    scalar = another(kept);
    if (both_ways_same(before, made.get_object())) {
      RC_FAIL("unnoticed: " + json::serialize(kept) + " in " + json::serialize(made));
    }
    scalar = kept;
  });
  RC_ASSERT(same_template(before, made.get_object()));
}

TEST(TemplateIdentity, HashesDependOnTheTemplateAndTheCountOnly) {
  const json::object made = parse(R"({"metadata":{"labels":{"app":"x","b":"y"}},"spec":{"a":1}})");
  const json::object again =
      parse(R"({"spec":{"a":1},"metadata":{"creationTimestamp":null,"labels":{"b":"y",)"
            R"("pod-template-hash":"zzz","app":"x"}}})");
  EXPECT_EQ(template_hash(made, std::nullopt), template_hash(again, std::nullopt));
  std::set<std::string> hashes = {template_hash(made, std::nullopt)};
  for (std::int64_t count = 0; count < 20; ++count) hashes.insert(template_hash(made, count));
  EXPECT_EQ(hashes.size(), 21U);
  for (const std::string& hash : hashes) {
    EXPECT_LE(hash.size(), 10U);
    EXPECT_EQ(hash.find_first_not_of("456789bcdf"), std::string::npos) << hash;
  }
}

TEST(TemplateIdentity, NamesAreCutToFit) {
  const std::string hash = "6d4cf56db6";
  EXPECT_EQ(replica_set_name("web", hash), "web-6d4cf56db6");
  for (const std::size_t length : {242U, 250U, 252U}) {
    EXPECT_EQ(replica_set_name(std::string(length, 'a'), hash), std::string(242, 'a') + "-" + hash);
  }
  EXPECT_EQ(replica_set_name(std::string(241, 'a') + ".b", hash),
            std::string(241, 'a') + "-" + hash);
}

}  // namespace
}  // namespace ebb::control
