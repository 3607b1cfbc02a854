#include "control/registration/webhook_configuration.h"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace ebb::control {
namespace {

namespace json = boost::json;

json::array webhooks(const RegistrationSettings& registration, const WebhookSettings& webhook = {},
                     const std::set<std::string>& namespaces = {"shop"}) {
  const std::string pem = "pem";
  return make_webhooks({.registration = registration,
                        .webhook = webhook,
                        .namespaces = namespaces,
                        .ca_bundle_pem = pem});
}

std::int64_t timeout_with(Nanoseconds budget_ns) {
  WebhookSettings settings;
  settings.budget_ns = budget_ns;
  return webhooks({}, settings).at(0).at("timeoutSeconds").as_int64();
}

TEST(WebhookConfiguration, RefersToTheService) {
  const json::array list =
      webhooks({.service_namespace = "ebb-system", .service_name = "ebb-webhook"});
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list.at(0).at("clientConfig"), (json::object{{"caBundle", "cGVt"},
                                                         {"service",
                                                          {{"namespace", "ebb-system"},
                                                           {"name", "ebb-webhook"},
                                                           {"path", "/scale-down"},
                                                           {"port", 443}}}}));
  EXPECT_EQ(list.at(1).at_pointer("/clientConfig/service/path"), "/fence");
}

TEST(WebhookConfiguration, WaitsLongerThanTheBudget) {
  EXPECT_EQ(timeout_with(2 * kSecond), 3);
  EXPECT_EQ(timeout_with(2'100 * kMillisecond), 4);
  EXPECT_EQ(timeout_with(kMinute), 30);
}

TEST(WebhookConfiguration, QuotesUsersInItsCondition) {
  WebhookSettings settings;
  settings.controller_users = {"plain", R"(o'neil\)"};
  const json::array list = webhooks({}, settings);
  EXPECT_EQ(list.at(1).at_pointer("/matchConditions/0/expression"),
            R"(request.userInfo.username in ['plain', 'o\'neil\\'])");
}

TEST(WebhookConfiguration, HasNoWebhooksWithoutNamespaces) {
  EXPECT_TRUE(webhooks({}, {}, {}).empty());
  EXPECT_FALSE(with_webhooks({{"metadata", {{"name", "a"}}}}, {}));
}

TEST(WebhookConfiguration, IsUnchangedIfItIsRight) {
  const json::object made = make_configuration("a", webhooks({}));
  EXPECT_FALSE(with_webhooks(made, webhooks({})));
  EXPECT_TRUE(with_webhooks(made, webhooks({}, {}, {"shop", "bank"})));
  EXPECT_TRUE(with_webhooks(made, {}));
}

}  // namespace
}  // namespace ebb::control
