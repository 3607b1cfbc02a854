#include "net/client/http1_connection.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/socket.h>

#include "base/check.h"
#include "net/client/request_text.h"

namespace ebb::net {
namespace {

// The amount that curl reads at once.
constexpr std::size_t kReadBytes = 16 * 1024;
// A server that sends without pause must not starve other connections.
constexpr int kMaxReadsAtOnce = 16;
constexpr std::size_t kKeptRequestBytes = 16 * 1024;

// So that a read takes a whole TLS record, and any remaining data shows on the socket.
CurlTransfer::Settings with_whole_records(CurlTransfer::Settings settings) {
  settings.small_buffers = false;
  return settings;
}

}  // namespace

Http1Connection::Http1Connection(CurlLoop& loop, const CurlShare& share,
                                 const CurlTransfer::Settings& settings)
    : loop_(loop),
      longest_idle_ns_(settings.idle_seconds * kNanosecondsPerSecond),
      curl_(share, with_whole_records(settings)) {}

Http1Connection::~Http1Connection() {
  if (listener_ != nullptr && socket_ >= 0) {
    // The call was given up. Without this, the system goes on sending what it has not sent yet, and
    // a write could reach the server minutes later, after a partition.
    const linger drop_unsent{.l_onoff = 1, .l_linger = 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &drop_unsent, sizeof drop_unsent);
  }
  if (socket_ >= 0) loop_.unwatch_socket(socket_);
  if (!server_.empty()) loop_.remove(curl_.get());
}

bool Http1Connection::can_take(const HttpCall& call) {
  return call.proxy.empty() && !call.address && !call.only_http2 && !call.gzip && !call.alone &&
         !call.shared_body && is_plain_url(call.url);
}

bool Http1Connection::leads_to(const HttpCall& call) const {
  return tls_ == call.tls && server_ == server_of(call.url);
}

void Http1Connection::connect(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener) {
  server_ = server_of(call.url);
  tls_ = call.tls;
  curl_.configure_for_connect(call, total_ns, listener);
  EBB_CHECK(loop_.add(curl_.get()));
}

void Http1Connection::connected() {
  curl_socket_t socket = CURL_SOCKET_BAD;
  curl_easy_getinfo(curl_.get(), CURLINFO_ACTIVESOCKET, &socket);
  EBB_CHECK(socket != CURL_SOCKET_BAD);
  socket_ = socket;
  loop_.watch_socket(socket_, false);
}

// Unsolicited data makes a connection unusable.
bool Http1Connection::fit_for_use(Nanoseconds now_ns) const {
  if (!idle_since_ns_ || now_ns - *idle_since_ns_ > longest_idle_ns_) return false;
  char byte = 0;
  return recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

Http1Connection::Progress Http1Connection::begin(const HttpCall& call, CurlListener& listener) {
  ++calls_;
  idle_since_ns_.reset();
  listener_ = &listener;
  request_.clear();
  append_request(call, request_);
  written_ = 0;
  reader_ = ReplyReader(call.method == "HEAD");
  if (!listener.about_to_send()) return broken("the call was cancelled");
  return write();
}

Http1Connection::Progress Http1Connection::work() {
  if (waits_to_write_) {
    const Progress progress = write();
    // A server that does not read the whole request may have sent a response.
    if (progress != Progress::kBroken) return progress;
  }
  return read();
}

Http1Connection::Progress Http1Connection::write() {
  CURLcode code = CURLE_OK;
  while (written_ < request_.size() && code == CURLE_OK) {
    std::size_t count = 0;
    code =
        curl_easy_send(curl_.get(), request_.data() + written_, request_.size() - written_, &count);
    written_ += count;
  }
  const bool waits = code == CURLE_AGAIN;
  if (waits != waits_to_write_) loop_.watch_socket(socket_, waits);
  waits_to_write_ = waits;
  return code == CURLE_OK || waits ? Progress::kGoesOn : broken(curl_.error(code));
}

Http1Connection::Progress Http1Connection::read() {
  std::array<char, kReadBytes> buffer;
  for (int reads = 0; reads < kMaxReadsAtOnce; ++reads) {
    std::size_t count = 0;
    const CURLcode code = curl_easy_recv(curl_.get(), buffer.data(), buffer.size(), &count);
    if (code == CURLE_AGAIN) return Progress::kGoesOn;
    if (code != CURLE_OK) return broken(curl_.error(code));
    const Progress progress =
        count == 0 ? reader_.end() : reader_.feed({buffer.data(), count}, *listener_);
    if (progress == Progress::kDone) return progress;
    if (progress == Progress::kBroken) {
      return broken(count == 0 ? "the server closed the connection before the response was complete"
                               : std::string(reader_.problem()));
    }
  }
  return Progress::kGoesOn;
}

bool Http1Connection::rest(Nanoseconds now_ns) {
  if (!reader_.keeps_connection() || written_ < request_.size()) return false;
  idle_since_ns_ = now_ns;
  listener_ = nullptr;
  if (request_.capacity() > kKeptRequestBytes) request_ = {};
  return true;
}

Http1Connection::Progress Http1Connection::broken(std::string error) {
  error_ = std::move(error);
  return Progress::kBroken;
}

}  // namespace ebb::net
