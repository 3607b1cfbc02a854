#include <gtest/gtest.h>

#include "support/apiserver/validating.h"

namespace ebb::apiserver {
namespace {

using support::problems;

struct Case {
  std::string given;
  std::string problems;
};

const char* const kPolicy = R"({"apiVersion": "ebb.dev/v1alpha1", "kind": "DownscalePolicy",
  "metadata": {"name": "p", "namespace": "shop"},
  "spec": {"targetRef": {"kind": "Deployment", "name": "web"}}})";

// The errors of a picker, or of its http or grpc section, with paths relative to it.
std::string picker_problems(const std::string& picker) {
  return problems(kPolicy, R"({"spec": {"podPicker": )" + picker + "}}");
}
std::string http_problems(const std::string& http) {
  return picker_problems(R"({"http": )" + http + "}");
}
std::string grpc_problems(const std::string& grpc) {
  return picker_problems(R"({"grpc": )" + grpc + "}");
}
std::string header_problems(const std::string& header) {
  return http_problems(R"({"host": "p", "httpHeaders": [)" + header + "]}");
}

void expect_each(const std::vector<Case>& cases, std::string (*check)(const std::string&),
                 const std::string& where) {
  for (const Case& one : cases) {
    EXPECT_EQ(check(one.given), one.problems.empty() ? "" : where + one.problems) << one.given;
  }
}

TEST(CheckPicker, WantsOneWayToReachIt) {
  EXPECT_EQ(picker_problems("{}"),
            "spec.podPicker: Required value: one of `http` and `grpc` must be specified");
  EXPECT_EQ(picker_problems(R"({"http": {"host": "p"}, "grpc": {"host": "p"}})"),
            "spec.podPicker.grpc: Forbidden: may not be specified when `http` is specified");
  EXPECT_EQ(picker_problems(R"({"http": {"host": "p"}})"), "");
  EXPECT_EQ(picker_problems(R"({"grpc": {"host": "p"}})"), "");
  EXPECT_EQ(http_problems("{}"), "spec.podPicker.http.host: Required value");
}

TEST(CheckPicker, WantsAHostWithoutAnythingAroundIt) {
  const std::string refusal =
      ": must be a host name or an IP address, without scheme, port or path";
  for (const char* host : {"p", "picker.shop.svc.cluster.local", "Picker.Example.com", "10.0.0.1",
                           "fd00::1", "::1", "::ffff:10.0.0.1", "1:2:3:4:5:6:7:8"}) {
    EXPECT_EQ(http_problems(R"({"host": ")" + std::string(host) + R"("})"), "") << host;
  }
  for (const char* host : {"http://p", "p:80", "p/pick", "p q", "a..b", "-p", "[::1]:80", "::g",
                           "user@p", "p?q", "0x7f.1", "2130706433", "fe80::1%eth0"}) {
    const std::string quoted = '"' + std::string(host) + '"';
    EXPECT_EQ(http_problems(R"({"host": )" + quoted + "}"),
              "spec.podPicker.http.host: Invalid value: " + quoted + refusal);
  }
}

TEST(CheckPicker, TakesAPortAsANumberOrANumberInQuotes) {
  const auto port = [](const char* text) {
    return http_problems(R"({"host": "p", "port": )" + std::string(text) + "}");
  };
  for (const char* text : {"1", "443", "65535", "\"1\"", "\"443\"", "\"65535\""}) {
    EXPECT_EQ(port(text), "") << text;
  }
  for (const char* text : {"0", "-1", "65536", "\"0\"", "\"-1\"", "\"65536\"", "\"080\"",
                           "\"99999999999999999999\""}) {
    EXPECT_EQ(port(text), "spec.podPicker.http.port: Invalid value: " + std::string(text) +
                              ": must be between 1 and 65535, inclusive");
  }
  for (const char* text : {"\"http\"", "\"\"", "\"80a\"", "\" 80\"", "\"+80\""}) {
    EXPECT_EQ(port(text),
              "spec.podPicker.http.port: Invalid value: " + std::string(text) +
                  ": must be a number, or a number in quotes; port names are not supported");
  }
}

TEST(CheckPicker, ChecksSchemeAndPath) {
  expect_each(
      {{R"({"host": "p", "scheme": "HTTPS", "path": "/pick?a=b"})", ""},
       {R"({"host": "p", "scheme": "Http", "path": "/"})", ""},
       {R"({"host": "p", "scheme": "ftp"})",
        "scheme: Unsupported value: \"ftp\": supported values: \"http\", \"https\""},
       {R"({"host": "p", "path": "pick"})", "path: Invalid value: \"pick\": must start with '/'"},
       {R"({"host": "p", "path": "/a b"})",
        "path: Invalid value: \"/a b\": must consist of at most 2048 visible ASCII characters "
        "without '#'"},
       {R"({"host": "p", "path": "/a\r\nX: y"})",
        "path: Invalid value: \"/a\\r\\nX: y\": must consist of at most 2048 visible ASCII "
        "characters without '#'"}},
      http_problems, "spec.podPicker.http.");
}

