#include "net/server/listening.h"

#include <charconv>
#include <chrono>
#include <cstdint>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace ebb::net {

namespace asio = boost::asio;

bool is_listening(std::string_view address_and_port) {
  const std::size_t colon = address_and_port.rfind(':');
  if (colon == std::string_view::npos) return false;
  std::string_view host = address_and_port.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  const std::string_view digits = address_and_port.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  boost::system::error_code error;
  const asio::ip::address address = asio::ip::make_address(host, error);
  if (error || wrong != std::errc() || end != digits.data() + digits.size()) return false;

  asio::io_context context;
  asio::ip::tcp::socket socket(context);
  bool connected = false;
  socket.async_connect({address, port},
                       [&](boost::system::error_code outcome) { connected = !outcome; });
  context.run_for(std::chrono::milliseconds(500));
  return connected;
}

}  // namespace ebb::net
