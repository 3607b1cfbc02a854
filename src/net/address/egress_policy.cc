#include "net/address/egress_policy.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/check.h"

namespace ebb::net {
namespace {

// No flag lifts these. Each is either never a picker, or an IPv4 address in disguise that could
// bypass the rules for IPv4.
constexpr std::string_view kNever[] = {
    "0.0.0.0/8",        // "this" network: to Linux another way to write loopback
    "169.254.0.0/16",   // link-local, the metadata address of most clouds
    "192.0.0.0/24",     // protocol assignments, including 192.0.0.192 (metadata)
    "192.0.2.0/24",     // documentation
    "192.88.99.0/24",   // 6to4 relays
    "198.51.100.0/24",  // documentation
    "203.0.113.0/24",   // documentation
    "224.0.0.0/4",      // multicast
    "240.0.0.0/4",      // reserved, and broadcast
    // Metadata services and the like outside of link-local ranges.
    "100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::/32", "fd20:ce::254/128",
    "fd00:c1::a9fe:a9fe/128", "fd00:42::42/128", "fd00:a9fe:a9fe::1/128", "fd00:100::100:200/128",
    // Encodings of IPv4 in IPv6. The first includes :: and ::1; allows() handles ::1.
    "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32",
    "2002::/16",
    "100::/64",       // discarded
    "2001:2::/48",    // benchmarks
    "2001:10::/28",   // identifiers, not addresses (ORCHID)
    "2001:20::/28",   // the same, version 2
    "2001:db8::/32",  // documentation
    "3fff::/20",      // documentation
    "5f00::/16",      // segment routing
    "fe80::/10",      // link-local
    "fec0::/10",      // site-local (deprecated)
    "ff00::/8",       // multicast
};

constexpr std::string_view kLoopback[] = {"127.0.0.0/8", "::1/128"};

// The ranges of Services, pods and nodes.
constexpr std::string_view kPrivate[] = {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",
                                         "100.64.0.0/10", "fc00::/7"};

std::vector<Cidr> parse_all(std::span<const std::string_view> texts) {
  std::vector<Cidr> blocks;
  for (const std::string_view text : texts) {
    const auto block = parse_cidr(text);
    EBB_CHECK(block.has_value());
    blocks.push_back(*block);
  }
  return blocks;
}

bool any_contains(const std::vector<Cidr>& blocks, const IpAddress& address) {
  return std::any_of(blocks.begin(), blocks.end(),
                     [&](const Cidr& block) { return block.contains(address); });
}

// The interface part is 0000:5efe or 0200:5efe and an IPv4 address, after any prefix.
bool is_isatap(const IpAddress& address) {
  const auto& bytes = address.bytes;
  return !address.v4 && (bytes[8] == 0 || bytes[8] == 2) && bytes[9] == 0 && bytes[10] == 0x5e &&
         bytes[11] == 0xfe;
}

bool is_control_plane(std::uint16_t port) {
  return std::find(std::begin(kControlPlanePorts), std::end(kControlPlanePorts), port) !=
         std::end(kControlPlanePorts);
}

std::string_view without_dot(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  return host;
}

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_names(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return small(x) == small(y); });
}

// Whether the host equals the name or is a subdomain of it.
bool is_below(std::string_view host, std::string_view name) {
  if (host.size() == name.size()) return equal_names(host, name);
  if (host.size() < name.size() + 1) return false;
  const std::size_t start = host.size() - name.size();
  return host[start - 1] == '.' && equal_names(host.substr(start), name);
}

}  // namespace

bool EgressPolicy::allows_host(std::string_view host) const {
  if (hosts.empty()) return true;
  const std::string_view asked = without_dot(host);
  return std::any_of(hosts.begin(), hosts.end(), [&](std::string_view name) {
    name = without_dot(name);
    // ".example.org" is a common way to write the same.
    if (name.starts_with('.')) name.remove_prefix(1);
    return !name.empty() && is_below(asked, name);
  });
}

EgressPolicy::Verdict EgressPolicy::judge(const IpAddress& address, std::uint16_t port) const {
  if (closed) return Verdict::kClosed;
  static const std::vector<Cidr> kNeverBlocks = parse_all(kNever);
  static const std::vector<Cidr> kLoopbackBlocks = parse_all(kLoopback);
  static const std::vector<Cidr> kPrivateBlocks = parse_all(kPrivate);
  if (any_contains(deny, address)) return Verdict::kDenied;
  const bool on_loopback = any_contains(kLoopbackBlocks, address);
  if (!on_loopback && (any_contains(kNeverBlocks, address) || is_isatap(address))) {
    return Verdict::kNever;
  }
  if (std::find(own.begin(), own.end(), address) != own.end()) return Verdict::kOwn;
  if (on_loopback && std::find(own_ports.begin(), own_ports.end(), port) != own_ports.end()) {
    return Verdict::kOwn;
  }
  if (is_control_plane(port) &&
      std::find(allow_ports.begin(), allow_ports.end(), port) == allow_ports.end()) {
    return Verdict::kPort;
  }
  const auto by_default = [](bool allowed) {
    return allowed ? Verdict::kAllowed : Verdict::kNotAllowed;
  };
  if (!on_loopback) {
    return by_default(any_contains(allow, address) || any_contains(kPrivateBlocks, address));
  }
  // A rule that allows all public addresses does not include the controller's own machine.
  return by_default(loopback || std::any_of(allow.begin(), allow.end(), [&](const Cidr& block) {
                      return block.contains(address) &&
                             any_contains(kLoopbackBlocks, block.address);
                    }));
}

std::string EgressPolicy::refusal(const IpAddress& address, std::uint16_t port) const {
  const std::string shown = to_string(address);
  switch (judge(address, port)) {
    case Verdict::kAllowed:
      return shown + " is allowed";
    case Verdict::kDenied:
      return shown + " is denied (--picker-deny-cidr)";
    case Verdict::kNever:
      return shown + " is never allowed";
    case Verdict::kOwn:
      return shown + " is an address of the API server or the controller, which is never allowed";
    case Verdict::kPort:
      return fmt::format("{}: port {} belongs to the control plane (--picker-allow-port)", shown,
                         port);
    case Verdict::kClosed:
      return shown + " may be an address of the API server: its addresses are not known";
    case Verdict::kNotAllowed:
      break;
  }
  return shown + " is not allowed (--picker-allow-cidr)";
}

}  // namespace ebb::net
