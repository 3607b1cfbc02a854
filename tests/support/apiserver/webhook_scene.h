// An API server whose admission webhooks are functions of the test.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/admission/webhook_session.h"
#include "support/apiserver/api_server_scene.h"

namespace ebb::testing {

class WebhookScene {
 public:
  // Takes the request of a review; returns the response without its uid.
  using Behaviour = std::function<boost::json::object(const boost::json::object& request)>;

  WebhookScene();

  // Registers a webhook in its own configuration, with all fields of `extra` (JSON).
  void add_mutating(const std::string& configuration, std::string_view webhook, Behaviour behaviour,
                    std::string_view extra = "{}");
  void add_validating(const std::string& configuration, std::string_view webhook,
                      Behaviour behaviour, std::string_view extra = "{}");

  ApiServerScene cluster;
  // The requests that webhooks received: "label.example.com CREATE pods web".
  std::vector<std::string> asked;
  std::vector<boost::json::object> requests;
  // Replaces the behaviours: returns the raw HTTP answer.
  std::function<apiserver::WebhookAnswer(const apiserver::WebhookQuestion&)> transport;

 private:
  void add(std::string_view kind, const std::string& configuration, std::string_view webhook,
           Behaviour behaviour, std::string_view extra);
  apiserver::WebhookAnswer answer(const apiserver::WebhookQuestion& question);

  std::map<std::string, Behaviour, std::less<>> behaviours_;
};

// Responses.
[[nodiscard]] boost::json::object allow();
[[nodiscard]] boost::json::object deny(std::string_view status_json);
[[nodiscard]] boost::json::object patch_with(std::string_view json_patch);
// A complete review as the body of an answer.
[[nodiscard]] std::string review_text(std::string_view uid, boost::json::object response);
[[nodiscard]] std::string uid_of(const apiserver::WebhookQuestion& question);

}  // namespace ebb::testing
