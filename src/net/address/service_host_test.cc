#include "net/address/service_host.h"

#include <gtest/gtest.h>

namespace ebb::net {
namespace {

std::string of(std::string_view host, std::string_view namespace_name = "shop",
               std::string_view domain = "cluster.local") {
  return service_host(host, namespace_name, domain).value_or("none");
}

TEST(ServiceHost, KnowsAServiceByItsShortAndLongNames) {
  for (const char* host :
       {"picker", "picker.shop", "picker.shop.svc", "picker.shop.svc.cluster.local",
        "picker.shop.svc.cluster.local.", "Picker.SHOP.Svc.Cluster.Local"}) {
    EXPECT_EQ(of(host), "picker.shop.svc.cluster.local") << host;
  }
  EXPECT_EQ(of("picker.shop.svc.example.org", "shop", "example.org"),
            "picker.shop.svc.example.org");
  // Names of namespaces can look like other parts.
  EXPECT_EQ(of("a.svc", "svc"), "a.svc.svc.cluster.local");
  EXPECT_EQ(of("a.svc.svc", "svc"), "a.svc.svc.cluster.local");
  EXPECT_EQ(of("svc"), "svc.shop.svc.cluster.local");
}

TEST(ServiceHost, KnowsNothingElse) {
  for (const char* host : {"",
                           ".",
                           "picker.",
                           "picker.shop.",
                           "picker.shop.svc.",
                           ".picker",
                           "picker..shop",
                           "picker.other",
                           "picker.other.svc",
                           "picker.other.svc.cluster.local",
                           "picker.shop.pod",
                           "picker.shop.pod.cluster.local",
                           "10-0-0-1.shop.pod.cluster.local",
                           "0.picker.shop.svc.cluster.local",
                           "picker.shop.svc.cluster",
                           "picker.shop.svc.cluster.local.example.org",
                           "picker.shop.example.org",
                           "picker.shop.svc.cluster.local..",
                           "shop.svc",
                           "kubernetes.default.svc",
                           "10.0.0.1",
                           "127.1",
                           "2130706433",
                           "0x7f000001",
                           "::1",
                           "fd00::1",
                           "-picker",
                           "picker-",
                           "pick_er",
                           "picker shop",
                           "picker/"}) {
    EXPECT_EQ(of(host), "none") << host;
  }
  EXPECT_EQ(of(std::string(64, 'a')), "none");
  EXPECT_EQ(of(std::string_view("a\0b", 3)), "none");
  EXPECT_EQ(of("picker", ""), "none");
  EXPECT_EQ(of("picker.", ""), "none");
}

}  // namespace
}  // namespace ebb::net
