#include "net/curl_line.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <sys/socket.h>

#include "base/check.h"
#include "net/request_text.h"

namespace ebb::net {
namespace {

// What curl reads at once.
constexpr std::size_t kReadBytes = 16 * 1024;
// Whoever sends without pause must not keep others from being served.
constexpr int kMostReadsAtOnce = 16;
constexpr std::size_t kKeptRequestBytes = 16 * 1024;

// So that a read takes a whole record of TLS, and whatever is left shows on the socket.
CurlTransfer::Settings with_whole_records(CurlTransfer::Settings settings) {
  settings.small_buffers = false;
  return settings;
}

}  // namespace

CurlLine::CurlLine(CurlLoop& loop, const CurlShare& share, const CurlTransfer::Settings& settings)
    : loop_(loop),
      longest_idle_ns_(settings.idle_seconds * kNanosecondsPerSecond),
      curl_(share, with_whole_records(settings)) {}

CurlLine::~CurlLine() {
  if (socket_ >= 0) loop_.neglect(socket_);
  if (!server_.empty()) loop_.remove(curl_.get());
}

bool CurlLine::can_take(const HttpCall& call) {
  return call.proxy.empty() && !call.address && !call.only_http2 && !call.gzip && !call.alone &&
         !call.shared_body && is_plain_url(call.url);
}

bool CurlLine::leads_to(const HttpCall& call) const {
  return tls_ == call.tls && server_ == server_of(call.url);
}

void CurlLine::connect(const HttpCall& call, Nanoseconds total_ns, CurlListener& listener) {
  server_ = server_of(call.url);
  tls_ = call.tls;
  curl_.dress_for_connecting(call, total_ns, listener);
  EBB_CHECK(loop_.add(curl_.get()));
}

void CurlLine::connected() {
  curl_socket_t socket = CURL_SOCKET_BAD;
  curl_easy_getinfo(curl_.get(), CURLINFO_ACTIVESOCKET, &socket);
  EBB_CHECK(socket != CURL_SOCKET_BAD);
  socket_ = socket;
  loop_.attend(socket_, false);
}

// Whatever comes where nothing was asked is the end of it.
bool CurlLine::fit_for_use(Nanoseconds now_ns) const {
  if (!idle_since_ns_ || now_ns - *idle_since_ns_ > longest_idle_ns_) return false;
  char byte = 0;
  return recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

CurlLine::Progress CurlLine::begin(const HttpCall& call, CurlListener& listener) {
  ++calls_;
  idle_since_ns_.reset();
  listener_ = &listener;
  request_.clear();
  append_request(call, request_);
  written_ = 0;
  reader_ = ReplyReader(call.method == "HEAD");
  if (!listener.about_to_send()) return broken("the call is not wanted any more");
  return write();
}

CurlLine::Progress CurlLine::work() {
  if (waits_to_write_) {
    const Progress progress = write();
    // A server that does not take all of a request may have said why.
    if (progress != Progress::kBroken) return progress;
  }
  return read();
}

CurlLine::Progress CurlLine::write() {
  CURLcode code = CURLE_OK;
  while (written_ < request_.size() && code == CURLE_OK) {
    std::size_t count = 0;
    code =
        curl_easy_send(curl_.get(), request_.data() + written_, request_.size() - written_, &count);
    written_ += count;
  }
  const bool waits = code == CURLE_AGAIN;
  if (waits != waits_to_write_) loop_.attend(socket_, waits);
  waits_to_write_ = waits;
  return code == CURLE_OK || waits ? Progress::kGoesOn : broken(curl_.error(code));
}

CurlLine::Progress CurlLine::read() {
  std::array<char, kReadBytes> buffer;
  for (int reads = 0; reads < kMostReadsAtOnce; ++reads) {
    std::size_t count = 0;
    const CURLcode code = curl_easy_recv(curl_.get(), buffer.data(), buffer.size(), &count);
    if (code == CURLE_AGAIN) return Progress::kGoesOn;
    if (code != CURLE_OK) return broken(curl_.error(code));
    const Progress progress =
        count == 0 ? reader_.end() : reader_.feed({buffer.data(), count}, *listener_);
    if (progress == Progress::kDone) return progress;
    if (progress == Progress::kBroken) {
      return broken(count == 0 ? "the server closed the connection without a whole answer"
                               : std::string(reader_.problem()));
    }
  }
  return Progress::kGoesOn;
}

bool CurlLine::rest(Nanoseconds now_ns) {
  if (!reader_.keeps_connection() || written_ < request_.size()) return false;
  idle_since_ns_ = now_ns;
  listener_ = nullptr;
  if (request_.capacity() > kKeptRequestBytes) request_ = {};
  return true;
}

CurlLine::Progress CurlLine::broken(std::string error) {
  error_ = std::move(error);
  return Progress::kBroken;
}

}  // namespace ebb::net
