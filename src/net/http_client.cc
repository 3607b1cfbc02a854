#include "net/http_client.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "net/curl_reason.h"
#include "net/http_client_state.h"
#include "net/request_text.h"

namespace ebb::net {
namespace {

using Failure = HttpReply::Failure;

// Idle handles beyond this are freed: each keeps buffers of some 30 KB.
constexpr std::size_t kKeptHandles = 128;

SystemDialer& system_dialer() {
  static SystemDialer dialer;
  return dialer;
}

std::string describe(const HttpTransfer& transfer, CURLcode code) {
  if (!transfer.problem.empty()) return transfer.problem;
  if (transfer.line) return transfer.line->error(code);
  // Curl tried a second connection after the first broke, and reports that only.
  if (transfer.sent && code == CURLE_COULDNT_CONNECT) {
    return "the connection broke without an answer; then: " + transfer.curl->error(code);
  }
  return transfer.curl->error(code);
}

std::string describe_lateness(const HttpTransfer& transfer, Nanoseconds now_ns) {
  if (transfer.deadline_ns <= now_ns) return "timed out before the answer had come";
  return fmt::format("nothing was heard for {} seconds",
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

// Handing a transfer to curl is put off until poll(), because it may be asked for from within a
// callback of curl.
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
        const bool room = server.under_way < settings.connections_per_host;
        // A process that was stopped for a while must not send what it wanted before.
        const bool late = transfer.deadline_ns <= now_ns;
        if (!late && !room && transfer.patience_ns > now_ns) break;
        if (late) {
          expire(transfer);
        } else {
          ++server.under_way;
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
  if (settings.lines && CurlLine::can_take(transfer.call)) return start_on_line(transfer);
  if (idle.empty()) {
    transfer.curl = std::make_unique<CurlTransfer>(share, handle_settings());
  } else {
    transfer.curl = std::move(idle.back());
    idle.pop_back();
  }
  transfer.curl->dress(transfer.call, left_ns(transfer, now_ns), transfer);
  EBB_CHECK(loop.add(transfer.curl->get()));
  next_due_ns = std::min(next_due_ns, transfer.due_ns());
}

// Gives handle, line and place back.
void HttpClient::State::take_off(HttpTransfer& transfer, bool keep_line) {
  if (!transfer.is_started()) return;
  if (transfer.line) leave_line(transfer, keep_line);
  if (transfer.curl) {
    loop.remove(transfer.curl->get());
    if (idle.size() < kKeptHandles) idle.push_back(std::move(transfer.curl));
    transfer.curl.reset();
  }
  if (!is_counted(transfer)) return;
  const auto server = servers.find(std::string(server_of(transfer.call.url)));
  EBB_CHECK(server != servers.end() && server->second.under_way > 0);
  if (--server->second.under_way == 0 && server->second.waiting.empty()) servers.erase(server);
}

void HttpClient::State::finish(CURL* curl, CURLcode code) {
  void* listener = nullptr;
  curl_easy_getinfo(curl, CURLINFO_PRIVATE, &listener);
  auto& transfer = static_cast<HttpTransfer&>(*static_cast<CurlListener*>(listener));
  if (code == CURLE_OK && transfer.line) return line_is_open(transfer);
  // To curl a head that breaks off is a head.
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

// Only for want of time.
void HttpClient::State::fail(HttpTransfer& transfer, Failure failure, std::string error) {
  take_off(transfer);
  transfer.reply.failure = failure;
  transfer.reply.reason = HttpReply::Reason::kTimeout;
  transfer.reply.plain_error = error;
  transfer.reply.error = std::move(error);
  over.push_back(transfer.id);
}

// It has waited too long to be sent.
void HttpClient::State::expire(HttpTransfer& transfer) {
  if (std::find(over.begin(), over.end(), transfer.id) != over.end()) return;
  fail(transfer, Failure::kNotSent, "the time was over before a connection was free");
}

void HttpClient::State::check_times() {
  const Nanoseconds now_ns = steady_now_ns();
  if (now_ns < next_due_ns) return;
  next_due_ns = kNever;
  for (auto& [id, transfer] : transfers) {
    // What has waited long enough for a connection starts with the next poll().
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
    // One callback may have cancelled the call of another.
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
  // Curl must not be told from within its own callbacks.
  if (!state_->in_curl) state_->remove_cancelled();
}

void HttpClient::poll(Nanoseconds longest_ns) {
  state_->start_fresh();
  state_->start_waiting();
  state_->begin_on_lines();
  const Nanoseconds now_ns = steady_now_ns();
  const Nanoseconds until_due_ns =
      state_->next_due_ns == kNever ? longest_ns : state_->next_due_ns - now_ns;
  // What broke as it was begun is told at once.
  if (!state_->over.empty()) longest_ns = 0;
  state_->in_curl = true;
  state_->loop.run(
      std::min(longest_ns, until_due_ns),
      [&](CURL* curl, CURLcode code) { state_->finish(curl, code); },
      [&](int socket) { return state_->work_on_line(socket); });
  state_->in_curl = false;
  state_->remove_cancelled();
  state_->check_times();
  state_->call_back();
}

void HttpClient::wake() { state_->loop.wake(); }

void HttpClient::watch(int descriptor) { state_->loop.watch_also(descriptor); }

void HttpClient::close_idle() {
  if (!state_->transfers.empty()) return;
  state_->close_idle_lines();
  state_->loop.close_connections();
}

std::size_t HttpClient::under_way() const { return state_->transfers.size(); }

}  // namespace ebb::net
