// The addresses that tenant-configured calls may connect to.
//
// Pure: an address in, a verdict out. The dialer checks right before connecting, with the actual
// address, so that a name that resolves differently a moment later gains nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/address/ip_address.h"

namespace ebb::net {

// Ports of kubelets, kube-proxy, etcd, API servers, schedulers and controller managers. They are
// denied on every address: a picker must not be a way to send requests there from the controller.
inline constexpr std::uint16_t kControlPlanePorts[] = {2379,  2380,  6443,  10250,
                                                       10255, 10256, 10257, 10259};

struct EgressPolicy {
  // Allows addresses that are denied by default: loopback and public ones. It does not lift what is
  // always denied (unspecified, multicast, broadcast, link-local, metadata, IPv4 hidden in IPv6,
  // `own`), nor the control-plane ports.
  std::vector<Cidr> allow{};
  std::vector<Cidr> deny{};  // takes precedence over `allow` and everything else
  // If not empty, only hosts that equal one of these names, or are subdomains of one, are called.
  // Addresses are checked in any case.
  std::vector<std::string> hosts{};
  std::vector<IpAddress> own{};  // addresses of the API server and of this process
  // Ports of this process on loopback, where other listeners may be allowed.
  std::vector<std::uint16_t> own_ports{};
  bool loopback = false;                     // in `ebb up`
  std::vector<std::uint16_t> allow_ports{};  // control-plane ports to allow
  // Only Services of the workload's own namespace are called (service_host.h), by their full names.
  bool services_only = false;
  std::string cluster_domain = "cluster.local";  // the suffix of those names
  // No calls at all: this process' own addresses are unknown.
  bool closed = false;

  [[nodiscard]] bool allows_host(std::string_view host) const;
  [[nodiscard]] bool allows(const IpAddress& address, std::uint16_t port) const {
    return judge(address, port) == Verdict::kAllowed;
  }
  // Why an address is not allowed, for operators: `127.0.0.1 is not allowed (--picker-allow-cidr)`.
  // Only for an address that is not allowed.
  [[nodiscard]] std::string refusal(const IpAddress& address, std::uint16_t port) const;

 private:
  enum class Verdict : std::uint8_t {
    kAllowed,
    kDenied,      // by `deny`
    kNever,       // regardless of flags
    kOwn,         // regardless of flags
    kNotAllowed,  // by default
    kPort,        // likewise
    kClosed,
  };
  [[nodiscard]] Verdict judge(const IpAddress& address, std::uint16_t port) const;
};

}  // namespace ebb::net
