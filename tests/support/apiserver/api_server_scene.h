// An API server without HTTP, for tests: requests in, parsed answers out, at a time that the test
// sets. Staged changes are published at once, unless a test disables that.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "apiserver/admission/webhook_session.h"
#include "apiserver/api_server.h"
#include "apiserver/response/watch.h"

namespace ebb::testing {

class ApiServerScene {
 public:
  struct Answer {
    int code = 0;
    boost::json::value body;
    std::vector<std::string> warnings;

    // A value in the body by field names and list positions: `at("items/0/metadata/name")`. A
    // null value if there is none.
    [[nodiscard]] boost::json::value at(std::string_view path) const;
    [[nodiscard]] std::string text(std::string_view path) const;
    [[nodiscard]] std::string message() const { return text("message"); }
  };

  explicit ApiServerScene(const apiserver::Settings& settings = {});

  Answer get(std::string_view target, std::string_view accept = "application/json");
  Answer post(std::string_view target, std::string_view body);
  Answer put(std::string_view target, std::string_view body);
  Answer patch(std::string_view target, std::string_view type, std::string_view body);
  Answer remove(std::string_view target, std::string_view body = "");
  Answer send(model::ApiRequest request);

  // Starts a watch; the test fails if it is not one.
  std::shared_ptr<apiserver::WatchCursor> watch(std::string_view target);
  // The events that a watch has now, as `ADDED web 12`.
  std::vector<std::string> events(apiserver::WatchCursor& cursor);
  // The same as parsed JSON.
  std::vector<boost::json::object> raw_events(apiserver::WatchCursor& cursor);

  void pass_seconds(std::int64_t seconds);

  apiserver::ApiServer server;
  Timestamp now = Timestamp::from_seconds(1'790'000'000);
  bool publishes = true;
  // Answers admission webhook calls, between two runs of a request.
  std::function<apiserver::WebhookAnswer(const apiserver::WebhookQuestion&)> webhook;
  int runs = 0;  // of the last request
};

// Minimal valid objects.
[[nodiscard]] std::string pod_json(std::string_view name, std::string_view labels = "{}");
[[nodiscard]] std::string replica_set_json(std::string_view name, int replicas);
[[nodiscard]] std::string config_map_json(std::string_view name, std::string_view value = "x");

}  // namespace ebb::testing