TEST(CheckPicker, WantsNamesOfHeadersThatAreTokens) {
  for (const char* name : {"Authorization", "x-api_key", "!#$%&'*+-.^_`|~9"}) {
    EXPECT_EQ(header_problems(R"({"name": ")" + std::string(name) + R"(", "value": "v"})"), "");
  }
  expect_each(
      {{R"({"value": "v"})", "Required value"},
       {R"({"name": "a b", "value": "v"})",
        "Invalid value: \"a b\": must be a valid HTTP header name, such as 'Authorization'"},
       {R"({"name": "a:", "value": "v"})",
        "Invalid value: \"a:\": must be a valid HTTP header name, such as 'Authorization'"}},
      header_problems, "spec.podPicker.http.httpHeaders[0].name: ");
}

TEST(CheckPicker, KeepsHeadersOfFramingForTheClient) {
  for (const char* name : {"Host", "content-length", "Transfer-Encoding", "CONNECTION", "TE",
                           "Upgrade", "Expect", "Keep-Alive", "Trailer", "Proxy-Authorization",
                           "Content-Type", "Idempotency-Key", "User-Agent", "Accept-Encoding"}) {
    EXPECT_EQ(header_problems(R"({"name": ")" + std::string(name) + R"(", "value": "v"})"),
              "spec.podPicker.http.httpHeaders[0].name: Forbidden: header \"" + std::string(name) +
                  "\" is set by the client itself");
  }
}

TEST(CheckPicker, WantsOneValueForAHeader) {
  expect_each(
      {{R"({"name": "a", "value": ""})", ""},
       {R"({"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}})", ""},
       {R"({"name": "a"})",
        "value: Required value: one of `value` and `valueFrom` must be specified"},
       {R"({"name": "a", "value": "v", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}})",
        "valueFrom: Forbidden: may not be specified when `value` is not empty"},
       {R"({"name": "a", "value": "x\r\nHost: y"})",
        "value: Invalid value: \"<value omitted>\": must consist of printable ASCII characters"},
       {R"({"name": "a", "value": "x\u0000"})",
        "value: Invalid value: \"<value omitted>\": must consist of printable ASCII characters"},
       {R"({"name": "a", "valueFrom": {}})", "valueFrom.secretKeyRef: Required value"},
       {R"({"name": "a", "valueFrom": {"secretKeyRef": {"name": "s"}}})",
        "valueFrom.secretKeyRef.key: Required value"}},
      header_problems, "spec.podPicker.http.httpHeaders[0].");
}

TEST(CheckPicker, TakesCertificatesOnlyWhereTheyAreUsed) {
  // Not a certificate, but in the form of one; alone, and after a remark.
  const std::string pem =
      "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCllXSmoKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=";
  const std::string remark =
      "eAotLS0tLUJFR0lOIENFUlRJRklDQVRFLS0tLS0KWVdKago"
      "tLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==";
  for (const std::string& bundle : {pem, remark}) {
    EXPECT_EQ(http_problems(R"({"host": "p", "scheme": "https", "serverName": "picker.example",
                                "clientCertificate": {"secretRef": {"name": "tls"}},
                                "caBundle": ")" +
                            bundle + R"("})"),
              "");
  }
  expect_each({{R"({"host": "p", "scheme": "https", "caBundle": "bm90aGluZw=="})",
                "caBundle: Invalid value: \"<value omitted>\": must be certificates in PEM format, "
                "in base64"},
               {R"({"host": "p", "caBundle": ")" + pem + R"("})",
                "caBundle: Forbidden: may only be specified when `scheme` is 'https'"},
               {R"({"host": "p", "serverName": "q"})",
                "serverName: Forbidden: may only be specified when `scheme` is 'https'"},
               {R"({"host": "p", "scheme": "https", "clientCertificate": {"secretRef": {}}})",
                "clientCertificate.secretRef.name: Required value"},
               {R"({"host": "p", "scheme": "https", "serverName": "10.0.0.1"})",
                "serverName: Invalid value: \"10.0.0.1\": must be a host name"}},
              http_problems, "spec.podPicker.http.");
  expect_each({{R"({"host": "p", "tls": true, "serverName": "q"})", ""},
               {R"({"host": "p", "serverName": "q"})",
                "serverName: Forbidden: may only be specified when `tls` is true"},
               {R"({"host": "p", "metadata": [{"name": "te", "value": "x"}]})",
                "metadata[0].name: Forbidden: header \"te\" is set by the client itself"}},
              grpc_problems, "spec.podPicker.grpc.");
}

TEST(CheckPicker, TakesMetadataThatGrpcTakes) {
  const auto metadata = [](const std::string& name) {
    return grpc_problems(R"({"host": "p", "metadata": [{"name": ")" + name +
                         R"(", "value": ""}]})");
  };
  const std::string where = "spec.podPicker.grpc.metadata[0].name: ";
  EXPECT_EQ(metadata("x-tenant_1.a"), "");
  EXPECT_EQ(metadata("Authorization"),
            where +
                "Invalid value: \"Authorization\": must consist of lower-case letters, digits, "
                "'-', '_' or '.', and must not end with '-bin'");
  EXPECT_EQ(metadata("grpc-timeout"),
            where + "Forbidden: header \"grpc-timeout\" is set by the client itself");
}

