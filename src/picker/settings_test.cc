#include "picker/settings.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include "base/base64.h"

namespace ebb::picker {
namespace {

namespace json = boost::json;

constexpr std::string_view kWhere = "spec.podPicker";

Result<Settings> decode(std::string_view text) {
  return decode_settings(json::parse(text), kWhere);
}

Settings decoded(std::string_view text) {
  auto settings = decode(text);
  EXPECT_TRUE(settings.has_value()) << text << ": " << settings.error().message;
  return settings.value_or(Settings{});
}

// What is wrong, without the place of the picker.
std::string problem(std::string_view text) {
  const auto settings = decode(text);
  if (settings) return "";
  const std::string& message = settings.error().message;
  EXPECT_TRUE(message.starts_with(kWhere)) << message;
  return message.substr(kWhere.size());
}

std::string with_http(const std::string& fields) {
  return R"({"http": {"host": "p")" + (fields.empty() ? "" : ", " + fields) + "}}";
}
std::string with_grpc(const std::string& fields) {
  return R"({"grpc": {"host": "p")" + (fields.empty() ? "" : ", " + fields) + "}}";
}
std::string with_header(const std::string& header) {
  return with_http(R"("httpHeaders": [)" + header + "]");
}

// Base64 of PEM that holds "abc" where a certificate would be.
const std::string kBundle =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCllXSmoKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=";

TEST(PickerSettings, HaveTheDefaultsOfTheProposal) {
  const Settings settings = decoded(R"({"http": {"host": "p"}})");
  EXPECT_EQ(settings.protocol, Protocol::kHttp);
  EXPECT_FALSE(settings.tls);
  EXPECT_EQ(settings.host, "p");
  EXPECT_EQ(settings.port, 80);
  EXPECT_EQ(settings.path, "/");
  EXPECT_TRUE(settings.headers.empty());
  EXPECT_EQ(settings.context, Context::kNames);
  EXPECT_EQ(settings.timeout_ns, kNanosecondsPerSecond);
  EXPECT_EQ(settings.max_retries, 3);
}

TEST(PickerSettings, ReadEveryFieldOfHttp) {
  const Settings settings = decoded(R"({
      "http": {"scheme": "HTTPS", "host": "picker.shop.svc", "port": "8443", "path": "/pick?a=b",
               "httpHeaders": [{"name": "X-Tenant", "value": "shop"},
                               {"name": "Authorization", "valueFrom": {"secretKeyRef":
                                 {"name": "picker", "key": "token", "optional": true}}}],
               "caBundle": ")" + kBundle +
                                    R"(", "serverName": "picker.example",
               "clientCertificate": {"secretRef": {"name": "picker-tls"}}},
      "context": "full", "timeoutSeconds": 30, "maxRetries": 0})");
  EXPECT_TRUE(settings.tls);
  EXPECT_EQ(settings.endpoint(), "https://picker.shop.svc:8443");
  EXPECT_EQ(settings.path, "/pick?a=b");
  ASSERT_EQ(settings.headers.size(), 2U);
  EXPECT_EQ(settings.headers[0].name, "X-Tenant");
  EXPECT_EQ(settings.headers[0].value, "shop");
  EXPECT_FALSE(settings.headers[0].from.has_value());
  EXPECT_EQ(settings.headers[1].name, "Authorization");
  ASSERT_TRUE(settings.headers[1].from.has_value());
  EXPECT_EQ(settings.headers[1].from->secret, "picker");
  EXPECT_EQ(settings.headers[1].from->key, "token");
  EXPECT_TRUE(settings.headers[1].from->optional);
  EXPECT_EQ(settings.ca_pem, "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n");
  EXPECT_EQ(settings.server_name, "picker.example");
  EXPECT_EQ(settings.client_certificate, "picker-tls");
  EXPECT_EQ(settings.context, Context::kFull);
  EXPECT_EQ(settings.timeout_ns, 30 * kNanosecondsPerSecond);
  EXPECT_EQ(settings.max_retries, 0);
}

TEST(PickerSettings, ReadEveryFieldOfGrpc) {
  const Settings settings = decoded(R"({
      "grpc": {"host": "fd00::1", "tls": true,
               "metadata": [{"name": "authorization", "valueFrom": {"secretKeyRef":
                              {"name": "picker", "key": "token"}}}],
               "caBundle": ")" + kBundle +
                                    R"(", "serverName": "picker.example",
               "clientCertificate": {"secretRef": {"name": "picker-tls"}}}})");
  EXPECT_EQ(settings.protocol, Protocol::kGrpc);
  EXPECT_EQ(settings.endpoint(), "grpcs://[fd00::1]:443");
  ASSERT_EQ(settings.headers.size(), 1U);
  EXPECT_FALSE(settings.headers[0].from->optional);
  EXPECT_FALSE(settings.ca_pem.empty());
  EXPECT_EQ(settings.server_name, "picker.example");
  EXPECT_EQ(settings.client_certificate, "picker-tls");
}

