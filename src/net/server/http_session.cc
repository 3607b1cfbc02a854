#include "net/server/http_session.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <utility>

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "net/server/response_head.h"

namespace ebb::net {
namespace {

namespace asio = boost::asio;

// Read sizes: small while waiting for a request, larger within a body.
constexpr std::size_t kFirstRead = 2UL << 10;
constexpr std::size_t kBodyRead = 64UL << 10;
// Small segments are combined up to this size: each write becomes a TLS record and a system call.
constexpr std::size_t kCork = 64UL << 10;
// The number of bytes that a rejected client may still send before its connection is closed.
constexpr std::size_t kMaxDrained = 16UL << 20;
constexpr std::chrono::milliseconds kClosingTime{2'000};

std::int64_t monotonic_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

// The handler's side of an exchange. It may outlive its turn on the connection; its number then
// differs from the session's, and calls do nothing.
class HttpSession::Exchange : public HttpExchange {
 public:
  Exchange(std::shared_ptr<HttpSession> session, std::uint64_t number, HttpRequest request)
      : session_(std::move(session)), number_(number), request_(std::move(request)) {}
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Posted, not dispatched: the handler may have responded from another thread, and that response
  // may still be in the strand's queue when this runs on the strand itself.
  ~Exchange() override {
    if (session_->gone_) return;
    asio::post(session_->strand_, [session = session_, number = number_] {
      if (session->exchange_ != number) return;
      if (!session->answering_) {
        session->respond({.code = 500}, Bytes("the request was dropped\n"));
      } else if (session->streaming_) {
        session->lose();  // an incomplete stream must not look complete
      }
    });
  }

  HttpRequest& request() override { return request_; }

  void respond(HttpHead head, Bytes body) override {
    on_strand([head = std::move(head), body = std::move(body)](HttpSession& session) {
      session.respond(head, body);
    });
  }
  void begin(HttpHead head) override {
    on_strand([head = std::move(head)](HttpSession& session) { session.begin(head); });
  }
  void write(Bytes bytes, std::function<void(bool)> done) override {
    if (session_->gone_) {
      if (done) done(false);
      return;
    }
    asio::dispatch(session_->strand_, [session = session_, number = number_,
                                       bytes = std::move(bytes), done = std::move(done)]() mutable {
      if (session->exchange_ == number) {
        session->write(std::move(bytes), std::move(done));
      } else if (done) {
        done(false);
      }
    });
  }
  void end() override {
    on_strand([](HttpSession& session) { session.end(); });
  }
  void on_over(std::function<void()> over) override {
    if (session_->gone_) return over();
    asio::dispatch(session_->strand_,
                   [session = session_, number = number_, over = std::move(over)]() mutable {
                     if (session->exchange_ == number) {
                       session->over_ = std::move(over);
                     } else {
                       over();
                     }
                   });
  }

 private:
  template <class Call>
  void on_strand(Call call) {
    if (session_->gone_) return;
    asio::dispatch(session_->strand_,
                   [session = session_, number = number_, call = std::move(call)]() mutable {
                     if (session->exchange_ == number) call(*session);
                   });
  }

  std::shared_ptr<HttpSession> session_;
  std::uint64_t number_;
  HttpRequest request_;
};

HttpSession::HttpSession(std::shared_ptr<asio::io_context> io, asio::any_io_executor strand,
                         std::unique_ptr<Transport> transport, const HttpServerSettings& settings,
                         HttpHandler& handler, const IpAddress& peer, std::function<void()> closed)
    : io_(std::move(io)),
      strand_(std::move(strand)),
      timer_(strand_),
      transport_(std::move(transport)),
      settings_(settings),
      handler_(handler),
      peer_(peer),
      accepted_ns_(monotonic_ns()),
      closed_(std::move(closed)),
      reader_(settings.limits) {}

void HttpSession::start() {
  asio::dispatch(strand_, [self = shared_from_this()] {
    self->arm(self->settings_.head_time);
    self->transport_->handshake([self](Transport::Error error) {
      if (self->lost_) return;
      if (error) return self->lose();
      if (self->stopping_) return self->finish();
      self->read_more();
    });
  });
}

void HttpSession::finish_soon() {
  asio::dispatch(strand_, [self = shared_from_this()] {
    self->stopping_ = true;
    self->keep_alive_ = false;
    if (self->streaming_) {
      self->end();
    } else if (self->exchange_ == 0) {
      self->finish();
    }
  });
}

void HttpSession::cut() {
  asio::dispatch(strand_, [self = shared_from_this()] { self->lose(); });
}

OpenConnection HttpSession::standing() const {
  const std::int64_t idle_since_ns = idle_since_ns_;
  if (idle_since_ns != 0) {
    return {.peer = peer_, .phase = ConnectionPhase::kIdle, .since_ns = idle_since_ns};
  }
  return {.peer = peer_,
          .phase = in_exchange_ ? ConnectionPhase::kAnswering : ConnectionPhase::kReceiving,
          .since_ns = accepted_ns_};
}

void HttpSession::arm(Milliseconds time) {
  const std::uint64_t use = ++timer_use_;
  timer_.expires_after(time);
  timer_.async_wait([self = shared_from_this(), use](Transport::Error error) {
    // An expired wait cannot be cancelled, so it checks that it is still current.
    if (!error && use == self->timer_use_) self->lose();
  });
}

void HttpSession::disarm() {
  ++timer_use_;
  timer_.cancel();
}

void HttpSession::read_more() {
  if (reading_ || lost_) return;
  const std::size_t room = body_begun_ && exchange_ == 0 ? kBodyRead : kFirstRead;
  if (input_.size() < filled_ + room) input_.resize(filled_ + room);
  reading_ = true;
  transport_->read_some(asio::buffer(input_.data() + filled_, input_.size() - filled_),
                        [self = shared_from_this()](Transport::Error error, std::size_t count) {
                          self->reading_ = false;
                          if (self->lost_) return;
                          if (error) return self->lose();
                          self->on_read(count);
                        });
}

void HttpSession::on_read(std::size_t count) {
  if (finishing_) {
    drained_ += count;
    if (drained_ > kMaxDrained) return lose();
    return read_more();
  }
  const bool first = filled_ == 0 && !body_begun_;
  filled_ += count;
  // A pipelined request waits, and so does everything after it.
  if (exchange_ != 0) return;
  // The time for a head starts with its first byte and is not restarted.
  if (first) {
    arm(settings_.head_time);
    idle_since_ns_ = 0;
  }
  advance();
}

void HttpSession::advance() {
  consume(reader_.take({input_.data(), filled_}));
  if (reader_.state() == RequestReader::State::kBody && !body_begun_) begin_body();
  if (lost_ || exchange_ != 0) return;
  if (reader_.state() == RequestReader::State::kBody && filled_ > 0) {
    consume(reader_.take({input_.data(), filled_}));
  }
  switch (reader_.state()) {
    case RequestReader::State::kHead:
    case RequestReader::State::kBody:
      // Only a chunk's head can leave unparsed bytes; it is never this long.
      if (body_begun_ && filled_ > kBodyRead) return refuse(400, "malformed request");
      return read_more();
    case RequestReader::State::kDone:
      return dispatch(reader_.release());
    case RequestReader::State::kTooLarge: {
      HttpRequest request = reader_.release();
      request.body_state = HttpRequest::Body::kTooLarge;
      unread_body_ = true;
      return dispatch(std::move(request));
    }
    case RequestReader::State::kBad:
      return refuse(reader_.problem().code, reader_.problem().text);
  }
}

void HttpSession::consume(std::size_t count) {
  EBB_CHECK(!reading_);  // into the buffer that is moved here
  std::memmove(input_.data(), input_.data() + count, filled_ - count);
  filled_ -= count;
}

void HttpSession::begin_body() {
  body_begun_ = true;
  if (!handler_.wants_body(reader_.head())) {
    HttpRequest request = reader_.release();
    request.body_state = HttpRequest::Body::kUnwanted;
    unread_body_ = true;
    return dispatch(std::move(request));
  }
  arm(settings_.body_time);
  if (!reader_.expects_continue() || filled_ > 0) return;
  Bytes go_on;
  go_on.append_static("HTTP/1.1 100 Continue\r\n\r\n");
  send(std::move(go_on), [this](bool sent) {
    if (sent && exchange_ == 0) arm(settings_.body_time);
  });
}

void HttpSession::refuse(int code, const std::string& text) {
  exchange_ = ++exchanges_;
  in_exchange_ = true;
  keep_alive_ = false;
  unread_body_ = true;
  respond({.code = code, .headers = {{"Content-Type", "text/plain"}}}, Bytes(text + "\n"));
}

void HttpSession::dispatch(HttpRequest request) {
  disarm();
  exchange_ = ++exchanges_;
  in_exchange_ = true;
  request.peer = peer_;
  is_head_ = request.method == "HEAD";
  old_http_ = reader_.is_http_1_0();
  keep_alive_ = reader_.keep_alive() && !old_http_ && !unread_body_ && !stopping_;
  answering_ = false;
  auto exchange = std::make_shared<Exchange>(shared_from_this(), exchange_, std::move(request));
  // A connection that waits for a watch should not keep its request's memory.
  if (filled_ == 0 && !reading_) std::vector<char>().swap(input_);
  if (filled_ == 0) read_more();
  handler_.handle(std::move(exchange));
}

void HttpSession::respond(const HttpHead& head, const Bytes& body) {
  if (answering_) return;
  answering_ = true;
  Bytes all(response_head(head, Framing::kLength, body.size(), keep_alive_, std::time(nullptr)));
  if (!is_head_) all.append(body);
  send(std::move(all), [this](bool sent) {
    if (sent) answered();
  });
}

void HttpSession::begin(const HttpHead& head) {
  if (answering_) return;
  answering_ = true;
  streaming_ = true;
  if (old_http_) keep_alive_ = false;
  send(Bytes(response_head(head, old_http_ ? Framing::kUntilClose : Framing::kChunks, 0,
                           keep_alive_, std::time(nullptr))),
       nullptr);
  if (is_head_ || stopping_) end();
}

void HttpSession::write(Bytes bytes, std::function<void(bool)> done) {
  if (!streaming_) {
    if (done) done(false);
    return;
  }
  if (bytes.empty() || old_http_) return send(std::move(bytes), std::move(done));
  Bytes chunk(fmt::format("{:x}\r\n", bytes.size()));
  chunk.append(bytes);
  chunk.append_static("\r\n");
  send(std::move(chunk), std::move(done));
}

void HttpSession::end() {
  if (!streaming_) return;
  streaming_ = false;
  Bytes last;
  if (!old_http_ && !is_head_) last.append_static("0\r\n\r\n");
  send(std::move(last), [this](bool sent) {
    if (sent) answered();
  });
}

void HttpSession::answered() {
  exchange_ = 0;
  in_exchange_ = false;
  if (auto over = std::exchange(over_, nullptr)) over();
  if (lost_) return;
  if (!keep_alive_ || stopping_) return finish();
  reader_ = RequestReader(settings_.limits);
  body_begun_ = false;
  arm(filled_ > 0 ? settings_.head_time : settings_.idle_time);
  if (filled_ > 0) return advance();
  idle_since_ns_ = monotonic_ns();
  read_more();
}

void HttpSession::send(Bytes bytes, std::function<void(bool)> done) {
  if (lost_) {
    if (done) done(false);
    return;
  }
  outgoing_.push_back({std::move(bytes), std::move(done)});
  if (!writing_) flush();
}

// Copies the next segments into one buffer.
void HttpSession::fill_cork() {
  const Bytes& bytes = outgoing_.front().bytes;
  cork_.clear();
  corked_ = 0;
  cork_.reserve(std::min(kCork, bytes.size()));
  const auto& segments = bytes.segments();
  while (segment_ < segments.size() && cork_.size() < kCork) {
    const std::string_view rest = segments[segment_].text.substr(position_);
    const std::string_view part = rest.substr(0, kCork - cork_.size());
    cork_.insert(cork_.end(), part.begin(), part.end());
    position_ += part.size();
    if (part.size() < rest.size()) break;
    ++segment_;
    position_ = 0;
  }
}

void HttpSession::flush() {
  while (!lost_ && !outgoing_.empty()) {
    if (corked_ == cork_.size()) fill_cork();
    if (corked_ < cork_.size()) {
      writing_ = true;
      arm(settings_.write_time);
      transport_->write_some(
          asio::buffer(cork_.data() + corked_, cork_.size() - corked_),
          [self = shared_from_this()](Transport::Error error, std::size_t count) {
            self->writing_ = false;
            if (self->lost_) return;
            if (error) return self->lose();
            self->on_written(count);
          });
      return;
    }
    // The first one is written.
    auto done = std::move(outgoing_.front().done);
    outgoing_.pop_front();
    segment_ = 0;
    position_ = 0;
    if (outgoing_.empty()) std::vector<char>().swap(cork_);
    corked_ = cork_.size();
    if (exchange_ != 0) disarm();
    writing_ = true;  // so that writes from `done` wait for this loop
    if (done) done(true);
    writing_ = false;
  }
}

void HttpSession::on_written(std::size_t count) {
  corked_ += count;
  flush();
}

void HttpSession::finish() {
  if (finishing_ || lost_) return;
  finishing_ = true;
  idle_since_ns_ = monotonic_ns();
  arm(kClosingTime);
  if (unread_body_) return drain();
  transport_->shutdown([self = shared_from_this()](Transport::Error) { self->lose(); });
}

// Closing while the client is still sending would make its system discard the response, so the
// session reads a little longer.
void HttpSession::drain() {
  filled_ = 0;
  if (!reading_) std::vector<char>(kBodyRead).swap(input_);
  read_more();
}

void HttpSession::lose() {
  if (lost_) return;
  lost_ = true;
  gone_ = true;
  const auto self = shared_from_this();
  disarm();
  transport_->close();
  exchange_ = 0;
  streaming_ = false;
  auto outgoing = std::exchange(outgoing_, {});
  for (Outgoing& one : outgoing) {
    if (one.done) one.done(false);
  }
  if (auto over = std::exchange(over_, nullptr)) over();
  if (auto closed = std::exchange(closed_, nullptr)) closed();
}

}  // namespace ebb::net
