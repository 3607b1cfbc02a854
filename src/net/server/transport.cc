#include "net/server/transport.h"

#include <utility>

#include <boost/asio/ssl/stream.hpp>

namespace ebb::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

class PlainTransport : public Transport {
 public:
  explicit PlainTransport(tcp::socket socket) : socket_(std::move(socket)) {}

  void handshake(Done done) override {
    asio::post(socket_.get_executor(), [done = std::move(done)] { done({}); });
  }
  void read_some(asio::mutable_buffer into, Moved moved) override {
    socket_.async_read_some(into, std::move(moved));
  }
  void write_some(asio::const_buffer from, Moved moved) override {
    socket_.async_write_some(from, std::move(moved));
  }
  void shutdown(Done done) override {
    Error error;
    socket_.shutdown(tcp::socket::shutdown_send, error);
    asio::post(socket_.get_executor(), [done = std::move(done), error] { done(error); });
  }
  void close() override {
    Error ignored;
    socket_.close(ignored);
  }

 private:
  tcp::socket socket_;
};

class TlsTransport : public Transport {
 public:
  TlsTransport(tcp::socket socket, std::shared_ptr<asio::ssl::context> context)
      : context_(std::move(context)), stream_(std::move(socket), *context_) {}

  void handshake(Done done) override {
    stream_.async_handshake(asio::ssl::stream_base::server, std::move(done));
  }
  void read_some(asio::mutable_buffer into, Moved moved) override {
    stream_.async_read_some(into, std::move(moved));
  }
  void write_some(asio::const_buffer from, Moved moved) override {
    stream_.async_write_some(from, std::move(moved));
  }
  void shutdown(Done done) override { stream_.async_shutdown(std::move(done)); }
  void close() override {
    Error ignored;
    stream_.lowest_layer().close(ignored);
  }

 private:
  std::shared_ptr<asio::ssl::context> context_;
  asio::ssl::stream<tcp::socket> stream_;
};

}  // namespace

std::unique_ptr<Transport> make_transport(tcp::socket socket,
                                          std::shared_ptr<asio::ssl::context> tls) {
  if (tls == nullptr) return std::make_unique<PlainTransport>(std::move(socket));
  return std::make_unique<TlsTransport>(std::move(socket), std::move(tls));
}

}  // namespace ebb::net
