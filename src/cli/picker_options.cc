#include "cli/picker_options.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "cli/values.h"

namespace ebb::cli {
namespace {

constexpr const char* kAllowCidr = "--picker-allow-cidr";
constexpr const char* kDenyCidr = "--picker-deny-cidr";
constexpr const char* kAllowHost = "--picker-allow-host";
constexpr const char* kCallsPerEndpoint = "--picker-calls-per-endpoint";

// The parts of values that are given one by one, or several behind commas.
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

// Host names have no case. A dot before or behind means nothing: what stands here is a name and
// everything below it.
Result<std::string> parse_host(std::string_view text) {
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
                            kAllowHost, text));
  }
  std::string host(name);
  std::transform(host.begin(), host.end(), host.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return host;
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
           "Addresses that pickers may also be at, besides private ones: ADDRESS/BITS,...; may be "
           "repeated");
  add_list(kDenyCidr, deny_cidrs_,
           "Addresses that pickers must not be at, whatever else is allowed: ADDRESS/BITS,...; may "
           "be repeated");
  add_list(kAllowHost, allow_hosts_,
           "Ask only pickers whose host is one of these names, or ends in one: NAME,...; may be "
           "repeated");
  app.add_option(kCallsPerEndpoint, calls_per_endpoint_,
                 "How many questions may be under way to one picker; more wait, and that counts as "
                 "their time")
      ->default_str("1000");
  app.add_flag("--picker-during-rollouts", during_rollouts_,
               "Ask pickers also while a Deployment has pods of several revisions; on, unless "
               "--picker-during-rollouts=false");
}

Result<void> PickerOptions::apply(net::EgressPolicy& egress, control::PickerLimits& limits) const {
  auto allow = parse_cidrs(kAllowCidr, allow_cidrs_);
  if (!allow) return propagate(allow);
  egress.allow = std::move(*allow);
  auto deny = parse_cidrs(kDenyCidr, deny_cidrs_);
  if (!deny) return propagate(deny);
  egress.deny = std::move(*deny);
  for (const std::string_view part : split(allow_hosts_)) {
    auto host = parse_host(part);
    if (!host) return propagate(host);
    egress.hosts.push_back(std::move(*host));
  }
  auto calls = parse_int(kCallsPerEndpoint, calls_per_endpoint_, 1);
  if (!calls) return propagate(calls);
  limits.most_per_endpoint = static_cast<std::size_t>(*calls);
  limits.during_rollouts = during_rollouts_;
  return {};
}

}  // namespace ebb::cli
