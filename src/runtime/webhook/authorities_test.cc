#include "runtime/webhook/authorities.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "runtime/host/clock.h"

namespace ebb::runtime {
namespace {

namespace json = boost::json;

constexpr CertificateTimes kTimes{};

Timestamp in(Nanoseconds later_ns) {
  return Timestamp::from_nanoseconds(clock_now().wall.since_epoch_ns() + later_ns);
}

Authorities step(AuthorityStep step, Authorities authorities) {
  auto result = after_step(step, std::move(authorities), kTimes);
  EXPECT_TRUE(result) << result.error().message;
  return *result;
}

TEST(Authorities, AreReadAsTheyWereWritten) {
  Authorities made = step(AuthorityStep::kAddNext, step(AuthorityStep::kCreate, {}));
  made.previous_pem = "old\n";
  json::object secret = {{"metadata", {{"name", "a"}}}, {"data", {{"theirs", "eA=="}}}};
  write_authorities(made, secret);
  EXPECT_EQ(secret.at("data").at("theirs"), "eA==");
  const Authorities read = read_authorities(secret);
  ASSERT_TRUE(read.current && read.next);
  EXPECT_EQ(read.current->key_pem, made.current->key_pem);
  EXPECT_EQ(read.next->certificate_pem, made.next->certificate_pem);
  EXPECT_EQ(read.previous_pem, "old\n");
  made.next.reset();
  write_authorities(made, secret);
  EXPECT_FALSE(read_authorities(secret).next);
  EXPECT_FALSE(secret.at("data").as_object().contains("next-ca.key"));
}

TEST(Authorities, ThatCannotBeUsedAreLeftOut) {
  EXPECT_FALSE(read_authorities({}).current);
  const Authorities one = step(AuthorityStep::kCreate, {});
  const Authorities other = step(AuthorityStep::kCreate, {});
  json::object secret;
  write_authorities(one, secret);
  secret.at("data").as_object()["ca.key"] = encode_base64(other.current->key_pem);
  EXPECT_FALSE(read_authorities(secret).current);
  secret.at("data").as_object()["ca.key"] = 7;
  EXPECT_FALSE(read_authorities(secret).current);
}

TEST(Authorities, AreReplacedInTwoSteps) {
  EXPECT_EQ(next_step({}, false, in(0), kTimes), AuthorityStep::kCreate);
  const Authorities first = step(AuthorityStep::kCreate, {});
  EXPECT_EQ(next_step(first, false, in(0), kTimes), AuthorityStep::kKeep);
  EXPECT_EQ(next_step(first, false, in(274 * 24 * kHour), kTimes), AuthorityStep::kKeep);
  EXPECT_EQ(next_step(first, false, in(276 * 24 * kHour), kTimes), AuthorityStep::kAddNext);

  const Authorities both = step(AuthorityStep::kAddNext, first);
  EXPECT_EQ(both.current->key_pem, first.current->key_pem);
  EXPECT_NE(bundle_of(both).find(both.next->certificate_pem), std::string::npos);
  EXPECT_NE(bundle_of(both).find(both.current->certificate_pem), std::string::npos);
  // It must be published, and for long enough.
  EXPECT_EQ(next_step(both, true, in(0), kTimes), AuthorityStep::kKeep);
  EXPECT_EQ(next_step(both, false, in(2 * kHour), kTimes), AuthorityStep::kKeep);
  EXPECT_EQ(next_step(both, true, in(2 * kHour), kTimes), AuthorityStep::kPromote);

  const Authorities second = step(AuthorityStep::kPromote, both);
  EXPECT_EQ(second.current->key_pem, both.next->key_pem);
  EXPECT_FALSE(second.next);
  EXPECT_EQ(second.previous_pem, first.current->certificate_pem);
  // What is published does not change when the signer does.
  EXPECT_EQ(bundle_of(second), bundle_of(both));
}

TEST(Authorities, ThatHaveExpiredAreReplacedAtOnce) {
  const Authorities first = step(AuthorityStep::kCreate, {});
  EXPECT_EQ(next_step(first, false, in(400 * 24 * kHour), kTimes), AuthorityStep::kCreate);
  Authorities expired = step(AuthorityStep::kAddNext, first);
  std::swap(expired.current, expired.next);
  expired.current.reset();
  EXPECT_EQ(next_step(expired, false, in(0), kTimes), AuthorityStep::kPromote);
}

TEST(Authorities, ArePublishedIfEveryWebhookTrustsThem) {
  const auto configuration = [](std::string_view first, std::string_view second) {
    return json::object{
        {"webhooks",
         json::array{json::object{{"clientConfig", {{"caBundle", encode_base64(first)}}}},
                     json::object{{"clientConfig", {{"caBundle", encode_base64(second)}}}}}}};
  };
  EXPECT_TRUE(trusts(configuration("old new", "new"), "new"));
  EXPECT_FALSE(trusts(configuration("old new", "old"), "new"));
  EXPECT_TRUE(trusts({}, "new"));
  EXPECT_FALSE(trusts({{"webhooks", json::array{json::object()}}}, "new"));
}

}  // namespace
}  // namespace ebb::runtime
