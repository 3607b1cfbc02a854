#include "schema/core/picker_rules.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/base64.h"

namespace ebb::schema {
namespace {

// Base64 of PEM that holds "abc" where a certificate would be.
constexpr std::string_view kBundle =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCllXSmoKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=";

TEST(PickerRules, TakeNamesAndPlainAddressesAsHosts) {
  for (const char* host :
       {"p", "localhost", "picker.shop.svc.cluster.local", "Picker.Example.com",
        "xn--hhe-sna.example", "3com.example", "1.2.3.4.example", "0x7f.example", "a-1", "10.0.0.1",
        "127.0.0.1", "255.255.255.255", "::", "::1", "fd00::1", "FD00::A", "::ffff:10.0.0.1",
        "1:2:3:4:5:6:7:8", "64:ff9b::1.2.3.4"}) {
    EXPECT_TRUE(is_picker_host(host)) << host;
  }
}

TEST(PickerRules, RefuseHostsWithAnythingAroundThem) {
  const std::string hosts[] = {"",
                               " ",
                               ".",
                               "a.",
                               ".a",
                               "a..b",
                               "-a",
                               "a-",
                               "a_b",
                               "a b",
                               " a",
                               "a ",
                               "a\n",
                               "a\t",
                               "http://p",
                               "https://p",
                               "//p",
                               "p/",
                               "p/pick",
                               "p?q",
                               "p#f",
                               "p:80",
                               "user@p",
                               "user:pw@p",
                               "p\\q",
                               "p%00",
                               "%70",
                               "[::1]",
                               "[::1]:80",
                               "::1:80:",
                               "fe80::1%eth0",
                               "fe80::1%25eth0",
                               "::g",
                               ":::",
                               "1::2::3",
                               "1:2:3:4:5:6:7",
                               "1:2:3:4:5:6:7:8:9",
                               "12345::",
                               "::1.2.3",
                               "::01.2.3.4",
                               "h\xc3\xb6he.example",
                               "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1",
                               "a\xff",
                               "*",
                               "*.example",
                               "$(host)",
                               "a,b",
                               "a;b",
                               "a'b",
                               std::string("p\0q", 3),
                               std::string(64, 'a'),
                               std::string(63, 'a') + "." + std::string(63, 'a') + "." +
                                   std::string(63, 'a') + "." + std::string(63, 'a')};
  for (const std::string& host : hosts) EXPECT_FALSE(is_picker_host(host)) << host;
}

// inet_aton, and with it most resolvers, reads all of these as addresses.
TEST(PickerRules, RefuseOddSpellingsOfAddresses) {
  for (const char* host :
       {"0177.0.0.1",  "127.0.0.01", "0x7f.1",       "0x7f.0.0.1", "0x7f.0x0.0x0.0x1", "0X7F.1",
        "127.0.0.0x1", "2130706433", "0x7f000001",   "0x",         "017700000001",     "127.1",
        "127.0.1",     "0",          "0.0",          "1.2.3.4.5",  "256.1.1.1",        "1.2.3.256",
        "127.0.0.1.",  "127.0.0",    "example.0x7f", "example.1",  "169.254.43518"}) {
    EXPECT_FALSE(is_picker_host(host)) << host;
    EXPECT_FALSE(is_dns_name(host)) << host;
  }
}

TEST(PickerRules, TakePortsAsNumbersAndAsDigits) {
  const auto port = [](const boost::json::value& value) { return picker_port(value).value_or(0); };
  EXPECT_EQ(port(1), 1);
  EXPECT_EQ(port(65535), 65535);
  EXPECT_EQ(port("443"), 443);
  EXPECT_EQ(port("65535"), 65535);
  for (const boost::json::value& value :
       {boost::json::value(0), boost::json::value(-1), boost::json::value(65536),
        boost::json::value(443.0), boost::json::value(18446744073709551615U),
        boost::json::value("0"), boost::json::value("0443"), boost::json::value("+443"),
        boost::json::value("-1"), boost::json::value("65536"), boost::json::value(""),
        boost::json::value("443 "), boost::json::value("https"), boost::json::value("0x1bb"),
        boost::json::value("99999999999999999999"), boost::json::value(true),
        boost::json::value(nullptr), boost::json::value(boost::json::array{443})}) {
    EXPECT_FALSE(picker_port(value).has_value()) << value;
  }
}

TEST(PickerRules, TakePathsThatCanBeSentAsTheyAre) {
  for (const char* path : {"/", "/pick", "/a/b?c=d&e=%20", "//x", "/~a;b,c"}) {
    EXPECT_TRUE(is_picker_path(path)) << path;
  }
  for (const std::string& path :
       {std::string(), std::string("pick"), std::string("http://p/"), std::string("/a b"),
        std::string("/a#b"), std::string("/a\r\nX: y"), std::string("/\0", 2), std::string("/\x7f"),
        std::string("/h\xc3\xb6he"), "/" + std::string(2048, 'a')}) {
    EXPECT_FALSE(is_picker_path(path)) << path;
  }
}

TEST(PickerRules, KeepFramingAndOurOwnHeadersInAnyCase) {
  for (const char* name : {"Host",
                           "HOST",
                           "content-length",
                           "Transfer-Encoding",
                           "Connection",
                           "Keep-Alive",
                           "TE",
                           "Trailer",
                           "Upgrade",
                           "Expect",
                           "Proxy-Authorization",
                           "proxy-connection",
                           "Proxy-X",
                           "HTTP2-Settings",
                           "Idempotency-Key",
                           "User-Agent",
                           "Content-Type",
                           "Content-Encoding",
                           "Accept",
                           "Accept-Encoding"}) {
    EXPECT_TRUE(is_reserved_header(name)) << name;
    EXPECT_TRUE(is_reserved_metadata(name)) << name;
  }
  for (const char* name :
       {"Authorization", "X-Api-Key", "Cookie", "Hosts", "X-Proxy", "traceparent"}) {
    EXPECT_FALSE(is_reserved_header(name)) << name;
  }
  EXPECT_FALSE(is_reserved_header("grpc-timeout"));
  EXPECT_TRUE(is_reserved_metadata("grpc-timeout"));
}

TEST(PickerRules, TakeTokensAsNamesOfHeaders) {
  for (const char* name : {"a", "X-Api_Key", "!#$%&'*+-.^_`|~9"}) {
    EXPECT_TRUE(is_header_name(name)) << name;
  }
  for (const char* name :
       {"", " ", "a b", "a:", ":path", "a\r\n", "h\xc3\xb6he", "a(b)", "a/b", "\"a\""}) {
    EXPECT_FALSE(is_header_name(name)) << name;
    EXPECT_FALSE(is_metadata_name(name)) << name;
  }
}

TEST(PickerRules, TakeLowerCaseNamesForMetadata) {
  for (const char* name : {"a", "authorization", "x-tenant_1.b", "bin"}) {
    EXPECT_TRUE(is_metadata_name(name)) << name;
  }
  for (const char* name : {"Authorization", "a!", "trace-bin"}) {
    EXPECT_FALSE(is_metadata_name(name)) << name;
  }
}

TEST(PickerRules, TakeValuesOfPrintableCharactersOnly) {
  EXPECT_TRUE(is_header_value(""));
  EXPECT_TRUE(is_header_value("Bearer abc ~!"));
  EXPECT_TRUE(is_header_value(std::string(16'384, 'a')));
  EXPECT_FALSE(is_header_value(std::string(16'385, 'a')));
  for (int byte = 0; byte < 256; ++byte) {
    const std::string value = "a" + std::string(1, static_cast<char>(byte)) + "b";
    EXPECT_EQ(is_header_value(value), byte >= 0x20 && byte <= 0x7e) << byte;
  }
}

TEST(PickerRules, DecodeBundlesThatHaveTheFormOfCertificates) {
  EXPECT_EQ(decode_ca_bundle(kBundle),
            "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n");
  // Two, with a remark before each.
  EXPECT_TRUE(
      decode_ca_bundle("IyBhCi0tLS0tQkVHSU4gQ0VSVElGSUNBVEUtLS0tLQpZV0pqCi0tLS0tRU5EIENFUlRJ"
                       "RklDQVRFLS0tLS0KIyBiCi0tLS0tQkVHSU4gQ0VSVElGSUNBVEUtLS0tLQpZV0pqCi0t"
                       "LS0tRU5EIENFUlRJRklDQVRFLS0tLS0K"));
}

TEST(PickerRules, RefuseBundlesOfOtherForms) {
  for (const char* bundle : {
           "",
           "%",
           "bm90aGluZw==",                              // nothing
           "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==",  // a beginning without an end
           // A key.
           "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCllXSmoKLS0tLS1FTkQgUFJJVkFURSBLRVktLS0tLQo=",
           // A certificate that is not base64.
           "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCiUlJQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==",
       }) {
    EXPECT_FALSE(decode_ca_bundle(bundle)) << bundle;
  }
  const std::string long_one = std::string(262'144, '\n') + std::string(kBundle);
  EXPECT_FALSE(decode_ca_bundle(long_one));
}

TEST(PickerRules, LimitTheCertificatesOfABundle) {
  const auto bundle_of = [](int certificates) {
    std::string pem;
    for (int i = 0; i < certificates; ++i) {
      pem += "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n";
    }
    return encode_base64(pem);
  };
  EXPECT_TRUE(decode_ca_bundle(bundle_of(32)));
  const auto refused = decode_ca_bundle(bundle_of(590));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "must have at most 32 certificates; it has 590");
  EXPECT_FALSE(decode_ca_bundle(bundle_of(33)));
}

}  // namespace
}  // namespace ebb::schema
