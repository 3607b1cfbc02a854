// What is behind net::HttpClient: all calls, from waiting for their turn to being told of.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/curl_line.h"
#include "net/curl_loop.h"
#include "net/curl_transfer.h"
#include "net/http_client.h"
#include "net/http_transfer.h"

namespace ebb::net {

struct HttpClient::State {
  struct Server {
    std::size_t under_way = 0;
    std::deque<Id> waiting{};
  };

  explicit State(const Settings& given)
      : settings(given),
        budget(given.most_bytes_together),
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
  // Streams do not count: they would use up all places.
  [[nodiscard]] bool is_counted(const HttpTransfer& transfer) const {
    return settings.connections_per_host != 0 && !transfer.piece && !transfer.call.urgent;
  }
  void start_fresh();
  void start_waiting();
  void start(HttpTransfer& transfer);
  void finish(CURL* curl, CURLcode code);
  void fail(HttpTransfer& transfer, HttpReply::Failure failure, std::string error);
  void expire(HttpTransfer& transfer);
  void take_off(HttpTransfer& transfer, bool keep_line = false);
  void check_times();
  void remove_cancelled();
  void call_back();

  // Over lines.
  void start_on_line(HttpTransfer& transfer);
  void open_line(HttpTransfer& transfer);
  void line_is_open(HttpTransfer& transfer);
  [[nodiscard]] std::unique_ptr<CurlLine> take_idle_line(const HttpCall& call);
  void begin_on_lines();
  bool work_on_line(int socket);
  void take_progress(HttpTransfer& transfer, CurlLine::Progress progress);
  void leave_line(HttpTransfer& transfer, bool keep);
  void close_idle_lines();

  [[nodiscard]] static Nanoseconds left_ns(const HttpTransfer& transfer, Nanoseconds now_ns);
  [[nodiscard]] CurlTransfer::Settings handle_settings() const;

  Settings settings;
  BodyBudget budget;
  CurlShare share;
  CurlLoop loop;
  std::vector<std::unique_ptr<CurlTransfer>> idle;
  std::vector<std::unique_ptr<CurlLine>> idle_lines;  // the one used last comes last
  std::unordered_map<int, HttpTransfer*> on_lines;    // by socket; nothing: the line is idle
  std::vector<Id> to_begin;                           // on lines that are there
  std::unordered_map<Id, std::unique_ptr<HttpTransfer>> transfers;
  std::unordered_map<std::string, Server> servers;  // for whose transfers a limit holds
  std::vector<Id> fresh;                            // not yet handed to curl
  std::vector<Id> over;                             // to be called back
  std::vector<Id> cancelled;                        // while curl was calling us
  Nanoseconds next_due_ns = kNever;                 // no later than any due_ns()
  Id last_id = 0;
  bool in_curl = false;
};

}  // namespace ebb::net
