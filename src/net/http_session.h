// One connection: reads requests one after the other, hands each to the handler, and
// writes its answer. While a request is being answered it goes on reading, which is how
// it notices that the client has gone.
//
// Everything happens on the connection's strand; the calls of an exchange, which come from
// anywhere, are posted there. Nothing is locked.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "net/http.h"
#include "net/http_server.h"
#include "net/request_reader.h"
#include "net/transport.h"

namespace ebb::net {

class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  // `closed` is called once, when the connection is no more.
  HttpSession(std::shared_ptr<boost::asio::io_context> io, boost::asio::any_io_executor strand,
              std::unique_ptr<Transport> transport, const HttpServerSettings& settings,
              HttpHandler& handler, bool from_loopback, std::function<void()> closed);
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  // These may be called from any thread.
  void start();
  // Ends what can be ended in good order: at once between requests, after the answer if
  // one is being written, after the next chunk if it is a stream.
  void finish_soon();
  void cut();

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

  // Handlers may hold exchanges, and with them sessions, for longer than there is a server.
  std::shared_ptr<boost::asio::io_context> io_;
  boost::asio::any_io_executor strand_;
  boost::asio::steady_timer timer_;
  std::unique_ptr<Transport> transport_;
  const HttpServerSettings& settings_;
  HttpHandler& handler_;
  bool from_loopback_;
  std::function<void()> closed_;

  std::vector<char> input_;  // [0, filled_) has been read and not been parsed
  std::size_t filled_ = 0;
  bool reading_ = false;
  RequestReader reader_;
  bool body_begun_ = false;

  // The exchange that is under way, 0 if none; others are over.
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
  std::size_t segment_ = 0;   // of the first one: the next to be copied
  std::size_t position_ = 0;  // in that segment
  std::vector<char> cork_;    // what is being written
  std::size_t corked_ = 0;    // how much of it was
  bool writing_ = false;

  bool stopping_ = false;
  bool finishing_ = false;
  bool lost_ = false;
  // The same for other threads: nothing is to be posted to the strand any more.
  std::atomic<bool> gone_ = false;
  std::size_t drained_ = 0;
  std::uint64_t timer_use_ = 0;
};

}  // namespace ebb::net
