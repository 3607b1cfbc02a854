#include "bench/https_client.h"

#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "bench/require.h"

namespace ebb::bench {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto kPatience = std::chrono::seconds(120);
constexpr std::size_t kKeptOfBody = 8UL << 10;

std::string text_of(const Request& request, const Endpoint& server) {
  const std::string body_headers = request.body.empty()
                                       ? ""
                                       : fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n",
                                                     request.content_type, request.body.size());
  return fmt::format(
      "{} {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {}\r\nAccept: {}\r\n{}\r\n{}",
      request.method, request.target, server.token, request.accept, body_headers, request.body);
}

struct Answer {
  int code = 0;
  bool chunked = false;
  std::size_t size = 0;     // of the body
  std::string beginning{};  // of the body
};

// Parses a response head.
Answer read_head(std::string_view head) {
  constexpr std::string_view kLength = "Content-Length: ";
  Answer answer;
  require(head.size() > 12, "an answer without a head");
  std::from_chars(head.data() + 9, head.data() + 12, answer.code);
  if (const auto at = head.find(kLength); at != std::string_view::npos) {
    std::from_chars(head.data() + at + kLength.size(), head.data() + head.size(), answer.size);
  }
  answer.chunked = head.find("Transfer-Encoding: chunked") != std::string_view::npos;
  return answer;
}

// A body in chunks: a size in hexadecimal, a line's end, so many bytes, a line's end; the last one
// is empty. No trailers.
class Chunks {
 public:
  template <class Take>
  void take(std::string_view bytes, const Take& take_piece) {
    while (!bytes.empty() && !ended_) {
      if (left_ == 0) {
        bytes = take_line(bytes);
        continue;
      }
      const std::string_view piece = bytes.substr(0, left_);
      take_piece(piece);
      left_ -= piece.size();
      bytes.remove_prefix(piece.size());
      behind_piece_ = left_ == 0;
    }
  }
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  std::string_view take_line(std::string_view bytes) {
    const auto end = bytes.find('\n');
    line_ += bytes.substr(0, end);
    if (end == std::string_view::npos) return {};
    if (behind_piece_) {
      behind_piece_ = false;
    } else if (last_) {
      ended_ = true;
    } else {
      std::from_chars(line_.data(), line_.data() + line_.size(), left_, 16);
      last_ = left_ == 0;
    }
    line_.clear();
    return bytes.substr(end + 1);
  }

  std::string line_;
  std::size_t left_ = 0;       // of the chunk
  bool behind_piece_ = false;  // its line's end is due
  bool last_ = false;          // only the end of the body is due
  bool ended_ = false;
};

}  // namespace

class HttpsClient::Connection : public std::enable_shared_from_this<HttpsClient::Connection> {
 public:
  using Answered = std::function<void(const Answer&)>;

  Connection(asio::io_context& io, asio::ssl::context& tls, std::uint16_t port) : stream_(io, tls) {
    auto& socket = stream_.next_layer();
    socket.connect({asio::ip::address_v4::loopback(), port});
    socket.set_option(asio::ip::tcp::no_delay(true));
    stream_.handshake(asio::ssl::stream_base::client);
  }

