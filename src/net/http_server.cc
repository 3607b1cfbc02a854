#include "net/http_server.h"

#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <fmt/format.h>

#include "net/http_session.h"
#include "net/ip_address.h"
#include "net/tls_context.h"

namespace ebb::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// How long to wait when the system has no file descriptor for another connection.
constexpr std::chrono::milliseconds kAcceptPause{100};

// Who cannot be told from others is taken for one of them.
bool comes_from_loopback(const tcp::socket& socket) {
  boost::system::error_code error;
  const tcp::endpoint peer = socket.remote_endpoint(error);
  if (error) return false;
  const auto address = parse_ip(peer.address().to_string());
  return address && is_loopback(*address);
}

}  // namespace

struct HttpServer::Parts {
  Parts(HttpServerSettings wanted, HttpHandler& with)
      : settings(std::move(wanted)),
        handler(with),
        io(std::make_shared<asio::io_context>(settings.threads)),
        acceptor(asio::make_strand(*io)),
        pause(acceptor.get_executor()),
        work(asio::make_work_guard(*io)) {}

  [[nodiscard]] Result<void> listen();
  void accept();
  void serve(tcp::socket socket);
  void run();
  void stop();
  [[nodiscard]] std::vector<std::shared_ptr<HttpSession>> living();

  const HttpServerSettings settings;
  HttpHandler& handler;
  std::optional<asio::ssl::context> tls;
  std::shared_ptr<asio::io_context> io;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  std::vector<std::thread> threads;
  std::uint16_t port = 0;

  std::mutex mutex;  // of what follows; held for moments only
  std::condition_variable closed;
  std::list<std::weak_ptr<HttpSession>> sessions;
  bool stopping = false;
};

Result<void> HttpServer::Parts::listen() {
  if (settings.tls) {
    auto context = make_tls_context(*settings.tls);
    if (!context) return propagate(context);
    tls.emplace(std::move(*context));
  }
  boost::system::error_code error;
  const auto address = asio::ip::make_address(settings.address, error);
  if (error) {
    return fail(ErrorCode::kInvalidInput,
                fmt::format("cannot listen on \"{}\": not an IP address", settings.address));
  }
  const tcp::endpoint endpoint(address, settings.port);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (!error) port = acceptor.local_endpoint(error).port();
  if (!error) return {};
  const bool in_use = error == asio::error::address_in_use;
  const bool brackets = address.is_v6();
  return tl::unexpected(Error{ErrorCode::kIo,
                              fmt::format("cannot listen on {}{}{}:{}: {}", brackets ? "[" : "",
                                          address.to_string(), brackets ? "]" : "", settings.port,
                                          in_use ? "the port is in use" : error.message()),
                              in_use});
}

void HttpServer::Parts::accept() {
  // Each connection has a strand of its own, on which its socket completes.
  acceptor.async_accept(
      asio::any_io_executor(asio::make_strand(*io)),
      [this](boost::system::error_code error, asio::basic_stream_socket<tcp> socket) {
        if (error == asio::error::operation_aborted || !acceptor.is_open()) return;
        if (!error) {
          serve(std::move(socket));
          return accept();
        }
        pause.expires_after(kAcceptPause);
        pause.async_wait([this](boost::system::error_code cancelled) {
          if (!cancelled && acceptor.is_open()) accept();
        });
      });
}

void HttpServer::Parts::serve(tcp::socket socket) {
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  const asio::any_io_executor strand = socket.get_executor();
  const bool from_loopback = comes_from_loopback(socket);
  const std::unique_lock<std::mutex> lock(mutex);
  if (stopping || sessions.size() >= settings.connections) return;  // closes the socket
  const auto place = sessions.emplace(sessions.end());
  auto session = std::make_shared<HttpSession>(
      io, strand, make_transport(std::move(socket), tls ? &*tls : nullptr), settings, handler,
      from_loopback, [this, place] {
        const std::unique_lock<std::mutex> again(mutex);
        sessions.erase(place);
        closed.notify_all();
      });
  *place = session;
  session->start();
}

void HttpServer::Parts::run() {
  threads.reserve(static_cast<std::size_t>(settings.threads));
  for (int i = 0; i < settings.threads; ++i) {
    threads.emplace_back([this] { io->run(); });
  }
}

std::vector<std::shared_ptr<HttpSession>> HttpServer::Parts::living() {
  const std::unique_lock<std::mutex> lock(mutex);
  std::vector<std::shared_ptr<HttpSession>> result;
  for (const auto& session : sessions) {
    if (auto alive = session.lock()) result.push_back(std::move(alive));
  }
  return result;
}

void HttpServer::Parts::stop() {
  {
    const std::unique_lock<std::mutex> lock(mutex);
    if (std::exchange(stopping, true)) return;
  }
  asio::post(acceptor.get_executor(), [this] {
    boost::system::error_code ignored;
    acceptor.close(ignored);
    pause.cancel();
  });
  for (const auto& session : living()) session->finish_soon();
  const auto empty = [this] { return sessions.empty(); };
  {
    std::unique_lock<std::mutex> lock(mutex);
    closed.wait_for(lock, settings.stop_time, empty);
  }
  for (const auto& session : living()) session->cut();
  {
    std::unique_lock<std::mutex> lock(mutex);
    closed.wait(lock, empty);
  }
  work.reset();
  io->stop();
  for (std::thread& thread : threads) thread.join();
  // What was cut off still has to be told; it holds the sessions.
  io->restart();
  io->poll();
}

HttpServer::HttpServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
HttpServer::~HttpServer() { stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::start(HttpServerSettings settings,
                                                      HttpHandler& handler) {
  auto parts = std::make_unique<Parts>(std::move(settings), handler);
  if (auto listening = parts->listen(); !listening) return propagate(listening);
  parts->accept();
  parts->run();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(parts)));
}

std::uint16_t HttpServer::port() const { return parts_->port; }
void HttpServer::stop() { parts_->stop(); }

}  // namespace ebb::net
