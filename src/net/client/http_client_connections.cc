// The part of the HTTP client that uses its own HTTP/1.1 connections.
#include <utility>

#include "net/client/http_client_state.h"

namespace ebb::net {

using Failure = HttpReply::Failure;

// Writing may fail at once, which frees a slot while slots are being assigned. So writing is
// deferred until that is done.
void HttpClient::State::start_on_connection(HttpTransfer& transfer) {
  transfer.connection = take_idle_connection(transfer.call);
  if (!transfer.connection) return open_connection(transfer);
  on_connections[transfer.connection->socket()] = &transfer;
  to_begin.push_back(transfer.id);
  next_due_ns = std::min(next_due_ns, transfer.due_ns());
}

void HttpClient::State::connection_is_open(HttpTransfer& transfer) {
  transfer.connection->connected();
  on_connections[transfer.connection->socket()] = &transfer;
  take_progress(transfer, transfer.connection->begin(transfer.call, transfer));
}

void HttpClient::State::close_idle_connections() {
  for (const auto& connection : idle_connections) on_connections.erase(connection->socket());
  idle_connections.clear();
}

void HttpClient::State::open_connection(HttpTransfer& transfer) {
  transfer.connection = std::make_unique<Http1Connection>(loop, share, handle_settings());
  transfer.connection->connect(transfer.call, left_ns(transfer, steady_now_ns()), transfer);
  next_due_ns = std::min(next_due_ns, transfer.due_ns());
}

std::unique_ptr<Http1Connection> HttpClient::State::take_idle_connection(const HttpCall& call) {
  const Nanoseconds now_ns = steady_now_ns();
  for (std::size_t i = idle_connections.size(); i-- > 0;) {
    if (!idle_connections[i]->leads_to(call)) continue;
    std::unique_ptr<Http1Connection> connection = std::move(idle_connections[i]);
    idle_connections.erase(idle_connections.begin() + static_cast<std::ptrdiff_t>(i));
    if (connection->fit_for_use(now_ns)) return connection;
    on_connections.erase(connection->socket());
  }
  return nullptr;
}

void HttpClient::State::begin_on_connections() {
  for (const Id id : std::exchange(to_begin, {})) {
    const auto found = transfers.find(id);
    if (found == transfers.end() || !found->second->connection) continue;
    HttpTransfer& transfer = *found->second;
    take_progress(transfer, transfer.connection->begin(transfer.call, transfer));
  }
}

void HttpClient::State::leave_connection(HttpTransfer& transfer, bool keep) {
  std::unique_ptr<Http1Connection> connection = std::move(transfer.connection);
  if (keep && idle_connections.size() < settings.kept_connections &&
      connection->rest(steady_now_ns())) {
    on_connections[connection->socket()] = nullptr;
    idle_connections.push_back(std::move(connection));
  } else {
    on_connections.erase(connection->socket());
  }
}

// Returns whether a connection has this socket. An idle one with events is being closed.
bool HttpClient::State::work_on_connection(int socket) {
  const auto found = on_connections.find(socket);
  if (found == on_connections.end()) return false;
  if (HttpTransfer* const transfer = found->second) {
    // A partly sent request must not be completed late, as after a suspend.
    if (transfer->connection->is_writing() && transfer->deadline_ns <= steady_now_ns()) {
      fail(*transfer, Failure::kBroken, "timed out before the request was sent completely");
      return true;
    }
    take_progress(*transfer, transfer->connection->work());
    return true;
  }
  on_connections.erase(found);
  std::erase_if(idle_connections,
                [socket](const auto& connection) { return connection->socket() == socket; });
  return true;
}

void HttpClient::State::take_progress(HttpTransfer& transfer, Http1Connection::Progress progress) {
  if (progress == Http1Connection::Progress::kGoesOn) return;
  const bool done = progress == Http1Connection::Progress::kDone;
  // The server may have closed the connection before the request arrived; only repeatable requests
  // are sent again.
  if (!done && transfer.connection->went_stale() && transfer.about_to_send()) {
    leave_connection(transfer, false);
    return open_connection(transfer);
  }
  if (!done) {
    const bool lost = transfer.problem.empty();
    transfer.reply.failure = transfer.sent ? Failure::kBroken : Failure::kNotSent;
    transfer.reply.reason = lost ? HttpReply::Reason::kLost : transfer.reason;
    transfer.reply.error = lost ? transfer.connection->error() : transfer.problem;
    transfer.reply.plain_error = lost ? "the connection broke" : transfer.problem;
  }
  take_off(transfer, done);
  if (!transfer.cancelled) over.push_back(transfer.id);
}

}  // namespace ebb::net
