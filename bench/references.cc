#include "bench/references.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "bench/require.h"
#include "net/tls/certificate.h"

namespace ebb::bench {
namespace {

template <class T>
T demand(Result<T> result) {
  if (!result) require(false, result.error().message);
  return *std::move(result);
}

void demand(const Result<void>& result) {
  if (!result) require(false, result.error().message);
}

cluster::Database make_database(const std::filesystem::path& file) {
  std::ofstream(file).close();
  auto database = demand(cluster::Database::open(file));
  for (const char* sql :
       {"PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
        "CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"}) {
    demand(database.run(sql));
  }
  return database;
}

}  // namespace

BareLog::BareLog(const std::filesystem::path& file)
    : database_(make_database(file)),
      insert_(demand(database_.prepare("INSERT INTO rows (text) VALUES (?)"))) {}

void BareLog::insert(std::size_t count, const std::string& row, std::size_t group) {
  for (std::size_t done = 0; done < count; done += group) {
    demand(database_.run("BEGIN IMMEDIATE"));
    for (std::size_t i = done; i < std::min(count, done + group); ++i) {
      insert_.bind(1, row);
      demand(insert_.step());
      insert_.reset();
    }
    demand(database_.run("COMMIT"));
  }
}

PlainServer::PlainServer(std::size_t bytes) : answer_(std::string(bytes, 'x')) {
  auto authority = demand(net::make_authority("bench"));
  net::HttpServerSettings settings;
  settings.tls = demand(net::issue_server_certificate(authority, {"127.0.0.1"}));
  server_ = demand(net::HttpServer::start(std::move(settings), *this));
  endpoint_ = {.port = server_->port(), .authority_pem = authority.certificate_pem};
}

bool PlainServer::wants_body(const net::HttpRequest& /*head*/) { return true; }

void PlainServer::handle(std::shared_ptr<net::HttpExchange> exchange) {
  exchange->respond({}, answer_);
}

}  // namespace ebb::bench
