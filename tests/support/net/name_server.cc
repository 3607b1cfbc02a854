#include "support/net/name_server.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace ebb::support {
namespace {

constexpr std::size_t kHeaderBytes = 12;
constexpr int kTypeA = 1;
constexpr int kTypeCname = 5;
constexpr int kTypeAaaa = 28;
constexpr std::string_view kAlias = "alias:";

// As it is written in a message: each label behind its length.
std::string labels_of(std::string_view name) {
  std::string labels;
  while (!name.empty()) {
    const std::string_view label = name.substr(0, name.find('.'));
    labels += static_cast<char>(label.size());
    labels += label;
    name.remove_prefix(std::min(name.size(), label.size() + 1));
  }
  return labels + '\0';
}

// Class IN, no time to live.
std::string record(const std::string& owner, int type, const std::string& data) {
  return owner + '\0' + static_cast<char>(type) + std::string("\x00\x01\x00\x00\x00\x00\x00", 7) +
         static_cast<char>(data.size()) + data;
}

}  // namespace

NameServer::NameServer(Table table) : table_(std::move(table)) {
  socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  // To look now and then whether it is over.
  const timeval patience{.tv_sec = 0, .tv_usec = 20'000};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(socket_, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
      getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the name server cannot listen");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { run(); });
}

NameServer::~NameServer() {
  stopping_ = true;
  thread_.join();
  close(socket_);
}

std::string NameServer::address() const { return fmt::format("127.0.0.1:{}", port_); }

void NameServer::run() {
  std::array<char, 1500> buffer{};
  while (!stopping_) {
    sockaddr_in from{};
    socklen_t size = sizeof from;
    const ssize_t count = recvfrom(socket_, buffer.data(), buffer.size(), 0,
                                   reinterpret_cast<sockaddr*>(&from), &size);
    if (count <= static_cast<ssize_t>(kHeaderBytes)) continue;
    ++questions_;
    const auto text = answer(std::string(buffer.data(), static_cast<std::size_t>(count)));
    if (!text) continue;
    sendto(socket_, text->data(), text->size(), 0, reinterpret_cast<sockaddr*>(&from), size);
  }
}

std::optional<std::string> NameServer::answer(const std::string& question) {
  std::string name;
  std::size_t at = kHeaderBytes;
  while (at < question.size() && question[at] != '\0') {
    const std::size_t length = static_cast<unsigned char>(question[at]);
    if (!name.empty()) name += '.';
    name += question.substr(at + 1, length);
    at += length + 1;
  }
  const std::size_t end = at + 5;
  if (end > question.size()) return std::nullopt;
  const int type = static_cast<unsigned char>(question[end - 3]);
  const auto addresses = table_(name);
  if (!addresses) return std::nullopt;
  std::string records;
  std::size_t count = 0;
  std::string owner = "\xc0\x0c";  // the name of the question
  for (const std::string& text : *addresses) {
    if (text.starts_with(kAlias)) {
      const std::string target = labels_of(std::string_view(text).substr(kAlias.size()));
      records += record(owner, kTypeCname, target);
      owner = target;
      ++count;
      continue;
    }
    const net::IpAddress address = net::parse_ip(text).value();
    if (type != (address.v4 ? kTypeA : kTypeAaaa)) continue;
    const std::size_t first = address.v4 ? 12 : 0;
    records += record(owner, type,
                      std::string(address.bytes.begin() + static_cast<std::ptrdiff_t>(first),
                                  address.bytes.end()));
    ++count;
  }
  std::string text = question.substr(0, 2) + "\x81";
  text += addresses->empty() ? '\x83' : '\x80';  // no such name, or no error
  text += std::string("\x00\x01\x00", 3) + static_cast<char>(count) + std::string(4, '\0');
  return text + question.substr(kHeaderBytes, end - kHeaderBytes) + records;
}

}  // namespace ebb::support