TEST(CheckPicker, BoundsTheHeaders) {
  const auto with_headers = [](std::size_t count, std::size_t size) {
    std::string headers;
    for (std::size_t i = 0; i < count; ++i) {
      headers += (i == 0 ? "" : ",") + std::string(R"({"name": "a", "value": ")") +
                 std::string(size, 'v') + "\"}";
    }
    return http_problems(R"({"host": "p", "httpHeaders": [)" + headers + "]}");
  };
  EXPECT_EQ(with_headers(64, 10), "");
  EXPECT_EQ(with_headers(65, 10),
            "spec.podPicker.http.httpHeaders: Forbidden: must have at most 64 items");
  EXPECT_EQ(with_headers(16, 1024),
            "spec.podPicker.http.httpHeaders: Forbidden: must have at most 16384 bytes");
}

TEST(CheckPicker, BoundsTimeRetriesAndContext) {
  const std::string http = R"({"http": {"host": "p"}, )";
  expect_each({{http + R"("timeoutSeconds": 1, "maxRetries": 0, "context": "full"})", ""},
               {http + R"("timeoutSeconds": 30, "maxRetries": 10, "context": "names"})", ""},
               {http + R"("timeoutSeconds": 0})",
                "timeoutSeconds: Invalid value: 0: must be between 1 and 30, inclusive"},
               {http + R"("timeoutSeconds": 31})",
                "timeoutSeconds: Invalid value: 31: must be between 1 and 30, inclusive"},
               {http + R"("maxRetries": -1})",
                "maxRetries: Invalid value: -1: must be between 0 and 10, inclusive"},
               {http + R"("context": "all"})",
                "context: Unsupported value: \"all\": supported values: \"full\", \"names\""}},
              picker_problems, "spec.podPicker.");
}

TEST(CheckPolicy, WantsATargetAndSomethingToDo) {
  const std::vector<Case> cases = {
      {R"({"ranking": {"preset": "empty-nodes"}})", ""},
      {R"({})",
       "spec: Required value: at least one of `podPicker` and `ranking` must be specified"},
      {R"({"targetRef": null, "ranking": {"preset": "empty-nodes"}})",
       "spec.targetRef: Required value"},
      {R"({"targetRef": {"name": null}, "ranking": {"preset": "empty-nodes"}})",
       "spec.targetRef.name: Required value"},
      {R"({"targetRef": {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout"},
           "ranking": {"preset": "empty-nodes"}})",
       ""},
      {R"({"targetRef": {"apiVersion": "v1"}, "ranking": {"preset": "empty-nodes"}})", ""},
      {R"({"targetRef": {"kind": "Roll out"}, "ranking": {"preset": "empty-nodes"}})",
       "spec.targetRef.kind: Invalid value: \"Roll out\": a kind must consist of alphanumeric "
       "characters or '-', start with an alphabetic character, and end with an alphanumeric "
       "character (e.g. 'Deployment',  or 'Rollout', regex used for validation is "
       "'[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?')"},
      {R"({"targetRef": {"apiVersion": "apps/v1/x"}, "ranking": {"preset": "empty-nodes"}})",
       "spec.targetRef.apiVersion: Invalid value: \"apps/v1/x\": an API version must be "
       "GROUP/VERSION, or VERSION for the core group (e.g. 'apps/v1',  or 'argoproj.io/v1alpha1', "
       "regex used for validation is "
       "'([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
       "[a-z]([-a-z0-9]*[a-z0-9])?')"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(problems(kPolicy, R"({"spec": )" + one.given + "}"), one.problems) << one.given;
  }
  EXPECT_EQ(problems(kPolicy, R"({"spec": null})"), "spec: Required value");
}

TEST(CheckPodGroupCost, WantsAnOwnerAndNamesOfPods) {
  const char* const costs = R"({"apiVersion": "ebb.dev/v1alpha1", "kind": "PodGroupCost",
    "metadata": {"name": "c", "namespace": "shop"},
    "spec": {"owner": {"kind": "ReplicaSet", "name": "web-1"}, "costs": {"web-1-a": 5}}})";
  EXPECT_EQ(problems(costs, R"({"spec": {"owner": null}})"), "spec.owner: Required value");
  EXPECT_EQ(problems(costs, R"({"spec": {"owner": {"kind": null}}})"),
            "spec.owner.kind: Required value");
  EXPECT_EQ(problems(costs, R"({"spec": {"costs": {"A": 5}}})")
                .find("spec.costs[A]: Invalid value: \"A\": a lowercase RFC 1123 subdomain"),
            0U);
}

}  // namespace
}  // namespace ebb::apiserver
