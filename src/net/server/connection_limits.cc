#include "net/server/connection_limits.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace ebb::net {
namespace {

using PeerKey = std::pair<bool, std::array<std::uint8_t, 16>>;

PeerKey key_of(const IpAddress& address) { return {address.v4, address.bytes}; }

// The first connection to evict among those for which `counts` holds.
template <class Counts>
std::optional<std::size_t> first_to_go(std::span<const OpenConnection> open,
                                       const ConnectionLimits& limits, Counts counts) {
  std::optional<std::size_t> found;
  const auto rank = [&](std::size_t i) { return std::pair(open[i].phase, open[i].since_ns); };
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (open[i].phase == ConnectionPhase::kAnswering && !limits.evict_answering) continue;
    if (!counts(open[i])) continue;
    if (!found || rank(i) < rank(*found)) found = i;
  }
  return found;
}

Room place_of(std::optional<std::size_t> evicted) {
  return {.admitted = evicted.has_value(), .evicted = evicted};
}

}  // namespace

Room make_room(std::span<const OpenConnection> open, const IpAddress& newcomer,
               const ConnectionLimits& limits) {
  const auto is_own = [&](const OpenConnection& one) { return one.peer == newcomer; };
  if (limits.per_peer > 0 && static_cast<std::size_t>(std::count_if(open.begin(), open.end(),
                                                                    is_own)) >= limits.per_peer) {
    return place_of(first_to_go(open, limits, is_own));
  }
  if (open.size() < limits.total) return {};
  std::map<PeerKey, std::size_t> counts;
  for (const OpenConnection& one : open) ++counts[key_of(one.peer)];
  ++counts[key_of(newcomer)];
  std::size_t most = 0;
  for (const auto& [peer, count] : counts) most = std::max(most, count);
  const auto in_crowd = [&](const OpenConnection& one) { return counts[key_of(one.peer)] == most; };
  if (const auto found = first_to_go(open, limits, in_crowd)) return place_of(found);
  return place_of(first_to_go(open, limits, [](const OpenConnection&) { return true; }));
}

IpAddress peer_of(const IpAddress& address) {
  constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  IpAddress peer = address;
  if (peer.v4) return peer;
  if (std::equal(kMapped.begin(), kMapped.end(), peer.bytes.begin())) {
    std::fill_n(peer.bytes.begin(), kMapped.size(), std::uint8_t{0});
    peer.v4 = true;
    return peer;
  }
  constexpr std::ptrdiff_t kNetworkBytes = 8;
  std::fill(peer.bytes.begin() + kNetworkBytes, peer.bytes.end(), std::uint8_t{0});
  return peer;
}

}  // namespace ebb::net
