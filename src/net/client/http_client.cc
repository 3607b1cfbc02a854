#include "net/client/http_client.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "net/client/curl_reason.h"
#include "net/client/http_client_state.h"
#include "net/client/request_text.h"

namespace ebb::net {
namespace {

using Failure = HttpReply::Failure;

// Idle handles beyond this number are freed: each keeps buffers of some 30 KB.
constexpr std::size_t kKeptHandles = 128;

SystemDialer& system_dialer() {
  static SystemDialer dialer;
  return dialer;
}

std::string describe(const HttpTransfer& transfer, CURLcode code) {
  if (!transfer.problem.empty()) return transfer.problem;
  if (transfer.connection) return transfer.connection->error(code);
  // Curl tried a second connection after the first broke, and reports only the second failure.
  if (transfer.sent && code == CURLE_COULDNT_CONNECT) {
    return "the connection broke without a response; then: " + transfer.curl->error(code);
  }
  return transfer.curl->error(code);
}

std::string describe_lateness(const HttpTransfer& transfer, Nanoseconds now_ns) {
  if (transfer.deadline_ns <= now_ns) return "timed out before the response arrived";
  return fmt::format("no data received for {} seconds",
                     transfer.call.silence_ns / kNanosecondsPerSecond);
}

}  // namespace

HttpClient::Id HttpClient::State::add(HttpCall call, Piece piece, Done done) {
  auto transfer = std::make_unique<HttpTransfer>(budget);
  const Nanoseconds now_ns = steady_now_ns();
  transfer->id = ++last_id;
  transfer->call = std::move(call);
  transfer->piece = std::move(piece);
  transfer->done = std::move(done);
  transfer->dialer = settings.dialer != nullptr ? settings.dialer : &system_dialer();
  if (transfer->call.total_ns > 0) transfer->deadline_ns = now_ns + transfer->call.total_ns;
  if (is_counted(*transfer)) transfer->patience_ns = now_ns + settings.patience_ns;
  next_due_ns = std::min(next_due_ns, transfer->due_ns());
  fresh.push_back(transfer->id);
  transfers.emplace(last_id, std::move(transfer));
  return last_id;
}

// Transfers are given to curl in poll(), because a call may be started from within a curl callback.
void HttpClient::State::start_fresh() {
  for (const Id id : std::exchange(fresh, {})) {
    const auto found = transfers.find(id);
    if (found == transfers.end()) continue;
    HttpTransfer& transfer = *found->second;
    if (transfer.deadline_ns <= steady_now_ns()) {
      expire(transfer);
    } else if (is_counted(transfer)) {
      servers[std::string(server_of(transfer.call.url))].waiting.push_back(id);
    } else {
      start(transfer);
    }
  }
}

void HttpClient::State::start_waiting() {
  const Nanoseconds now_ns = steady_now_ns();
  for (auto& [name, server] : servers) {
    // The first has waited longest.
    while (!server.waiting.empty()) {
      const auto found = transfers.find(server.waiting.front());
      if (found != transfers.end()) {
        HttpTransfer& transfer = *found->second;
        const bool room = server.in_flight < settings.connections_per_host;
        // After a pause of the process, requests past their deadline must not be sent.
        const bool late = transfer.deadline_ns <= now_ns;
        if (!late && !room && transfer.patience_ns > now_ns) break;
        if (late) {
          expire(transfer);
        } else {
          ++server.in_flight;
          start(transfer);
        }
      }
      server.waiting.pop_front();
    }
  }
}

Nanoseconds HttpClient::State::left_ns(const HttpTransfer& transfer, Nanoseconds now_ns) {
  if (transfer.deadline_ns == kNever) return 0;
  return std::max<Nanoseconds>(transfer.deadline_ns - now_ns, 1);
}

CurlTransfer::Settings HttpClient::State::handle_settings() const {
  return {.http2 = settings.http2,
          .small_buffers = settings.small_buffers,
          .own_sockets = settings.dialer != nullptr,
          .idle_seconds = static_cast<long>(settings.kept_ns / kNanosecondsPerSecond)};
}

void HttpClient::State::start(HttpTransfer& transfer) {
  const Nanoseconds now_ns = steady_now_ns();
  transfer.last_sign_ns = now_ns;
  if (settings.http1_connections && Http1Connection::can_take(transfer.call))
    return start_on_connection(transfer);
  if (idle.empty()) {
    transfer.curl = std::make_unique<CurlTransfer>(share, handle_settings());
  } else {
    transfer.curl = std::move(idle.back());
    idle.pop_back();
  }
  transfer.curl->configure(transfer.call, left_ns(transfer, now_ns), transfer);
  EBB_CHECK(loop.add(transfer.curl->get()));
  next_due_ns = std::min(next_due_ns, transfer.due_ns());
}

// Releases handle, connection and slot.
void HttpClient::State::take_off(HttpTransfer& transfer, bool keep_connection) {
  if (!transfer.is_started()) return;
  if (transfer.connection) leave_connection(transfer, keep_connection);
  if (transfer.curl) {
    loop.remove(transfer.curl->get());
    if (idle.size() < kKeptHandles) idle.push_back(std::move(transfer.curl));
    transfer.curl.reset();
  }
  if (!is_counted(transfer)) return;
  const auto server = servers.find(std::string(server_of(transfer.call.url)));
  EBB_CHECK(server != servers.end() && server->second.in_flight > 0);
  if (--server->second.in_flight == 0 && server->second.waiting.empty()) servers.erase(server);
}

void HttpClient::State::finish(CURL* curl, CURLcode code) {
  void* listener = nullptr;
  curl_easy_getinfo(curl, CURLINFO_PRIVATE, &listener);
  auto& transfer = static_cast<HttpTransfer&>(*static_cast<CurlListener*>(listener));
  if (code == CURLE_OK && transfer.connection) return connection_is_open(transfer);
  // Curl accepts a truncated head.
  if (code == CURLE_OK && !transfer.head_over) code = CURLE_WEIRD_SERVER_REPLY;
  if (code != CURLE_OK) {
    transfer.reply.failure = transfer.sent ? Failure::kBroken : Failure::kNotSent;
    transfer.reply.error = describe(transfer, code);
    const bool began = transfer.head_over && transfer.reply.code >= 200;
    transfer.reply.reason = transfer.problem.empty() ? reason_of(code, began) : transfer.reason;
    transfer.reply.plain_error =
        transfer.problem.empty() ? plain_words(curl, code) : transfer.problem;
  }
  take_off(transfer);
  if (!transfer.cancelled) over.push_back(transfer.id);
}

// Only for lack of time.
void HttpClient::State::fail(HttpTransfer& transfer, Failure failure, std::string error) {
  take_off(transfer);
  transfer.reply.failure = failure;
  transfer.reply.reason = HttpReply::Reason::kTimeout;
  transfer.reply.plain_error = error;
  transfer.reply.error = std::move(error);
  over.push_back(transfer.id);
}

// It waited too long to be sent.
void HttpClient::State::expire(HttpTransfer& transfer) {
  if (std::find(over.begin(), over.end(), transfer.id) != over.end()) return;
  fail(transfer, Failure::kNotSent, "timed out waiting for a free connection");
}

void HttpClient::State::check_times() {
  const Nanoseconds now_ns = steady_now_ns();
  if (now_ns < next_due_ns) return;
  next_due_ns = kNever;
  for (auto& [id, transfer] : transfers) {
    // A call that has waited long enough for a connection starts with the next poll().
    const bool waits = !transfer->is_started() && transfer->deadline_ns > now_ns;
    if (waits || transfer->due_ns() > now_ns) {
      next_due_ns = std::min(next_due_ns, transfer->due_ns());
    } else if (transfer->is_started()) {
      fail(*transfer, transfer->sent ? Failure::kBroken : Failure::kNotSent,
           describe_lateness(*transfer, now_ns));
    } else {
      expire(*transfer);
    }
  }
}

void HttpClient::State::remove_cancelled() {
  for (const Id id : std::exchange(cancelled, {})) {
    const auto found = transfers.find(id);
    if (found == transfers.end()) continue;
    take_off(*found->second);
    transfers.erase(found);
  }
}

void HttpClient::State::call_back() {
  for (const Id id : std::exchange(over, {})) {
    const auto found = transfers.find(id);
    // A callback may have cancelled another call.
    if (found == transfers.end()) continue;
    const std::unique_ptr<HttpTransfer> transfer = std::move(found->second);
    transfers.erase(found);
    transfer->done(std::move(transfer->reply));
  }
}

HttpClient::HttpClient(Settings settings) : state_(std::make_unique<State>(settings)) {}
HttpClient::~HttpClient() = default;

HttpClient::Id HttpClient::send(HttpCall call, Done done) {
  return state_->add(std::move(call), nullptr, std::move(done));
}

HttpClient::Id HttpClient::stream(HttpCall call, Piece piece, Done done) {
  EBB_CHECK(piece);
  return state_->add(std::move(call), std::move(piece), std::move(done));
}

void HttpClient::cancel(Id id) {
  const auto found = state_->transfers.find(id);
  if (found == state_->transfers.end()) return;
  found->second->cancelled = true;
  state_->cancelled.push_back(id);
  // Curl must not be called from within its own callbacks.
  if (!state_->in_curl) state_->remove_cancelled();
}

void HttpClient::poll(Nanoseconds longest_ns) {
  state_->start_fresh();
  state_->start_waiting();
  state_->begin_on_connections();
  const Nanoseconds now_ns = steady_now_ns();
  const Nanoseconds until_due_ns =
      state_->next_due_ns == kNever ? longest_ns : state_->next_due_ns - now_ns;
  // Calls that failed at the start are reported at once.
  if (!state_->over.empty()) longest_ns = 0;
  state_->in_curl = true;
  state_->loop.run(
      std::min(longest_ns, until_due_ns),
      [&](CURL* curl, CURLcode code) { state_->finish(curl, code); },
      [&](int socket) { return state_->work_on_connection(socket); });
  state_->in_curl = false;
  state_->remove_cancelled();
  state_->check_times();
  state_->call_back();
}

void HttpClient::wake() { state_->loop.wake(); }

void HttpClient::watch(int descriptor) { state_->loop.watch_also(descriptor); }

void HttpClient::close_idle() {
  if (!state_->transfers.empty()) return;
  state_->close_idle_connections();
  state_->loop.close_connections();
}

std::size_t HttpClient::in_flight() const { return state_->transfers.size(); }

}  // namespace ebb::net
