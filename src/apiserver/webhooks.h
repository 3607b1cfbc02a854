// The webhooks that are registered, read once, and which of them a request concerns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/store.h"
#include "schema/kind.h"

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
  std::string url{};            // empty: the service counts
  boost::json::object service{};
  std::string ca_bundle{};  // PEM
  std::vector<Rule> rules{};
  boost::json::object namespace_selector{};
  boost::json::object object_selector{};
  std::string review_version{};  // the first of those that it knows and we do
  int timeout_seconds = 10;
  bool fails_open = false;   // failurePolicy Ignore
  bool asked_again = false;  // reinvocationPolicy IfNeeded
};

// What rules look at.
struct Operation {
  std::string_view name{};  // CREATE, UPDATE, DELETE
  const schema::Kind& resource;
  std::string_view subresource{};
  std::string_view namespace_name{};  // of an object in one, or of the namespace that is written
};
[[nodiscard]] bool concerns(const Webhook& webhook, const Operation& operation);

class Webhooks {
 public:
  // Looks whether there are other configurations than the last time.
  void refresh(const Store& store);
  [[nodiscard]] bool empty() const { return mutating_.hooks.empty() && validating_.hooks.empty(); }
  // By the name of their configuration and their place in it.
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

// Configurations are never sent to webhooks, so that a bad one can be taken away again.
[[nodiscard]] bool is_exempt(const schema::Kind& kind);

}  // namespace ebb::apiserver
