// The picker of the demo: knows which Airflow workers have nothing to do, and wants those to go.
//
// It is asked over HTTP on loopback, like any picker of anybody. Who is how busy is made up from
// the names of the pods, so that the same question has the same answer, as it should.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http_server.h"

namespace ebb::cluster {

// How many tasks a worker has, as far as the demo is concerned.
[[nodiscard]] unsigned demo_tasks(std::string_view worker);

// The answer to a question, both in JSON: the workers with the fewest tasks are chosen, and those
// of which only some need to go are tied. Nothing: that was no question.
[[nodiscard]] std::optional<std::string> demo_answer(std::string_view question);

class DemoPicker : public net::HttpHandler {
 public:
  // Serves once this returns.
  [[nodiscard]] static Result<std::unique_ptr<DemoPicker>> start();

  [[nodiscard]] std::uint16_t port() const { return server_->port(); }

  [[nodiscard]] bool wants_body(const net::HttpRequest& head) override;
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  DemoPicker() = default;

  std::unique_ptr<net::HttpServer> server_;
};

}  // namespace ebb::cluster
