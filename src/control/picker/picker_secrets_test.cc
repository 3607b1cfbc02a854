// Secrets of pickers, as a session fetches and uses them.
#include "control/picker/picker_secrets.h"

#include <tuple>

#include <gtest/gtest.h>

#include "support/control/picker_sessions_scene.h"

namespace ebb::control {
namespace {

using namespace sessions_scene;

class PickerSecretsTest : public PickerSessionsTest {
 protected:
  PickerSecretsTest() {
    settings.headers = {{.name = "x-plain", .value = "plain"},
                        {.name = "authorization", .from = picker::SecretKey{"picker", "token"}},
                        {.name = "x-tenant", .from = picker::SecretKey{"picker", "tenant", true}}};
  }
  using Headers = std::vector<std::pair<std::string, std::string>>;
};

TEST_F(PickerSecretsTest, FetchesEachSecretOnceAndSendsWhatItHolds) {
  begin();
  EXPECT_EQ(sink.sent, Names{"/api/v1/namespaces/shop/secrets/picker"});
  EXPECT_TRUE(sink.asked.empty());
  EXPECT_TRUE(picker_sessions.wants(1));
  // `top secret` and a newline, `shop`.
  answer_secret(1, 200, R"({"data":{"token":"dG9wIHNlY3JldAo=","tenant":"c2hvcA=="}})");
  ASSERT_EQ(sink.asked.size(), 1U);
  EXPECT_EQ(sink.asked[0].headers,
            (Headers{{"x-plain", "plain"}, {"authorization", "top secret"}, {"x-tenant", "shop"}}));
  // A retry uses the same.
  reply(1, Outcome::kRefused, true);
  pass(kSecond);
  ASSERT_EQ(sink.asked.size(), 2U);
  EXPECT_EQ(sink.asked[1].headers, sink.asked[0].headers);
  EXPECT_EQ(sink.sent.size(), 1U);
}

TEST_F(PickerSecretsTest, AnOptionalHeaderIsLeftOutAndAnotherOneMustBeThere) {
  struct Case {
    int code;
    std::string_view body;
    Outcome outcome;  // kAnswered: it is asked
    std::string_view problem{};
  };
  constexpr std::string_view kMissing =
      "Secret picker, key token: not found, or reading it is forbidden";
  constexpr std::string_view kUseless =
      "Secret picker, key token: must be one line of printable ASCII to be a header";
  const Case cases[] = {
      {200, R"({"data":{"token":"eA=="}})", Outcome::kAnswered},
      {200, R"({"data":{"token":"eA0K"}})", Outcome::kAnswered},
      {200, R"({"data":{"tenant":"eA=="}})", Outcome::kSecretMissing, kMissing},
      {200, R"({})", Outcome::kSecretMissing, kMissing},
      {200, R"({"data":{"token":"%%"}})", Outcome::kSecretMissing, kMissing},
      {404, "{}", Outcome::kSecretMissing, kMissing},
      {403, "{}", Outcome::kSecretMissing, kMissing},
      // A value of two lines would be two headers, and a lone CR is a line to some.
      {200, R"({"data":{"token":"YQpiCg=="}})", Outcome::kBadSettings, kUseless},
      {200, R"({"data":{"token":"eA0="}})", Outcome::kBadSettings, kUseless},
  };
  for (const Case& each : cases) {
    begin();
    const std::size_t before = sink.asked.size();
    answer_secret(sink.sent.size(), each.code, std::string(each.body));
    if (each.outcome == Outcome::kAnswered) {
      ASSERT_EQ(sink.asked.size(), before + 1);
      EXPECT_EQ(sink.asked.back().headers, (Headers{{"x-plain", "plain"}, {"authorization", "x"}}));
      picker_sessions.drop(key("web"));
    } else {
      EXPECT_EQ(sink.asked.size(), before);
      const PickerResult result = picker_sessions.take(key("web"));
      EXPECT_EQ(result.outcome, each.outcome) << each.body;
      EXPECT_EQ(result.problem, each.problem) << each.body;
    }
  }
  EXPECT_EQ(sink.counted(Count::kBreakersOpened), 0);
}

TEST_F(PickerSecretsTest, ATroubledApiServerIsAskedAgainWhileThereIsTime) {
  begin();
  answer_secret(1, 500);
  EXPECT_EQ(sink.sent.size(), 1U);
  pass(75 * kMillisecond);
  ASSERT_EQ(sink.sent.size(), 2U);
  Answer lost;
  lost.outcome = Answer::Outcome::kUnknown;
  picker_sessions.answered(2, lost, now);
  pass(150 * kMillisecond);
  ASSERT_EQ(sink.sent.size(), 3U);
  pass(2 * kSecond);
  EXPECT_EQ(over, Names{"web"});
  EXPECT_FALSE(picker_sessions.wants(3));
  EXPECT_EQ(picker_sessions.take(key("web")).outcome, Outcome::kTimeout);
  answer_secret(3, 200, R"({"data":{"token":"eA=="}})");
  EXPECT_TRUE(sink.asked.empty());
}

TEST_F(PickerSecretsTest, TheClientCertificateComesFromItsSecret) {
  constexpr std::string_view kCertificate = "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCngK";
  constexpr std::string_view kPrivateKey = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCnkK";
  const auto data = [](std::string_view certificate, std::string_view private_key) {
    return fmt::format(R"({{"data":{{"tls.crt":"{}","tls.key":"{}"}}}})", certificate, private_key);
  };
  settings.headers.clear();
  settings.client_certificate = "pair";
  begin();
  answer_secret(1, 200, data(kCertificate, kPrivateKey));
  ASSERT_EQ(sink.asked.size(), 1U);
  EXPECT_EQ(sink.asked[0].certificate_pem, "-----BEGIN CERTIFICATE-----\nx\n");
  EXPECT_EQ(sink.asked[0].key_pem, "-----BEGIN PRIVATE KEY-----\ny\n");
  picker_sessions.drop(key("web"));
  const std::pair<std::string, std::string> failures[] = {
      {R"({"data":{"tls.crt":"eA=="}})", "tls.key: not found, or reading it is forbidden"},
      {data("eA==", kPrivateKey), "tls.crt: must be a certificate in PEM"},
      {data(kCertificate, kCertificate), "tls.key: must be a private key in PEM"}};
  for (const auto& [body, problem] : failures) {
    begin();
    answer_secret(sink.sent.size(), 200, body);
    EXPECT_EQ(picker_sessions.take(key("web")).problem, "Secret pair, key " + problem);
  }
}

TEST_F(PickerSecretsTest, ACertificateThatIsTooLongIsNotHandedOn) {
  // Of 1 MiB, in base64.
  const std::string huge = "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t" + std::string(4 * 349'525, 'A');
  settings.headers.clear();
  settings.client_certificate = "pair";
  for (const auto& [certificate, private_key, name] :
       {std::tuple(huge, std::string("eA=="), "tls.crt"),
        std::tuple(std::string("eA=="), huge, "tls.key")}) {
    begin();
    answer_secret(
        sink.sent.size(), 200,
        fmt::format(R"({{"data":{{"tls.crt":"{}","tls.key":"{}"}}}})", certificate, private_key));
    EXPECT_TRUE(sink.asked.empty());
    const PickerResult result = picker_sessions.take(key("web"));
    EXPECT_EQ(result.outcome, Outcome::kBadSettings);
    EXPECT_EQ(result.problem,
              fmt::format("Secret pair, key {}: must have at most 65536 bytes", name));
  }
}

TEST_F(PickerSecretsTest, ACertificateThatIsFoundToBeNoGoodSaysWhy) {
  begin();
  answer_secret(1, 200, R"({"data":{"token":"eA=="}})");
  ASSERT_EQ(sink.asked.size(), 1U);
  const std::string problem = "the private key in Secret pair is encrypted";
  picker_sessions.replied(
      sink.asked[0].id, {.outcome = Outcome::kBadSettings, .asked = false, .detail = problem}, now);
  const PickerResult result = picker_sessions.take(key("web"));
  EXPECT_EQ(result.outcome, Outcome::kBadSettings);
  EXPECT_EQ(result.problem, problem);
  EXPECT_EQ(result.attempts, 0);
  EXPECT_EQ(result.breaker, Breakers::Change::kNone);
}

TEST_F(PickerSecretsTest, ADroppedSessionNeedsNoSecret) {
  begin();
  picker_sessions.drop(key("web"));
  EXPECT_FALSE(picker_sessions.wants(1));
  answer_secret(1, 200, R"({"data":{"token":"eA=="}})");
  EXPECT_TRUE(sink.asked.empty());
}

}  // namespace
}  // namespace ebb::control
