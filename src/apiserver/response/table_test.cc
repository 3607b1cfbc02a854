#include "apiserver/response/table.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "schema/columns/printer_columns.h"
#include "schema/core/time.h"

namespace ebb::apiserver {
namespace {

namespace json = boost::json;

const schema::Kind kPods{.version = "v1", .name = "Pod", .columns = schema::pod_columns};
const schema::Kind kLeases{.version = "v1", .name = "Lease", .columns = schema::lease_columns};

const char* const kLease = R"({
  "kind": "Lease", "apiVersion": "coordination.k8s.io/v1",
  "metadata": {"name": "l", "namespace": "shop", "creationTimestamp": "2026-11-01T11:59:00Z"},
  "spec": {"holderIdentity": "me"}})";

std::string row(const schema::Kind& kind, const char* object, IncludeObject include) {
  return json::serialize(table_row(kind, json::parse(object).as_object(), include,
                                   *schema::parse_time("2026-11-01T12:00:00Z")));
}

TEST(Table, DefinesTheColumnsOfAKind) {
  const json::array columns = table_columns(kPods);
  ASSERT_EQ(columns.size(), 9U);
  EXPECT_EQ(columns[0].at("name"), "Name");
  EXPECT_EQ(columns[0].at("type"), "string");
  EXPECT_EQ(columns[0].at("format"), "name");
  EXPECT_EQ(columns[0].at("priority"), 0);
  EXPECT_TRUE(columns[0].at("description").is_string());
  EXPECT_EQ(columns[5].at("name"), "IP");
  EXPECT_EQ(columns[5].at("format"), "");
  EXPECT_EQ(columns[5].at("priority"), 1);
}

TEST(Table, HasColumnsForEveryKind) {
  for (const schema::Kind& kind : schema::kinds()) {
    EXPECT_GE(kind.columns().size(), 2U) << kind.name;
  }
}

TEST(Table, HasARowOfCellsWithTheObjectsMetadata) {
  EXPECT_EQ(row(kLeases, kLease, IncludeObject::kMetadata),
            R"({"cells":["l","me","60s"],"object":{"kind":"PartialObjectMetadata",)"
            R"("apiVersion":"meta.k8s.io/v1","metadata":{"name":"l","namespace":"shop",)"
            R"("creationTimestamp":"2026-11-01T11:59:00Z"}}})");
}

TEST(Table, IncludesTheObjectOrNothingWhenAskedTo) {
  EXPECT_EQ(row(kLeases, kLease, IncludeObject::kObject),
            R"({"cells":["l","me","60s"],"object":)" + json::serialize(json::parse(kLease)) + "}");
  EXPECT_EQ(row(kLeases, kLease, IncludeObject::kNone),
            R"({"cells":["l","me","60s"],"object":null})");
}

TEST(Table, MarksPodsThatHaveRunTheirCourse) {
  const auto conditions = [](const char* pod) {
    const json::value parsed = json::parse(row(kPods, pod, IncludeObject::kNone));
    const json::value* found = parsed.as_object().if_contains("conditions");
    return found == nullptr ? std::string() : json::serialize(*found);
  };
  EXPECT_EQ(conditions(R"({"status": {"phase": "Running"}})"), "");
  EXPECT_EQ(conditions(R"({"status": {"phase": "Succeeded"}})"),
            R"([{"type":"Completed","status":"True","reason":"Succeeded",)"
            R"("message":"The pod has completed successfully."}])");
  EXPECT_EQ(conditions(R"({"status": {"phase": "Failed"}})"),
            R"([{"type":"Completed","status":"True","reason":"Failed",)"
            R"("message":"The pod failed."}])");
}

TEST(PartialMetadata, HasMetadataEvenWhereTheObjectHasNone) {
  EXPECT_EQ(json::serialize(partial_metadata({})),
            R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{}})");
}

}  // namespace
}  // namespace ebb::apiserver
