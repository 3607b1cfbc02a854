#include "asker/engine.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "asker/common.h"
#include "asker/host_name.h"
#include "asker/protocol.h"
#include "base/check.h"
#include "net/curl_loop.h"
#include "net/descriptors.h"

namespace ebb::asker {
namespace {

using net::steady_now_ns;
using picker::Outcome;
using picker::Reply;

constexpr Nanoseconds kLongestWaitNs = 3600 * kNanosecondsPerSecond;
// Of one name; whoever has more is reached at one of these or not at all.
constexpr std::size_t kMostAddresses = 8;
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

Reply too_late(std::string detail) {
  return {.outcome = Outcome::kTimeout, .detail = std::move(detail)};
}

// Whether there is hope for another address of the same name.
bool may_try_next(const net::HttpReply& reply) {
  using Reason = net::HttpReply::Reason;
  return reply.failure == net::HttpReply::Failure::kNotSent &&
         (reply.reason == Reason::kNoConnection || reply.reason == Reason::kTimeout ||
          reply.reason == Reason::kForbidden);
}

}  // namespace

Engine::Engine(AskerSettings settings, Asker::Done done)
    : settings_(std::move(settings)),
      done_(std::move(done)),
      dialer_(settings_.egress, settings_.dialer ? *settings_.dialer : system_dialer_),
      resolver_(settings_.resolver ? settings_.resolver : net::make_resolver({})),
      client_({.http2 = true,
               .kept_connections = kKeptConnections,
               .kept_ns = kKeptNs,
               .small_buffers = true,
               .most_bytes_together = settings_.most_answer_bytes_together,
               .dialer = &dialer_}),
      places_(count_places(settings_.most_calls)) {
  if (resolver_->descriptor() >= 0) client_.watch(resolver_->descriptor());
}

void Engine::ask(picker::Call call, Nanoseconds deadline_ns) {
  const CallId id = call.id;
  waiting_.join(call.tenant, id);
  const auto [place, is_new] =
      errands_.emplace(id, Errand{.call = std::move(call), .deadline_ns = deadline_ns});
  EBB_CHECK(is_new);
  deadlines_.emplace(deadline_ns, id);
}

void Engine::withdraw(CallId id) { forget(id); }

void Engine::poll() {
  expire();
  start_waiting();
  Nanoseconds wait_ns = std::min(look_at_connections(), resolver_->due_in_ns());
  if (!deadlines_.empty()) {
    wait_ns = std::min(wait_ns, deadlines_.begin()->first - steady_now_ns());
  }
  client_.poll(std::max<Nanoseconds>(wait_ns, 0));
  resolver_->work();
}

// Curl closes old connections when it opens others, not by itself.
Nanoseconds Engine::look_at_connections() {
  const Nanoseconds now_ns = steady_now_ns();
  if (under_way_ > 0) {
    idle_since_ns_ = now_ns;
    has_connections_ = true;
  }
  if (under_way_ > 0 || !has_connections_) return kLongestWaitNs;
  const Nanoseconds left_ns = idle_since_ns_ + kKeptNs - now_ns;
  if (left_ns > 0) return left_ns;
  client_.close_idle();
  has_connections_ = false;
  return kLongestWaitNs;
}

// Nobody may have more places than he leaves free, so that there is always one for somebody new.
void Engine::start_waiting() {
  while (under_way_ < places_) {
    const auto id = waiting_.next([this](const std::string& tenant) {
      const auto held = places_of_.find(tenant);
      return held == places_of_.end() || held->second < places_ - under_way_;
    });
    if (!id) return;
    Errand& errand = errands_.at(*id);
    ++under_way_;
    ++places_of_[errand.call.tenant];
    start(*id, errand);
  }
}

void Engine::start(CallId id, Errand& errand) {
  const picker::Settings& settings = *errand.call.settings;
  errand.stage = Stage::kResolving;
  if (!settings_.egress.allows_host(settings.host)) {
    return finish(id, refused("the host is not among those of --picker-allow-host", false));
  }
  if (!is_sendable(errand.call)) {
    return finish(id, refused("the path or a header may not be sent", false));
  }
  if (const auto literal = net::parse_ip(settings.host)) {
    return resolved(id, std::vector<net::IpAddress>{*literal});
  }
  if (!is_host_name(settings.host)) return finish(id, refused("the host is no name", false));
  resolver_->resolve(settings.host, [this, id](const Result<std::vector<net::IpAddress>>& found) {
    resolved(id, found);
  });
}

void Engine::resolved(CallId id, const Result<std::vector<net::IpAddress>>& addresses) {
  const auto found = errands_.find(id);
  // It has been withdrawn, or its time was over.
  if (found == errands_.end()) return;
  if (!addresses) return finish(id, refused("no address: " + addresses.error().message, true));
  Errand& errand = found->second;
  for (const net::IpAddress& address : *addresses) {
    if (errand.addresses.size() < kMostAddresses &&
        settings_.egress.allows(address, errand.call.settings->port)) {
      errand.addresses.push_back(address);
    }
  }
  if (errand.addresses.empty()) {
    return finish(id, refused(describe_refusals(*addresses, errand.call.settings->port), false));
  }
  std::reverse(errand.addresses.begin(), errand.addresses.end());
  dial(id, errand);
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

void Engine::dial(CallId id, Errand& errand) {
  const Nanoseconds left_ns = errand.deadline_ns - steady_now_ns();
  if (left_ns <= 0) return finish(id, too_late("the time was over before it could be asked"));
  const bool http = errand.call.settings->protocol == picker::Protocol::kHttp;
  net::HttpCall call = http ? make_http_call(errand.call) : make_grpc_call(errand.call, left_ns);
  call.total_ns = left_ns;
  // An address that does not answer leaves time for the others.
  call.connect_ns = left_ns / static_cast<Nanoseconds>(errand.addresses.size());
  call.address = errand.addresses.back();
  errand.addresses.pop_back();
  errand.stage = Stage::kAsking;
  deadlines_.erase({errand.deadline_ns, id});
  errand.transfer = client_.send(std::move(call),
                                 [this, id](const net::HttpReply& reply) { replied(id, reply); });
}

void Engine::replied(CallId id, const net::HttpReply& reply) {
  const auto found = errands_.find(id);
  EBB_CHECK(found != errands_.end());
  Errand& errand = found->second;
  errand.transfer = 0;
  if (may_try_next(reply) && !errand.addresses.empty()) return dial(id, errand);
  const bool http = errand.call.settings->protocol == picker::Protocol::kHttp;
  finish(id, with_excerpt(http ? read_http_reply(reply) : read_grpc_reply(reply), reply.body));
}

void Engine::finish(CallId id, Reply reply) {
  forget(id);
  done_(id, std::move(reply));
}

void Engine::forget(CallId id) {
  const auto found = errands_.find(id);
  if (found == errands_.end()) return;
  const Errand& errand = found->second;
  deadlines_.erase({errand.deadline_ns, id});
  if (errand.stage == Stage::kWaiting) {
    waiting_.leave(errand.call.tenant, id);
  } else {
    --under_way_;
    const auto held = places_of_.find(errand.call.tenant);
    if (--held->second == 0) places_of_.erase(held);
  }
  if (errand.transfer != 0) client_.cancel(errand.transfer);
  errands_.erase(found);
}

void Engine::expire() {
  const Nanoseconds now_ns = steady_now_ns();
  while (!deadlines_.empty() && deadlines_.begin()->first <= now_ns) {
    const CallId id = deadlines_.begin()->second;
    const bool waited = errands_.at(id).stage == Stage::kWaiting;
    Reply reply = too_late(waited ? "the time was over before there was a place"
                                  : "the time was over before its name was resolved");
    reply.asked = !waited;
    finish(id, std::move(reply));
  }
}

}  // namespace ebb::asker