  void ask(std::string request, Answered answered) {
    answered_ = std::move(answered);
    write(std::move(request));
  }
  // Each event increments `events` and is passed to `on_event`, if that is set.
  void watch(std::string request, std::size_t& events, const OnEvent& on_event) {
    events_ = &events;
    on_event_ = &on_event;
    write(std::move(request));
  }
  [[nodiscard]] bool has_head() const { return has_head_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  void close() {
    closed_ = true;
    error_code ignored;
    stream_.next_layer().close(ignored);
  }

 private:
  void write(std::string request) {
    has_head_ = false;
    request_ = std::move(request);
    asio::async_write(stream_, asio::buffer(request_),
                      [self = shared_from_this()](error_code error, std::size_t) {
                        if (self->closed_) return;
                        require(!error, "a connection broke");
                        self->read();
                      });
  }

  void read() {
    stream_.async_read_some(asio::buffer(input_),
                            [self = shared_from_this()](error_code error, std::size_t count) {
                              if (self->closed_) return;
                              require(!error, "a connection broke");
                              self->take({self->input_.data(), count});
                            });
  }

  void take(std::string_view bytes) {
    bytes_ += bytes.size();
    if (!has_head_) bytes = take_head(bytes);
    if (!has_head_) return read();
    if (events_ != nullptr) {
      count_events(bytes);
      return read();
    }
    if (answer_.chunked) {
      chunks_.take(bytes, [this](std::string_view piece) {
        answer_.size += piece.size();
        take_body(piece);
      });
      if (!chunks_.ended()) return read();
    } else {
      require(bytes.size() <= left_, "more came than an answer");
      left_ -= bytes.size();
      take_body(bytes);
      if (left_ > 0) return read();
    }
    std::exchange(answered_, nullptr)(answer_);
  }

  void take_body(std::string_view bytes) {
    if (answer_.beginning.size() < kKeptOfBody) answer_.beginning += bytes;
  }

  // Returns what follows the head.
  std::string_view take_head(std::string_view bytes) {
    const std::size_t before = head_.size();
    head_ += bytes;
    const auto end = head_.find("\r\n\r\n");
    if (end == std::string::npos) return {};
    answer_ = read_head(std::string_view(head_).substr(0, end + 2));
    left_ = answer_.size;
    chunks_ = {};
    has_head_ = true;
    head_.clear();
    return bytes.substr(end + 4 - before);
  }

  // An event ends with a brace and a line feed. This pair occurs neither within JSON nor between
  // chunks.
  void count_events(std::string_view bytes) {
    for (auto at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
      if ((at == 0 ? last_ : bytes[at - 1]) != '}') continue;
      ++*events_;
      ++own_events_;
      if (*on_event_) (*on_event_)(own_events_);
    }
    if (!bytes.empty()) last_ = bytes.back();
  }

  asio::ssl::stream<asio::ip::tcp::socket> stream_;
  std::string request_;
  std::array<char, 16UL << 10> input_{};
  std::string head_;
  bool has_head_ = false;
  Answer answer_;
  std::size_t left_ = 0;  // of the body
  Chunks chunks_;
  Answered answered_;
  std::size_t* events_ = nullptr;
  const OnEvent* on_event_ = nullptr;
  std::size_t own_events_ = 0;
  char last_ = 0;
  std::size_t bytes_ = 0;
  bool closed_ = false;
};

struct HttpsClient::Sending {
  const MakeRequest& make;
  std::size_t count = 0;
  std::size_t sent = 0;
  std::size_t answered = 0;
  std::size_t bytes = 0;
};

HttpsClient::HttpsClient(const Endpoint& server)
    : server_(server), tls_(asio::ssl::context::tls_client) {
  tls_.add_certificate_authority(asio::buffer(server.authority_pem));
  tls_.set_verify_mode(asio::ssl::verify_peer);
}

HttpsClient::~HttpsClient() = default;

std::shared_ptr<HttpsClient::Connection> HttpsClient::connect() {
  return std::make_shared<Connection>(io_, tls_, server_.port);
}

void HttpsClient::run_until(const std::function<bool()>& done) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!done()) {
    io_.restart();
    io_.run_one_until(deadline);
    require(std::chrono::steady_clock::now() < deadline, "the server took too long");
  }
}

void HttpsClient::send_next(Connection& connection, Sending& sending) {
  if (sending.sent == sending.count) return;
  connection.ask(text_of(sending.make(sending.sent++), server_),
                 [this, &connection, &sending](const Answer& answer) {
                   require(answer.code < 300, answer.beginning);
                   ++sending.answered;
                   sending.bytes += answer.size;
                   send_next(connection, sending);
                 });
}

std::size_t HttpsClient::send(std::size_t count, std::size_t connections, const MakeRequest& make) {
  while (connections_.size() < connections) connections_.push_back(connect());
  Sending sending{.make = make, .count = count};
  for (std::size_t i = 0; i < connections; ++i) send_next(*connections_[i], sending);
  run_until([&] { return sending.answered == count; });
  return sending.bytes;
}

HttpsClient::Body HttpsClient::fetch(const Request& request) {
  if (connections_.empty()) connections_.push_back(connect());
  Body body;
  bool answered = false;
  connections_.front()->ask(text_of(request, server_), [&](const Answer& answer) {
    require(answer.code < 300, answer.beginning);
    body = {answer.beginning, answer.size};
    answered = true;
  });
  run_until([&] { return answered; });
  return body;
}

void HttpsClient::watch(std::size_t count, const std::string& target, OnEvent on_event) {
  events_ = 0;
  on_event_ = std::move(on_event);
  const std::string request = text_of({.target = target}, server_);
  for (std::size_t i = 0; i < count; ++i) {
    watches_.push_back(connect());
    watches_.back()->watch(request, events_, on_event_);
    run_until([&] { return watches_.back()->has_head(); });
  }
}

void HttpsClient::wait_for_events(std::size_t count) {
  run_until([&] { return events_ >= count; });
}

void HttpsClient::take_events_until(std::chrono::steady_clock::time_point time) {
  io_.restart();
  io_.run_until(time);
}

std::size_t HttpsClient::watched_bytes() const {
  std::size_t bytes = 0;
  for (const auto& watch : watches_) bytes += watch->bytes();
  return bytes;
}

void HttpsClient::close_watches() {
  for (const auto& watch : watches_) watch->close();
  watches_.clear();
  io_.restart();
  io_.poll();
}

}  // namespace ebb::bench
