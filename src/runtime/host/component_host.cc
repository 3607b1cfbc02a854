#include "runtime/host/component_host.h"

#include <atomic>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "model/component/component_group.h"
#include "model/component/kind_feed.h"
#include "runtime/host/clock.h"
#include "runtime/host/reply.h"

namespace ebb::runtime {
namespace {

using kube::ApiReply;
using model::Component;
using model::Effect;
using model::ObjectEvent;

// Components run on the wall clock, which can be set, so no sleep is long.
constexpr Nanoseconds kMaxSleepNs = kNanosecondsPerSecond;
constexpr Nanoseconds kEffectDeadlineNs = 30 * kNanosecondsPerSecond;
// Bookmarks arrive about once a minute.
constexpr Nanoseconds kWatchSilenceNs = 150 * kNanosecondsPerSecond;
constexpr std::size_t kMaxInFlight = 200;

}  // namespace

struct ComponentHost::State {
  struct Feed {
    explicit Feed(const schema::Kind& kind)
        : feed(kind, model::KindFeed::Lists::kStreamingOrPages) {}

    model::KindFeed feed;
    kube::Client::Id watch = 0;
    unsigned failures = 0;
    bool cut_off = false;  // the stream could not be decoded and must be closed
  };

  State(std::vector<std::unique_ptr<Component>> hosted, kube::Client& with, Complain how);

  void ask(std::size_t index);
  void take_piece(std::size_t index, std::string_view bytes);
  void take_page(std::size_t index, const ApiReply& reply);
  // Notifies the components that watch the feed's kind.
  [[nodiscard]] model::KindFeed::Notify notify_at(Timestamp now);
  void watch_over(std::size_t index, const ApiReply& reply);
  void give_up_streams();
  void send_effects();
  void wake_due(Timestamp now);
  void check_settled();

  kube::Client& client;
  Complain complain;
  std::function<void()> settled;
  model::ComponentGroup components;
  std::vector<Feed> feeds;
  DeadlineQueue<std::size_t> requests_due;  // of feeds that have no request in flight
  std::atomic<bool> stopping = false;
};

ComponentHost::State::State(std::vector<std::unique_ptr<Component>> hosted, kube::Client& with,
                            Complain how)
    : client(with), complain(std::move(how)) {
  for (auto& component : hosted) components.add(std::move(component));
  for (const schema::Kind* kind : components.watched()) feeds.emplace_back(*kind);
}

void ComponentHost::State::ask(std::size_t index) {
  Feed& feed = feeds[index];
  const model::ApiRequest request = feed.feed.next_request();
  if (feed.feed.asked_for_page()) {
    client.send(request, kEffectDeadlineNs,
                [this, index](const ApiReply& reply) { take_page(index, reply); });
    return;
  }
  feed.watch = client.stream(
      request, kWatchSilenceNs, [this, index](std::string_view bytes) { take_piece(index, bytes); },
      [this, index](const ApiReply& reply) { watch_over(index, reply); });
}

void ComponentHost::State::take_piece(std::size_t index, std::string_view bytes) {
  Feed& feed = feeds[index];
  if (feed.cut_off) return;
  const Timestamp now = clock_now().wall;
  feed.cut_off = !feed.feed.take(bytes, notify_at(now));
  if (!feed.cut_off) feed.failures = 0;
  if (feed.feed.synced()) components.synced(feed.feed.kind(), now);
}

void ComponentHost::State::take_page(std::size_t index, const ApiReply& reply) {
  Feed& feed = feeds[index];
  if (reply.failure != net::HttpReply::Failure::kNone || reply.response.code != 200) {
    return watch_over(index, reply);
  }
  const Timestamp now = clock_now().wall;
  const bool understood = feed.feed.take_page(reply.response.body.str(), notify_at(now));
  feed.failures = understood ? 0 : feed.failures + 1;
  requests_due.set(index, understood ? now : later_by(now, retry_delay_ns(feed.failures)));
  if (feed.feed.synced()) components.synced(feed.feed.kind(), now);
}

model::KindFeed::Notify ComponentHost::State::notify_at(Timestamp now) {
  return [this, now](const ObjectEvent& event) { components.observe(event, now); };
}

void ComponentHost::State::watch_over(std::size_t index, const ApiReply& reply) {
  Feed& feed = feeds[index];
  const bool refused =
      reply.failure != net::HttpReply::Failure::kNone || reply.response.code != 200;
  if (refused && reply.failure == net::HttpReply::Failure::kNone) {
    feed.feed.refused(reply.response.code);
  }
  // Reported once, until the watch works again.
  if (refused && feed.failures == 0) {
    complain(fmt::format("cannot watch {}: {}", feed.feed.kind().plural, what_went_wrong(reply)));
  }
  const Nanoseconds pause = refused ? retry_delay_ns(feed.failures) : kNanosecondsPerSecond / 20;
  if (refused) ++feed.failures;
  requests_due.set(index, later_by(clock_now().wall, pause));
}

// Not from within a callback: the client still uses the stream then.
void ComponentHost::State::give_up_streams() {
  for (std::size_t i = 0; i < feeds.size(); ++i) {
    Feed& feed = feeds[i];
    if (!std::exchange(feed.cut_off, false)) continue;
    if (!requests_due.deadline_of(i).is_zero()) continue;  // the watch ended by itself
    client.cancel(feed.watch);
    requests_due.set(i, later_by(clock_now().wall, retry_delay_ns(feed.failures++)));
  }
}

void ComponentHost::State::send_effects() {
  while (components.in_flight() < kMaxInFlight) {
    const std::optional<Effect> effect = components.next_effect();
    if (!effect.has_value()) return;
    client.send(effect->request, kEffectDeadlineNs, [this, id = effect->id](ApiReply reply) {
      if (reply.failure != net::HttpReply::Failure::kNone) reply.response.code = 0;
      components.answered(id, reply.response, clock_now().wall);
    });
  }
}

void ComponentHost::State::wake_due(Timestamp now) {
  components.wake(now);
  for (const std::size_t feed : requests_due.take_due(now)) ask(feed);
}

void ComponentHost::State::check_settled() {
  if (settled && components.is_settled()) std::exchange(settled, nullptr)();
}

ComponentHost::ComponentHost(std::vector<std::unique_ptr<Component>> components,
                             kube::Client& client, Complain complain)
    : state_(std::make_unique<State>(std::move(components), client, std::move(complain))) {}
ComponentHost::~ComponentHost() = default;

void ComponentHost::on_settled(std::function<void()> settled) {
  state_->settled = std::move(settled);
}

void ComponentHost::run() {
  State& state = *state_;
  for (std::size_t i = 0; i < state.feeds.size(); ++i) state.ask(i);
  state.components.start(clock_now().wall);
  while (!state.stopping) {
    state.send_effects();
    const Timestamp next = sooner(state.components.wake_at(), state.requests_due.next());
    state.client.poll(wait_ns(next, clock_now().wall, kMaxSleepNs));
    state.give_up_streams();
    state.wake_due(clock_now().wall);
    state.check_settled();
  }
}

void ComponentHost::stop() {
  state_->stopping = true;
  state_->client.wake();
}

}  // namespace ebb::runtime
