// The part of the HTTP client that speaks over lines.
#include <utility>

#include "net/http_client_state.h"

namespace ebb::net {

using Failure = HttpReply::Failure;

// What is written here may break at once, which gives a place back while places are still being
// given away. So it waits until that is over.
void HttpClient::State::start_on_line(HttpTransfer& transfer) {
  transfer.line = take_idle_line(transfer.call);
  if (!transfer.line) return open_line(transfer);
  on_lines[transfer.line->socket()] = &transfer;
  to_begin.push_back(transfer.id);
  next_due_ns = std::min(next_due_ns, transfer.due_ns());
}

void HttpClient::State::line_is_open(HttpTransfer& transfer) {
  transfer.line->connected();
  on_lines[transfer.line->socket()] = &transfer;
  take_progress(transfer, transfer.line->begin(transfer.call, transfer));
}

void HttpClient::State::close_idle_lines() {
  for (const auto& line : idle_lines) on_lines.erase(line->socket());
  idle_lines.clear();
}

void HttpClient::State::open_line(HttpTransfer& transfer) {
  transfer.line = std::make_unique<CurlLine>(loop, share, handle_settings());
  transfer.line->connect(transfer.call, left_ns(transfer, steady_now_ns()), transfer);
  next_due_ns = std::min(next_due_ns, transfer.due_ns());
}

std::unique_ptr<CurlLine> HttpClient::State::take_idle_line(const HttpCall& call) {
  const Nanoseconds now_ns = steady_now_ns();
  for (std::size_t i = idle_lines.size(); i-- > 0;) {
    if (!idle_lines[i]->leads_to(call)) continue;
    std::unique_ptr<CurlLine> line = std::move(idle_lines[i]);
    idle_lines.erase(idle_lines.begin() + static_cast<std::ptrdiff_t>(i));
    if (line->fit_for_use(now_ns)) return line;
    on_lines.erase(line->socket());
  }
  return nullptr;
}

void HttpClient::State::begin_on_lines() {
  for (const Id id : std::exchange(to_begin, {})) {
    const auto found = transfers.find(id);
    if (found == transfers.end() || !found->second->line) continue;
    HttpTransfer& transfer = *found->second;
    take_progress(transfer, transfer.line->begin(transfer.call, transfer));
  }
}

void HttpClient::State::leave_line(HttpTransfer& transfer, bool keep) {
  std::unique_ptr<CurlLine> line = std::move(transfer.line);
  if (keep && idle_lines.size() < settings.kept_connections && line->rest(steady_now_ns())) {
    on_lines[line->socket()] = nullptr;
    idle_lines.push_back(std::move(line));
  } else {
    on_lines.erase(line->socket());
  }
}

// Whether there is a line with this socket. An idle one that has something to say is being closed.
bool HttpClient::State::work_on_line(int socket) {
  const auto found = on_lines.find(socket);
  if (found == on_lines.end()) return false;
  if (HttpTransfer* const transfer = found->second) {
    take_progress(*transfer, transfer->line->work());
    return true;
  }
  on_lines.erase(found);
  std::erase_if(idle_lines, [socket](const auto& line) { return line->socket() == socket; });
  return true;
}

void HttpClient::State::take_progress(HttpTransfer& transfer, CurlLine::Progress progress) {
  if (progress == CurlLine::Progress::kGoesOn) return;
  const bool done = progress == CurlLine::Progress::kDone;
  // The line may have been closed before the request came; only what may be sent twice is.
  if (!done && transfer.line->went_stale() && transfer.about_to_send()) {
    leave_line(transfer, false);
    return open_line(transfer);
  }
  if (!done) {
    const bool lost = transfer.problem.empty();
    transfer.reply.failure = transfer.sent ? Failure::kBroken : Failure::kNotSent;
    transfer.reply.reason = lost ? HttpReply::Reason::kLost : transfer.reason;
    transfer.reply.error = lost ? transfer.line->error() : transfer.problem;
    transfer.reply.plain_error = lost ? "the connection broke" : transfer.problem;
  }
  take_off(transfer, done);
  if (!transfer.cancelled) over.push_back(transfer.id);
}

}  // namespace ebb::net
