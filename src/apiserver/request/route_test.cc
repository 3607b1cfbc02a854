#include "apiserver/request/route.h"

#include <gtest/gtest.h>

namespace ebb::apiserver {
namespace {

struct PathCase {
  std::string_view path;
  std::string_view kind;  // empty: names nothing we serve
  std::string_view namespace_name;
  std::string_view name;
  std::string_view subresource;
};

class RoutePaths : public ::testing::TestWithParam<PathCase> {};

TEST_P(RoutePaths, MeanWhatKubernetesMeans) {
  const PathCase& expected = GetParam();
  const std::optional<Route> found = route(expected.path);
  ASSERT_EQ(found.has_value(), !expected.kind.empty()) << expected.path;
  if (!found) return;
  EXPECT_EQ(found->kind->name, expected.kind);
  EXPECT_EQ(found->namespace_name, expected.namespace_name);
  EXPECT_EQ(found->name, expected.name);
  EXPECT_EQ(found->subresource, expected.subresource);
}

INSTANTIATE_TEST_SUITE_P(
    All, RoutePaths,
    ::testing::Values(
        PathCase{"/api/v1/pods", "Pod", "", "", ""}, PathCase{"/api/v1/pods/", "Pod", "", "", ""},
        PathCase{"/api/v1/namespaces/shop/pods", "Pod", "shop", "", ""},
        PathCase{"/api/v1/namespaces/shop/pods/web-1", "Pod", "shop", "web-1", ""},
        PathCase{"/api/v1/namespaces/shop/pods/web%2D1", "Pod", "shop", "web-1", ""},
        PathCase{"/api/v1/namespaces/shop/pods/web-1/status", "Pod", "shop", "web-1", "status"},
        PathCase{"/api/v1/namespaces", "Namespace", "", "", ""},
        PathCase{"/api/v1/namespaces/shop", "Namespace", "", "shop", ""},
        PathCase{"/api/v1/namespaces/shop/status", "Namespace", "", "shop", "status"},
        PathCase{"/api/v1/namespaces/shop/finalize", "Namespace", "", "shop", "finalize"},
        PathCase{"/api/v1/nodes/n1", "Node", "", "n1", ""},
        PathCase{"/apis/apps/v1/namespaces/shop/deployments/web/scale", "Deployment", "shop", "web",
                 "scale"},
        PathCase{"/apis/ebb.dev/v1alpha1/downscalepolicies", "DownscalePolicy", "", "", ""},
        // Not served, or not a place where such an object can be.
        PathCase{"/api/v1/pods/web-1", "", "", "", ""},
        PathCase{"/api/v1/namespaces/shop/nodes", "", "", "", ""},
        PathCase{"/api/v1/cabbages", "", "", "", ""}, PathCase{"/apis/apps/v1", "", "", "", ""},
        PathCase{"/apis/apps/v2/deployments", "", "", "", ""},
        PathCase{"/api/v1/namespaces//pods", "", "", "", ""},
        PathCase{"/api/v1/namespaces/shop/pods/a/b/c", "", "", "", ""},
        PathCase{"/api/v1/namespaces/shop/pods/%zz", "", "", "", ""}, PathCase{"", "", "", "", ""},
        PathCase{"/", "", "", "", ""}, PathCase{"pods", "", "", "", ""}));

TEST(Query, IsPercentDecoded) {
  const auto query = parse_query("labelSelector=app%3Dweb%2Ctier+in+%28a%29&limit=5&watch");
  ASSERT_TRUE(query);
  EXPECT_EQ(query->at("labelSelector"), "app=web,tier in (a)");
  EXPECT_EQ(query->at("limit"), "5");
  EXPECT_EQ(query->at("watch"), "");
}

TEST(Query, TakesTheFirstOfRepeatedParameters) {
  EXPECT_EQ(parse_query("limit=1&limit=2")->at("limit"), "1");
}

TEST(Query, RefusesABrokenEscape) {
  EXPECT_EQ(parse_query("limit=%4").error().code, 400);
  EXPECT_EQ(parse_query("limit=%xy").error().code, 400);
}

}  // namespace
}  // namespace ebb::apiserver