TEST(PickerSettings, TakeThePortFromSchemeAndTls) {
  EXPECT_EQ(decoded(with_http(R"("scheme": "http")")).port, 80);
  EXPECT_EQ(decoded(with_http(R"("scheme": "hTTps")")).port, 443);
  EXPECT_EQ(decoded(with_grpc("")).port, 80);
  EXPECT_EQ(decoded(with_grpc(R"("tls": true)")).port, 443);
  EXPECT_EQ(decoded(with_grpc(R"("tls": true, "port": 50051)")).port, 50051);
}

TEST(PickerSettings, TakeNullAsAbsentAndIgnoreWhatTheyDoNotKnow) {
  EXPECT_EQ(problem(R"({"http": {"host": "p", "scheme": null, "port": null, "path": null,
      "httpHeaders": null, "caBundle": null, "serverName": null, "clientCertificate": null,
      "later": 1}, "grpc": null, "context": null, "timeoutSeconds": null, "maxRetries": null,
      "later": {}})"),
            "");
}

struct Case {
  std::string settings;
  std::string problem;
};

void expect_problems(const std::vector<Case>& cases) {
  for (const Case& one : cases) EXPECT_EQ(problem(one.settings), one.problem) << one.settings;
}

TEST(PickerSettings, WantExactlyOneProtocol) {
  const std::string one_of = ": must have exactly one of http and grpc";
  expect_problems({
      {"null", one_of},
      {"{}", one_of},
      {R"({"http": null, "grpc": null})", one_of},
      {R"({"http": {"host": "p"}, "grpc": {"host": "p"}})", one_of},
      {"[]", ": must be an object"},
      {R"("http://p")", ": must be an object"},
      {R"({"http": "http://p"})", ".http: must be an object"},
      {R"({"grpc": [1]})", ".grpc: must be an object"},
  });
}

TEST(PickerSettings, NameTheFieldThatIsWrong) {
  const std::string host =
      "host: must be a host name or an IP address, without scheme, port or path";
  const std::string port = "port: must be a number between 1 and 65535, or such a number in quotes";
  const std::string path =
      "path: must start with '/', and must consist of at most 2048 visible ASCII characters "
      "without "
      "'#'";
  expect_problems({
      {R"({"http": {}})", ".http." + host},
      {R"({"grpc": {}})", ".grpc." + host},
      {R"({"http": {"host": "0x7f.1"}})", ".http." + host},
      {R"({"http": {"host": 127}})", ".http.host: must be a string"},
      {with_http(R"("port": 0)"), ".http." + port},
      {with_http(R"("port": "http")"), ".http." + port},
      {with_grpc(R"("port": 443.5)"), ".grpc." + port},
      {with_grpc(R"("port": {})"), ".grpc." + port},
      {with_http(R"("scheme": "ftp")"), ".http.scheme: must be http or https"},
      {with_http(R"("scheme": 1)"), ".http.scheme: must be a string"},
      {with_http(R"("path": "pick")"), ".http." + path},
      {with_http(R"("path": "/a\r\nX: y")"), ".http." + path},
      {with_grpc(R"("tls": "true")"), ".grpc.tls: must be true or false"},
      {R"({"http": {"host": "p"}, "context": "all"})", ".context: must be names or full"},
      {R"({"http": {"host": "p"}, "timeoutSeconds": 0})",
       ".timeoutSeconds: must be an integer between 1 and 30"},
      {R"({"http": {"host": "p"}, "timeoutSeconds": 31})",
       ".timeoutSeconds: must be an integer between 1 and 30"},
      {R"({"http": {"host": "p"}, "timeoutSeconds": "5"})",
       ".timeoutSeconds: must be an integer between 1 and 30"},
      {R"({"http": {"host": "p"}, "timeoutSeconds": 1.5})",
       ".timeoutSeconds: must be an integer between 1 and 30"},
      {R"({"http": {"host": "p"}, "maxRetries": -1})",
       ".maxRetries: must be an integer between 0 and 10"},
      {R"({"http": {"host": "p"}, "maxRetries": 18446744073709551615})",
       ".maxRetries: must be an integer between 0 and 10"},
  });
}

TEST(PickerSettings, WantOneValueForEachHeader) {
  const std::string where = ".http.httpHeaders[0].";
  expect_problems({
      {with_header(R"({"name": "a", "value": ""})"), ""},
      {with_header(R"({"name": "a", "value": "",
          "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}})"),
       ""},
      {with_header(R"({"name": "a"})"), where + "value: must be given, or valueFrom instead"},
      {with_header(R"({"name": "a", "value": "v",
          "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}})"),
       where + "valueFrom: must not be given together with value"},
      {with_header(R"({"name": "a", "value": 1})"), where + "value: must be a string"},
      {with_header(R"({"name": "a", "valueFrom": {}})"),
       where + "valueFrom.secretKeyRef: must be given"},
      {with_header(R"({"name": "a", "valueFrom": []})"), where + "valueFrom: must be an object"},
      {with_header(R"({"name": "a", "valueFrom": {"secretKeyRef": {"key": "k"}}})"),
       where + "valueFrom.secretKeyRef.name: must be the name of a Secret"},
      {with_header(R"({"name": "a", "valueFrom": {"secretKeyRef": {"name": "../s", "key": "k"}}})"),
       where + "valueFrom.secretKeyRef.name: must be the name of a Secret"},
      {with_header(R"({"name": "a", "valueFrom": {"secretKeyRef": {"name": "s"}}})"),
       where + "valueFrom.secretKeyRef.key: must be a key of a Secret"},
      {with_header(R"({"name": "a", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k",
          "optional": 1}}})"),
       where + "valueFrom.secretKeyRef.optional: must be true or false"},
      {with_http(R"("httpHeaders": {})"), ".http.httpHeaders: must be a list"},
      {with_http(R"("httpHeaders": ["a: b"])"), ".http.httpHeaders[0]: must be an object"},
  });
}

