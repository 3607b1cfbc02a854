#include "pickerclient/engine.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/check.h"
#include "net/address/descriptors.h"
#include "net/address/service_host.h"
#include "net/address/steady_clock.h"
#include "net/client/curl_loop.h"
#include "pickerclient/common.h"
#include "pickerclient/host_name.h"
#include "pickerclient/protocol.h"
#include "pickerclient/tls_material.h"

namespace ebb::picker_client {
namespace {

using net::steady_now_ns;
using picker::Outcome;
using picker::Reply;

constexpr Nanoseconds kLongestWaitNs = 3600 * kNanosecondsPerSecond;
// Per name; further addresses are not tried.
constexpr std::size_t kMaxAddresses = 8;
constexpr std::size_t kKeptConnections = 256;
constexpr Nanoseconds kKeptNs = 30 * kNanosecondsPerSecond;

// Leaves room for the API server's connections and for files.
std::size_t count_places(std::size_t wanted) {
  constexpr std::size_t kForOthers = 1024;
  const std::size_t limit = net::raise_descriptor_limit();
  return std::min(wanted, limit > 2 * kForOthers ? limit - kForOthers : limit / 2);
}

Reply refused(std::string detail, bool repeatable) {
  return {.outcome = Outcome::kRefused, .repeatable = repeatable, .detail = std::move(detail)};
}

// The picker was not called.
Reply bad_settings(std::string detail) {
  return {.outcome = Outcome::kBadSettings, .asked = false, .detail = std::move(detail)};
}

Reply too_late(std::string detail) {
  return {.outcome = Outcome::kTimeout, .detail = std::move(detail)};
}

bool has_certificates(const picker::Call& call) {
  return call.settings->tls && !(call.settings->ca_pem.empty() && call.certificate_pem.empty());
}

// Whether another address of the same name may work.
bool may_try_next(const net::HttpReply& reply) {
  using Reason = net::HttpReply::Reason;
  return reply.failure == net::HttpReply::Failure::kNotSent &&
         (reply.reason == Reason::kNoConnection || reply.reason == Reason::kTimeout ||
          reply.reason == Reason::kForbidden);
}

}  // namespace

Engine::Engine(PickerClientSettings settings, PickerClient::Done done)
    : settings_(std::move(settings)),
      done_(std::move(done)),
      dialer_(settings_.egress, settings_.dialer ? *settings_.dialer : system_dialer_),
      resolver_(settings_.resolver ? settings_.resolver : net::make_resolver({})),
      client_({.http2 = true,
               .kept_connections = kKeptConnections,
               .kept_ns = kKeptNs,
               .small_buffers = true,
               .max_total_bytes = settings_.max_total_answer_bytes,
               .dialer = &dialer_}),
      places_(count_places(settings_.max_calls)) {
  if (resolver_->descriptor() >= 0) client_.watch(resolver_->descriptor());
}

void Engine::ask(picker::Call call, Nanoseconds deadline_ns) {
  const CallId id = call.id;
  waiting_.join(call.tenant, id);
  const auto [place, is_new] =
      pending_calls_.emplace(id, PendingCall{.call = std::move(call), .deadline_ns = deadline_ns});
  EBB_CHECK(is_new);
  deadlines_.emplace(deadline_ns, id);
}

void Engine::withdraw(CallId id) { forget(id); }

void Engine::poll() {
  expire();
  const bool more_to_start = start_waiting();
  Nanoseconds wait_ns = std::min(check_connections(), resolver_->due_in_ns());
  if (more_to_start) wait_ns = 0;
  if (!deadlines_.empty()) {
    wait_ns = std::min(wait_ns, deadlines_.begin()->first - steady_now_ns());
  }
  client_.poll(std::max<Nanoseconds>(wait_ns, 0));
  resolver_->work();
}

// Curl closes old connections only when it opens others.
Nanoseconds Engine::check_connections() {
  const Nanoseconds now_ns = steady_now_ns();
  if (in_flight_ > 0) {
    idle_since_ns_ = now_ns;
    has_connections_ = true;
  }
  if (in_flight_ > 0 || !has_connections_) return kLongestWaitNs;
  const Nanoseconds left_ns = idle_since_ns_ + kKeptNs - now_ns;
  if (left_ns > 0) return left_ns;
  client_.close_idle();
  has_connections_ = false;
  return kLongestWaitNs;
}

// A tenant may hold at most as many slots as remain free, so that there is always one for a new
// tenant.
//
// Only one call with certificates starts at a time: they are parsed twice, here and by curl, which
// takes up to ten milliseconds. Meanwhile the calls of other tenants must go on.
bool Engine::start_waiting() {
  while (in_flight_ < places_) {
    const auto id = waiting_.next([this](const std::string& tenant) {
      const auto held = places_of_.find(tenant);
      return held == places_of_.end() || held->second < places_ - in_flight_;
    });
    if (!id) return false;
    PendingCall& pending = pending_calls_.at(*id);
    ++in_flight_;
    ++places_of_[pending.call.tenant];
    const bool takes_long = has_certificates(pending.call);
    start(*id, pending);
    if (takes_long) return true;
  }
  return false;
}

void Engine::start(CallId id, PendingCall& pending) {
  const picker::Settings& settings = *pending.call.settings;
  pending.stage = Stage::kResolving;
  if (!settings_.egress.allows_host(settings.host)) {
    return finish(id, refused("the host is not allowed (--picker-allow-host)", false));
  }
  if (!is_sendable(pending.call)) {
    return finish(id, refused("the path or a header is invalid", false));
  }
  if (auto checked = check_tls_material(pending.call, net::wall_now()); !checked) {
    return finish(id, bad_settings(std::move(checked.error().message)));
  }
  find_addresses(id, pending);
}

void Engine::find_addresses(CallId id, const PendingCall& pending) {
  const std::string& host = pending.call.settings->host;
  const auto done = [this, id](const Result<std::vector<net::IpAddress>>& found) {
    resolved(id, found);
  };
  if (settings_.egress.services_only) {
    const auto service =
        net::service_host(host, pending.call.tenant, settings_.egress.cluster_domain);
    if (service) return resolver_->resolve_exactly(*service, done);
    return finish(id, refused("the host is not a Service of the workload's namespace "
                              "(--picker-egress=namespace)",
                              false));
  }
  if (const auto literal = net::parse_ip(host)) {
    return resolved(id, std::vector<net::IpAddress>{*literal});
  }
  if (!is_host_name(host)) return finish(id, refused("the host is not a valid name", false));
  resolver_->resolve(host, done);
}

void Engine::resolved(CallId id, const Result<std::vector<net::IpAddress>>& addresses) {
  const auto found = pending_calls_.find(id);
  // It was cancelled, or its time ran out.
  if (found == pending_calls_.end()) return;
  if (!addresses) return finish(id, refused("no address: " + addresses.error().message, true));
  PendingCall& pending = found->second;
  for (const net::IpAddress& address : *addresses) {
    if (pending.addresses.size() < kMaxAddresses &&
        settings_.egress.allows(address, pending.call.settings->port)) {
      pending.addresses.push_back(address);
    }
  }
  if (pending.addresses.empty()) {
    return finish(id, refused(describe_refusals(*addresses, pending.call.settings->port), false));
  }
  std::reverse(pending.addresses.begin(), pending.addresses.end());
  dial(id, pending);
}

std::string Engine::describe_refusals(const std::vector<net::IpAddress>& addresses,
                                      std::uint16_t port) const {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t i = 0; i < addresses.size() && i < kShown; ++i) {
    text += (i == 0 ? "" : "; ") + settings_.egress.refusal(addresses[i], port);
  }
  if (addresses.size() > kShown) text += fmt::format("; and {} more", addresses.size() - kShown);
  return text.empty() ? "the name has no address" : text;
}

