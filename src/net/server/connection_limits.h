// Chooses the connection that a full server closes for a new one.
//
// A server that rejects new connections while it is full can be silenced by a client that opens
// many and sends nothing. So a new connection replaces an old one, and clients that hold many
// connections lose theirs first: a client with one short request is always served.
#pragma once  // private to its room

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "net/address/ip_address.h"

namespace ebb::net {

// In the order of eviction.
enum class ConnectionPhase : std::uint8_t {
  kIdle,       // between two requests, or closing: the client loses no request
  kReceiving,  // in its TLS handshake, or its request is incomplete
  kAnswering,  // its request is being handled, or the response is being written
};

struct OpenConnection {
  IpAddress peer{};
  ConnectionPhase phase = ConnectionPhase::kReceiving;
  // When it became idle; in the other phases, when it was accepted. A client cannot rejuvenate its
  // connection by sending a byte now and then, or a quick request.
  std::int64_t since_ns = 0;
};

struct ConnectionLimits {
  std::size_t total = 0;
  std::size_t per_peer = 0;      // 0: no limit of its own
  bool evict_answering = false;  // if nothing else can be evicted
};

struct Room {
  bool admitted = true;
  std::optional<std::size_t> evicted{};  // an index into `open`
};

// Whether a connection of `newcomer` is admitted, and which one it replaces. A peer at its own
// limit loses one of its own connections. Otherwise, if the server is full, the peer with the most
// connections loses one.
[[nodiscard]] Room make_room(std::span<const OpenConnection> open, const IpAddress& newcomer,
                             const ConnectionLimits& limits);

// The address by which a peer's connections are counted: for IPv4 the address, even if a dual-stack
// socket writes it as IPv6; for IPv6 the /64 network, which one host can have to itself.
[[nodiscard]] IpAddress peer_of(const IpAddress& address);

}  // namespace ebb::net