TEST(PickerSettings, RefuseHeadersThatAreNotTheirs) {
  const std::string where = ".http.httpHeaders[0].name: ";
  const std::string metadata = ".grpc.metadata[0].name: ";
  const std::string token = "must be the name of a header, such as 'Authorization'";
  const std::string key =
      "must consist of lower-case letters, digits, '-', '_' or '.', and must not end with '-bin'";
  const auto grpc = [](const std::string& name) {
    return with_grpc(R"("metadata": [{"name": ")" + name + R"(", "value": "v"}])");
  };
  expect_problems({
      {with_header(R"({"value": "v"})"), where + token},
      {with_header(R"({"name": "a b", "value": "v"})"), where + token},
      {with_header(R"({"name": "a\r\nHost", "value": "v"})"), where + token},
      {with_header(R"({"name": ":path", "value": "v"})"), where + token},
      {with_header(R"({"name": "hOsT", "value": "v"})"), where + "is set by the client itself"},
      {with_header(R"({"name": "Idempotency-Key", "value": "v"})"),
       where + "is set by the client itself"},
      {grpc("Authorization"), metadata + key},
      {grpc("trace-bin"), metadata + key},
      {grpc(":path"), metadata + key},
      {grpc("te"), metadata + "is set by the client itself"},
      {grpc("grpc-timeout"), metadata + "is set by the client itself"},
  });
}

