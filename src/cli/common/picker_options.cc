#include "cli/common/picker_options.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "cli/common/values.h"

namespace ebb::cli {
namespace {

constexpr const char* kAllowCidr = "--picker-allow-cidr";
constexpr const char* kDenyCidr = "--picker-deny-cidr";
constexpr const char* kAllowHost = "--picker-allow-host";
constexpr const char* kAllowPort = "--picker-allow-port";
constexpr const char* kEgress = "--picker-egress";
constexpr const char* kClusterDomain = "--cluster-domain";
constexpr const char* kAnywhere = "any";
constexpr const char* kNamespace = "namespace";
constexpr const char* kCallsPerEndpoint = "--picker-calls-per-endpoint";

// Splits values that may be repeated or separated by commas.
std::vector<std::string_view> split(const std::vector<std::string>& values) {
  std::vector<std::string_view> parts;
  for (std::string_view rest : values) {
    while (true) {
      const auto comma = rest.find(',');
      parts.push_back(rest.substr(0, comma));
      if (comma == std::string_view::npos) break;
      rest.remove_prefix(comma + 1);
    }
  }
  return parts;
}

Result<std::vector<net::Cidr>> parse_cidrs(const char* option,
                                           const std::vector<std::string>& values) {
  std::vector<net::Cidr> cidrs;
  for (const std::string_view part : split(values)) {
    auto cidr = net::parse_cidr(part);
    if (!cidr) {
      return fail(ErrorCode::kUsage, fmt::format("{}: {}", option, cidr.error().message));
    }
    cidrs.push_back(*cidr);
  }
  return cidrs;
}

bool is_host_character(unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '.'; }

// Host names are case-insensitive. Leading and trailing dots are ignored: a value matches the name
// itself and all names below it.
Result<std::string> parse_host(const char* option, std::string_view text) {
  std::string_view name = text;
  if (name.starts_with('.')) name.remove_prefix(1);
  if (name.ends_with('.')) name.remove_suffix(1);
  const bool valid = !name.empty() && name.front() != '.' && name.back() != '.' &&
                     name.find("..") == std::string_view::npos &&
                     std::all_of(name.begin(), name.end(), is_host_character);
  if (!valid) {
    return fail(ErrorCode::kUsage,
                fmt::format("{}: expected a host name, or the end of one, such as "
                            "shop.svc.cluster.local, got \"{}\"",
                            option, text));
  }
  std::string host(name);
  std::transform(host.begin(), host.end(), host.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return host;
}

// Other ports need no permission.
Result<std::uint16_t> parse_control_plane_port(std::string_view text) {
  EBB_ASSIGN_OR_RETURN(auto port, parse_port(kAllowPort, text));
  const auto known =
      std::find(std::begin(net::kControlPlanePorts), std::end(net::kControlPlanePorts), port);
  if (known != std::end(net::kControlPlanePorts)) return port;
  return fail(ErrorCode::kUsage, fmt::format("{}: expected one of {}, got \"{}\"", kAllowPort,
                                             fmt::join(net::kControlPlanePorts, ", "), text));
}

}  // namespace

void PickerOptions::declare(CLI::App& app) {
  const auto add_list = [&](const char* name, std::vector<std::string>& into, const char* text) {
    app.add_option(name, into, text)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false)
        ->default_str("[]");
  };
  add_list(kAllowCidr, allow_cidrs_,
           "Addresses where pickers are allowed besides private ones: ADDRESS/BITS,...; may be "
           "repeated");
  add_list(kDenyCidr, deny_cidrs_,
           "Addresses where pickers are not allowed, whatever else is: ADDRESS/BITS,...; may be "
           "repeated");
  add_list(kAllowHost, allow_hosts_,
           "Call only pickers whose host is one of these names or below one of them: NAME,...; may "
           "be repeated");
  add_list(kAllowPort, allow_ports_,
           "Control-plane ports where pickers are allowed: any of 2379, 2380, 6443, 10250, 10255, "
           "10256, 10257 and 10259, which are otherwise denied on every address; may be repeated");
  app.add_option(kEgress, egress_,
                 "The hosts that pickers may have: any with an allowed address, or namespace for "
                 "Services of the workload's own namespace only")
      ->default_str("'any'");
  app.add_option(kClusterDomain, cluster_domain_,
                 "The DNS domain of the cluster, for --picker-egress=namespace")
      ->default_str("'cluster.local'");
  app.add_option(kCallsPerEndpoint, calls_per_endpoint_,
                 "The maximum number of requests in flight to one picker; further requests wait, "
                 "within their time budget")
      ->default_str("1000");
  app.add_flag("--picker-during-rollouts", during_rollouts_,
               "Call pickers also while a Deployment has pods of several revisions; on by default, "
               "--picker-during-rollouts=false turns it off");
}

Result<void> PickerOptions::apply(net::EgressPolicy& egress, control::PickerLimits& limits) const {
  EBB_ASSIGN_OR_RETURN(egress.allow, parse_cidrs(kAllowCidr, allow_cidrs_));
  EBB_ASSIGN_OR_RETURN(egress.deny, parse_cidrs(kDenyCidr, deny_cidrs_));
  for (const std::string_view part : split(allow_ports_)) {
    EBB_ASSIGN_OR_RETURN(auto port, parse_control_plane_port(part));
    egress.allow_ports.push_back(port);
  }
  EBB_RETURN_IF_ERROR(apply_hosts(egress));
  EBB_ASSIGN_OR_RETURN(auto calls, parse_int(kCallsPerEndpoint, calls_per_endpoint_, 1));
  limits.max_per_endpoint = static_cast<std::size_t>(calls);
  limits.during_rollouts = during_rollouts_;
  return {};
}

Result<void> PickerOptions::apply_hosts(net::EgressPolicy& egress) const {
  for (const std::string_view part : split(allow_hosts_)) {
    EBB_ASSIGN_OR_RETURN(auto host, parse_host(kAllowHost, part));
    egress.hosts.push_back(std::move(host));
  }
  if (egress_ != kAnywhere && egress_ != kNamespace) {
    return fail(ErrorCode::kUsage, fmt::format("{}: expected {} or {}, got \"{}\"", kEgress,
                                               kAnywhere, kNamespace, egress_));
  }
  egress.services_only = egress_ == kNamespace;
  EBB_ASSIGN_OR_RETURN(egress.cluster_domain, parse_host(kClusterDomain, cluster_domain_));
  return {};
}

Completion PickerOptions::complete_egress() { return {{kAnywhere, kNamespace}, false}; }

}  // namespace ebb::cli
