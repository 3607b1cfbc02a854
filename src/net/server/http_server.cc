#include "net/server/http_server.h"

#include <algorithm>
#include <list>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <fmt/format.h>

#include "base/check.h"
#include "base/mutex.h"
#include "net/server/connection_limits.h"
#include "net/server/http_session.h"
#include "net/tls/tls_context.h"

namespace ebb::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// The pause when the system has no file descriptor for another connection.
constexpr std::chrono::milliseconds kAcceptPause{100};

// Clients that have already disconnected share one address.
IpAddress peer_of(const tcp::socket& socket) {
  boost::system::error_code error;
  const asio::ip::address address = socket.remote_endpoint(error).address();
  IpAddress peer;
  if (error) return peer;
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    std::copy(bytes.begin(), bytes.end(), peer.bytes.end() - bytes.size());
    peer.v4 = true;
  } else {
    peer.bytes = address.to_v6().to_bytes();
  }
  return net::peer_of(peer);
}

}  // namespace

struct HttpServer::Impl {
  Impl(HttpServerSettings wanted, HttpHandler& with)
      : settings(std::move(wanted)),
        handler(with),
        io(std::make_shared<asio::io_context>(settings.threads)),
        acceptor(asio::make_strand(*io)),
        pause(acceptor.get_executor()),
        work(asio::make_work_guard(*io)) {}

  [[nodiscard]] Result<void> use_certificate(const KeyPair& pair);
  [[nodiscard]] Result<void> listen();
  void accept();
  void serve(tcp::socket socket);
  [[nodiscard]] bool admit(const IpAddress& peer);
  void run();
  void stop();
  [[nodiscard]] std::vector<std::shared_ptr<HttpSession>> living();

  const HttpServerSettings settings;
  HttpHandler& handler;
  std::shared_ptr<asio::io_context> io;
  tcp::acceptor acceptor;
  asio::steady_timer pause;
  asio::executor_work_guard<asio::io_context::executor_type> work;
  std::vector<std::thread> threads;
  std::uint16_t port = 0;

  Mutex mutex;  // held for moments only
  ConditionVariable closed;
  struct Connection {
    std::weak_ptr<HttpSession> session{};
    bool evicted = false;  // being cut off; its slot is already taken
  };
  std::list<Connection> sessions EBB_GUARDED_BY(mutex);
  bool stopping EBB_GUARDED_BY(mutex) = false;
  std::shared_ptr<asio::ssl::context> tls EBB_GUARDED_BY(mutex);
};

Result<void> HttpServer::Impl::use_certificate(const KeyPair& pair) {
  EBB_ASSIGN_OR_RETURN(auto made, make_tls_context(pair));
  auto context = std::make_shared<asio::ssl::context>(std::move(made));
  const MutexLock lock(mutex);
  tls = std::move(context);
  return {};
}

Result<void> HttpServer::Impl::listen() {
  if (settings.tls) {
    EBB_RETURN_IF_ERROR(use_certificate(*settings.tls));
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

void HttpServer::Impl::accept() {
  // Each connection has its own strand, on which its socket completes.
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

bool HttpServer::Impl::admit(const IpAddress& peer) {
  std::shared_ptr<HttpSession> evicted;
  {
    const MutexLock lock(mutex);
    const bool may_be_full = sessions.size() >= settings.connections;
    if (!may_be_full && settings.connections_per_peer == 0) return true;
    // Cutting off takes a moment; connections that wait for it are bounded, too.
    if (sessions.size() >= 2 * settings.connections) return false;
    std::vector<OpenConnection> open;
    std::vector<std::pair<Connection*, std::shared_ptr<HttpSession>>> connections;
    open.reserve(sessions.size());
    connections.reserve(sessions.size());
    for (Connection& connection : sessions) {
      auto session = connection.evicted ? nullptr : connection.session.lock();
      if (session == nullptr) continue;
      open.push_back(session->standing());
      connections.emplace_back(&connection, std::move(session));
    }
    const Room room = make_room(open, peer,
                                {.total = settings.connections,
                                 .per_peer = settings.connections_per_peer,
                                 .evict_answering = settings.evict_answering});
    if (!room.admitted) return false;
    if (room.evicted) {
      connections[*room.evicted].first->evicted = true;
      evicted = std::move(connections[*room.evicted].second);
    }
  }
  // Not under the mutex: it may call back at once.
  if (evicted) evicted->cut();
  return true;
}

void HttpServer::Impl::serve(tcp::socket socket) {
  boost::system::error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  const asio::any_io_executor strand = socket.get_executor();
  const IpAddress peer = peer_of(socket);
  if (!admit(peer)) return;  // closes the socket
  const MutexLock lock(mutex);
  if (stopping) return;
  const auto place = sessions.emplace(sessions.end());
  auto session = std::make_shared<HttpSession>(io, strand, make_transport(std::move(socket), tls),
                                               settings, handler, peer, [this, place] {
                                                 const MutexLock again(mutex);
                                                 sessions.erase(place);
                                                 closed.notify_all();
                                               });
  place->session = session;
  session->start();
}

void HttpServer::Impl::run() {
  threads.reserve(static_cast<std::size_t>(settings.threads));
  for (int i = 0; i < settings.threads; ++i) {
    threads.emplace_back([this] { io->run(); });
  }
}

std::vector<std::shared_ptr<HttpSession>> HttpServer::Impl::living() {
  const MutexLock lock(mutex);
  std::vector<std::shared_ptr<HttpSession>> result;
  for (const Connection& connection : sessions) {
    if (auto alive = connection.session.lock()) result.push_back(std::move(alive));
  }
  return result;
}

void HttpServer::Impl::stop() {
  {
    const MutexLock lock(mutex);
    if (std::exchange(stopping, true)) return;
  }
  asio::post(acceptor.get_executor(), [this] {
    boost::system::error_code ignored;
    acceptor.close(ignored);
    pause.cancel();
  });
  for (const auto& session : living()) session->finish_soon();
  {
    const auto end = std::chrono::steady_clock::now() + settings.stop_time;
    const MutexLock lock(mutex);
    while (!sessions.empty() && closed.wait_until(mutex, end)) {
    }
  }
  for (const auto& session : living()) session->cut();
  {
    const MutexLock lock(mutex);
    while (!sessions.empty()) closed.wait(mutex);
  }
  work.reset();
  io->stop();
  for (std::thread& thread : threads) thread.join();
  // Handlers of cut-off connections still have to run; they hold the sessions.
  io->restart();
  io->poll();
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() { stop(); }

Result<std::unique_ptr<HttpServer>> HttpServer::start(HttpServerSettings settings,
                                                      HttpHandler& handler) {
  auto impl = std::make_unique<Impl>(std::move(settings), handler);
  EBB_RETURN_IF_ERROR(impl->listen());
  impl->accept();
  impl->run();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

std::uint16_t HttpServer::port() const { return impl_->port; }
Result<void> HttpServer::replace_certificate(const KeyPair& pair) {
  EBB_CHECK(impl_->settings.tls.has_value());
  return impl_->use_certificate(pair);
}
void HttpServer::stop() { impl_->stop(); }

}  // namespace ebb::net
