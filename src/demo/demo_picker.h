// The picker of the demo: knows which Airflow workers are idle and gives those up first.
//
// It is called over HTTP on loopback, like any other picker. The workload of each worker is derived
// from the pod's name, so that equal requests have equal answers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/server/http_server.h"

namespace ebb::demo {

// The number of tasks of a worker in the demo.
[[nodiscard]] unsigned demo_tasks(std::string_view worker);

// The answer to a request, both in JSON: the workers with the fewest tasks are chosen, and those
// of which only some need to go are tied. Nothing if the request is invalid.
[[nodiscard]] std::optional<std::string> demo_answer(std::string_view request);

class DemoPicker : public net::HttpHandler {
 public:
  // The picker is serving when this returns.
  [[nodiscard]] static Result<std::unique_ptr<DemoPicker>> start();

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }

  [[nodiscard]] bool wants_body(const net::HttpRequest& head) override;
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  DemoPicker() = default;

  std::unique_ptr<net::HttpServer> server_;
};

}  // namespace ebb::demo
