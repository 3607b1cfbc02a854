// The baselines for the figures of a whole server: the disk and TLS without the server.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "bench/server_process.h"
#include "cluster/server/sqlite.h"
#include "net/server/http_server.h"

namespace ebb::bench {

// Rows in SQLite as durable as the server's: in groups that are synced one by one.
class BareLog {
 public:
  explicit BareLog(const std::filesystem::path& file);

  void insert(std::size_t count, const std::string& row, std::size_t group);

 private:
  cluster::Database database_;
  cluster::Statement insert_;
};

// The same HTTPS server, with an answer of so many bytes that is always the same.
class PlainServer : public net::HttpHandler {
 public:
  explicit PlainServer(std::size_t bytes);

  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

  [[nodiscard]] bool wants_body(const net::HttpRequest& head) override;
  void handle(std::shared_ptr<net::HttpExchange> exchange) override;

 private:
  Bytes answer_;
  Endpoint endpoint_;
  std::unique_ptr<net::HttpServer> server_;
};

}  // namespace ebb::bench