void Engine::dial(CallId id, PendingCall& pending) {
  const Nanoseconds left_ns = pending.deadline_ns - steady_now_ns();
  if (left_ns <= 0) return finish(id, too_late("timed out before it could be called"));
  const bool http = pending.call.settings->protocol == picker::Protocol::kHttp;
  net::HttpCall call = http ? make_http_call(pending.call) : make_grpc_call(pending.call, left_ns);
  call.total_ns = left_ns;
  // An address that does not respond must leave time for the others.
  call.connect_ns = left_ns / static_cast<Nanoseconds>(pending.addresses.size());
  call.address = pending.addresses.back();
  pending.addresses.pop_back();
  pending.stage = Stage::kAsking;
  deadlines_.erase({pending.deadline_ns, id});
  pending.transfer = client_.send(std::move(call),
                                  [this, id](const net::HttpReply& reply) { replied(id, reply); });
}

void Engine::replied(CallId id, const net::HttpReply& reply) {
  const auto found = pending_calls_.find(id);
  EBB_CHECK(found != pending_calls_.end());
  PendingCall& pending = found->second;
  pending.transfer = 0;
  if (may_try_next(reply) && !pending.addresses.empty()) return dial(id, pending);
  const bool http = pending.call.settings->protocol == picker::Protocol::kHttp;
  finish(id, with_excerpt(http ? read_http_reply(reply) : read_grpc_reply(reply), reply.body));
}

void Engine::finish(CallId id, Reply reply) {
  forget(id);
  done_(id, std::move(reply));
}

void Engine::forget(CallId id) {
  const auto found = pending_calls_.find(id);
  if (found == pending_calls_.end()) return;
  const PendingCall& pending = found->second;
  deadlines_.erase({pending.deadline_ns, id});
  if (pending.stage == Stage::kWaiting) {
    waiting_.leave(pending.call.tenant, id);
  } else {
    --in_flight_;
    const auto held = places_of_.find(pending.call.tenant);
    if (--held->second == 0) places_of_.erase(held);
  }
  if (pending.transfer != 0) client_.cancel(pending.transfer);
  pending_calls_.erase(found);
}

void Engine::expire() {
  const Nanoseconds now_ns = steady_now_ns();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now_ns) {
    const CallId id = deadlines_.begin()->second;
    const bool waited = pending_calls_.at(id).stage == Stage::kWaiting;
    Reply reply =
        too_late(waited ? "timed out waiting for a free slot" : "timed out resolving its name");
    reply.asked = !waited;
    finish(id, std::move(reply));
  }
}

}  // namespace ebb::picker_client
