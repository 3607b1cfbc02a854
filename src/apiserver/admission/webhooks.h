// The registered webhooks, parsed once, and the rules that select them for a request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/store/store.h"
#include "schema/core/kind.h"

namespace ebb::apiserver {

struct Webhook {
  struct Rule {
    std::vector<std::string> operations{};
    std::vector<std::string> groups{};
    std::vector<std::string> versions{};
    std::vector<std::string> resources{};
    std::string scope{};
  };

  std::string name{};
  std::string configuration{};  // "mutatingwebhookconfigurations/NAME"
  std::string url{};            // empty: use the service
  boost::json::object service{};
  std::string ca_bundle{};  // PEM
  std::vector<Rule> rules{};
  boost::json::object namespace_selector{};
  boost::json::object object_selector{};
  std::string review_version{};  // the first version in its list that ebb supports
  int timeout_seconds = 10;
  bool fails_open = false;   // failurePolicy Ignore
  bool asked_again = false;  // reinvocationPolicy IfNeeded
};

// The properties of a request that rules match.
struct Operation {
  std::string_view name{};  // CREATE, UPDATE, DELETE
  const schema::Kind& resource;
  std::string_view subresource{};
  std::string_view namespace_name{};  // of an object in one, or of the namespace that is written
};
[[nodiscard]] bool concerns(const Webhook& webhook, const Operation& operation);

class Webhooks {
 public:
  // Reads the configurations again if they have changed since the last call.
  void refresh(const Store& store);
  [[nodiscard]] bool empty() const { return mutating_.hooks.empty() && validating_.hooks.empty(); }
  // In the order of configuration names, then of their position in the configuration.
  [[nodiscard]] const std::vector<Webhook>& mutating() const { return mutating_.hooks; }
  [[nodiscard]] const std::vector<Webhook>& validating() const { return validating_.hooks; }

 private:
  struct Side {
    std::vector<ObjectPtr> configurations{};
    std::vector<Webhook> hooks{};

    void refresh(const Store& store, const schema::Kind& kind);
  };

  Side mutating_;
  Side validating_;
};

// Webhook configurations are never sent to webhooks, so that a broken one can be removed.
[[nodiscard]] bool is_exempt(const schema::Kind& kind);

}  // namespace ebb::apiserver
