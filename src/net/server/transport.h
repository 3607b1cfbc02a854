// A connection, plain or with TLS, behind one interface, so that the HTTP code is compiled once.
// All calls and completions happen on the connection's strand.
#pragma once  // private to its room

#include <functional>
#include <memory>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

namespace ebb::net {

class Transport {
 public:
  using Error = boost::system::error_code;
  using Done = std::function<void(Error)>;
  using Moved = std::function<void(Error, std::size_t)>;

  virtual ~Transport() = default;

  virtual void handshake(Done done) = 0;
  // At most one read and one write at a time.
  virtual void read_some(boost::asio::mutable_buffer into, Moved moved) = 0;
  virtual void write_some(boost::asio::const_buffer from, Moved moved) = 0;
  // Tells the peer that no more data follows.
  virtual void shutdown(Done done) = 0;
  // Pending operations fail.
  virtual void close() = 0;
};

// Without a context: plain TCP. A connection keeps its context, which the server may have replaced.
[[nodiscard]] std::unique_ptr<Transport> make_transport(
    boost::asio::ip::tcp::socket socket, std::shared_ptr<boost::asio::ssl::context> tls);

}  // namespace ebb::net
