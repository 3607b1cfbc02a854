// The state behind net::HttpClient: all calls, from waiting for a slot to their callback.
#pragma once  // private to its room

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/client/curl_loop.h"
#include "net/client/curl_transfer.h"
#include "net/client/http1_connection.h"
#include "net/client/http_client.h"
#include "net/client/http_transfer.h"

namespace ebb::net {

struct HttpClient::State {
  struct Server {
    std::size_t in_flight = 0;
    std::deque<Id> waiting{};
  };

  explicit State(const Settings& given)
      : settings(given),
        budget(given.max_total_bytes),
        loop({.kept_connections = static_cast<long>(given.kept_connections),
              .multiplex = given.http2}) {}

  ~State() {
    for (auto& [id, transfer] : transfers) {
      transfer->cancelled = true;
      if (transfer->curl) loop.remove(transfer->curl->get());
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Id add(HttpCall call, Piece piece, Done done);
  // Streams do not count: they would use up all slots.
  [[nodiscard]] bool is_counted(const HttpTransfer& transfer) const {
    return settings.connections_per_host != 0 && !transfer.piece && !transfer.call.urgent;
  }
  void start_fresh();
  void start_waiting();
  void start(HttpTransfer& transfer);
  void finish(CURL* curl, CURLcode code);
  void fail(HttpTransfer& transfer, HttpReply::Failure failure, std::string error);
  void expire(HttpTransfer& transfer);
  void take_off(HttpTransfer& transfer, bool keep_connection = false);
  void check_times();
  void remove_cancelled();
  void call_back();

  // On the client's own HTTP/1.1 connections.
  void start_on_connection(HttpTransfer& transfer);
  void open_connection(HttpTransfer& transfer);
  void connection_is_open(HttpTransfer& transfer);
  [[nodiscard]] std::unique_ptr<Http1Connection> take_idle_connection(const HttpCall& call);
  void begin_on_connections();
  bool work_on_connection(int socket);
  void take_progress(HttpTransfer& transfer, Http1Connection::Progress progress);
  void leave_connection(HttpTransfer& transfer, bool keep);
  void close_idle_connections();

  [[nodiscard]] static Nanoseconds left_ns(const HttpTransfer& transfer, Nanoseconds now_ns);
  [[nodiscard]] CurlTransfer::Settings handle_settings() const;

  Settings settings;
  BodyBudget budget;
  CurlShare share;
  CurlLoop loop;
  std::vector<std::unique_ptr<CurlTransfer>> idle;
  std::vector<std::unique_ptr<Http1Connection>> idle_connections;  // most recently used last
  std::unordered_map<int, HttpTransfer*> on_connections;  // by socket; null: the connection is idle
  std::vector<Id> to_begin;                               // on established connections
  std::unordered_map<Id, std::unique_ptr<HttpTransfer>> transfers;
  std::unordered_map<std::string, Server> servers;  // servers with a limit on transfers
  std::vector<Id> fresh;                            // not yet given to curl
  std::vector<Id> over;                             // done, with a pending callback
  std::vector<Id> cancelled;                        // during a curl callback
  Nanoseconds next_due_ns = kNever;                 // not after any due_ns()
  Id last_id = 0;
  bool in_curl = false;
};

}  // namespace ebb::net