TEST(PickerSettings, NeverTellTheValueOfAHeader) {
  const char* const values[] = {R"("s3cret\r\nHost: x")", R"("s3cret\u0000")", R"("s3cret\u00e9")",
                                R"("s3cret\t")", R"(["s3cret"])"};
  for (const std::string value : values) {
    const std::string message = problem(with_header(R"({"name": "a", "value": )" + value + "}"));
    EXPECT_TRUE(message.starts_with(".http.httpHeaders[0].value: must ")) << message;
    EXPECT_EQ(message.find("s3cret"), std::string::npos);
  }
}

TEST(PickerSettings, BoundTheHeaders) {
  const auto with_headers = [](std::size_t count, std::size_t size) {
    std::string headers;
    for (std::size_t i = 0; i < count; ++i) {
      headers += (i == 0 ? "" : ",") + std::string(R"({"name": "a", "value": ")") +
                 std::string(size, 'v') + "\"}";
    }
    return problem(with_header(headers));
  };
  EXPECT_EQ(with_headers(64, 255), "");
  EXPECT_EQ(with_headers(65, 10), ".http.httpHeaders: must have at most 64 items");
  EXPECT_EQ(with_headers(64, 256), ".http.httpHeaders: must have at most 16384 bytes");
}

TEST(PickerSettings, TakeCertificatesOnlyWhereTheyAreUsed) {
  expect_problems({
      {with_http(R"("caBundle": ")" + kBundle + "\""),
       ".http.caBundle: must only be given when scheme is https"},
      {with_http(R"("serverName": "q")"),
       ".http.serverName: must only be given when scheme is https"},
      {with_grpc(R"("clientCertificate": {"secretRef": {"name": "s"}})"),
       ".grpc.clientCertificate: must only be given when tls is true"},
      {with_http(R"("scheme": "https", "caBundle": "bm90aGluZw==")"),
       ".http.caBundle: must be certificates in PEM format, in base64"},
      {with_http(R"("scheme": "https", "caBundle": 1)"), ".http.caBundle: must be a string"},
      {with_http(R"("scheme": "https", "serverName": "10.0.0.1")"),
       ".http.serverName: must be a host name"},
      {with_grpc(R"("tls": true, "serverName": "a b")"), ".grpc.serverName: must be a host name"},
      {with_grpc(R"("tls": true, "clientCertificate": {})"),
       ".grpc.clientCertificate.secretRef.name: must be the name of a Secret"},
      {with_grpc(R"("tls": true, "clientCertificate": {"secretRef": {"name": "A"}})"),
       ".grpc.clientCertificate.secretRef.name: must be the name of a Secret"},
  });
}

TEST(PickerSettings, BoundTheBundle) {
  std::string pem;
  for (int i = 0; i < 33; ++i) {
    pem += "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n";
  }
  const std::string bundle = R"("caBundle": ")" + encode_base64(pem) + "\"";
  expect_problems({
      {with_http(R"("scheme": "https", )" + bundle),
       ".http.caBundle: must have at most 32 certificates; it has 33"},
      {with_grpc(R"("tls": true, )" + bundle),
       ".grpc.caBundle: must have at most 32 certificates; it has 33"},
  });
}

TEST(PickerSettings, HeadersFromSecretsAreHeldToTheSameRules) {
  EXPECT_TRUE(may_set_header("Authorization", Protocol::kHttp));
  EXPECT_TRUE(may_set_header("authorization", Protocol::kGrpc));
  EXPECT_FALSE(may_set_header("Authorization", Protocol::kGrpc));
  EXPECT_FALSE(may_set_header("Transfer-Encoding", Protocol::kHttp));
  EXPECT_FALSE(may_set_header("transfer-encoding", Protocol::kGrpc));
  EXPECT_FALSE(may_set_header("a b", Protocol::kHttp));
  EXPECT_FALSE(may_set_header("", Protocol::kHttp));
  EXPECT_TRUE(valid_header_value("Bearer a.b-c"));
  EXPECT_FALSE(valid_header_value("a\r\nHost: b"));
  EXPECT_FALSE(valid_header_value("a\n"));
}

}  // namespace
}  // namespace ebb::picker
