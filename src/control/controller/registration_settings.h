// How `ebb webhook` is registered: the ValidatingWebhookConfiguration that it keeps up to date.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::control {

struct RegistrationSettings {
  // The name of the ValidatingWebhookConfiguration.
  std::string configuration = "ebb-webhook";
  // How the API server reaches this process: `https://HOST:PORT`, or, if that is empty, a Service.
  std::string url{};
  std::string service_namespace{};
  std::string service_name{};
  std::uint16_t service_port = 443;
  // Namespaces whose objects are never sent to the webhook, whatever policies they have.
  std::vector<std::string> excluded_namespaces = {"kube-system"};
};

}  // namespace ebb::control
