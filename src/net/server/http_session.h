// One connection: reads requests one after the other, passes each to the handler, and writes the
// response. It keeps reading while a request is being answered, which is how it notices that the
// client has disconnected.
//
// Everything runs on the connection's strand; the calls of an exchange, which may come from any
// thread, are posted there. No locks are needed.
#pragma once  // private to its room

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/server/connection_limits.h"
#include "net/server/http.h"
#include "net/server/http_server.h"
#include "net/server/request_reader.h"
#include "net/server/transport.h"

namespace ebb::net {

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  // `closed` is called once, when the connection is closed.
  HttpSession(std::shared_ptr<boost::asio::io_context> io, boost::asio::any_io_executor strand,
              std::unique_ptr<Transport> transport, const HttpServerSettings& settings,
              HttpHandler& handler, const IpAddress& peer, std::function<void()> closed);
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  // Thread-safe.
  void start();
  // Ends the connection gracefully: at once between requests, after the response if one is being
  // written, after the next chunk if it is a stream.
  void finish_soon();
  void cut();
  [[nodiscard]] OpenConnection standing() const;

 private:
  class Exchange;
  using Milliseconds = std::chrono::milliseconds;

  struct Outgoing {
    Bytes bytes;
    std::function<void(bool)> done;  // may be empty
  };

  void arm(Milliseconds time);
  void disarm();

  void read_more();
  void on_read(std::size_t count);
  void advance();
  void consume(std::size_t count);
  void begin_body();
  void refuse(int code, const std::string& text);
  void dispatch(HttpRequest request);

  void respond(const HttpHead& head, const Bytes& body);
  void begin(const HttpHead& head);
  void write(Bytes bytes, std::function<void(bool)> done);
  void end();
  void answered();

  void send(Bytes bytes, std::function<void(bool)> done);
  void fill_cork();
  void flush();
  void on_written(std::size_t count);

  void finish();
  void drain();
  void lose();

  // Handlers may hold exchanges, and with them sessions, longer than the server exists.
  std::shared_ptr<boost::asio::io_context> io_;
  boost::asio::any_io_executor strand_;
  boost::asio::steady_timer timer_;
  std::unique_ptr<Transport> transport_;
  const HttpServerSettings& settings_;
  HttpHandler& handler_;
  const IpAddress peer_;
  const std::int64_t accepted_ns_;
  std::function<void()> closed_;

  std::vector<char> input_;  // [0, filled_) has been read but not parsed
  std::size_t filled_ = 0;
  bool reading_ = false;
  RequestReader reader_;
  bool body_begun_ = false;

  // The current exchange, 0 if none; all others are over.
  std::uint64_t exchange_ = 0;
  std::uint64_t exchanges_ = 0;
  std::function<void()> over_;
  bool is_head_ = false;      // the request's method is HEAD
  bool old_http_ = false;     // HTTP/1.0
  bool keep_alive_ = false;   // after this exchange
  bool unread_body_ = false;  // the client may still be sending
  bool answering_ = false;    // respond() or begin() was called
  bool streaming_ = false;    // between begin() and end()

  std::deque<Outgoing> outgoing_;
  std::size_t segment_ = 0;   // of the first one: the next to copy
  std::size_t position_ = 0;  // within that segment
  std::vector<char> cork_;    // being written
  std::size_t corked_ = 0;    // the number of bytes written
  bool writing_ = false;

  bool stopping_ = false;
  bool finishing_ = false;
  bool lost_ = false;
  // The same for other threads: nothing may be posted to the strand any more.
  std::atomic<bool> gone_ = false;
  // Read by standing() from other threads.
  std::atomic<bool> in_exchange_ = false;
  std::atomic<std::int64_t> idle_since_ns_ = 0;  // 0: not idle
  std::size_t drained_ = 0;
  std::uint64_t timer_use_ = 0;
};

}  // namespace ebb::net
