#include "runtime/machine_host.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "base/agenda.h"
#include "model/kind_feed.h"
#include "runtime/clock.h"
#include "runtime/reply.h"

namespace ebb::runtime {
namespace {

using kube::ApiReply;
using model::Effect;
using model::Machine;
using model::ObjectEvent;

// Machines run on the wall clock, which can be set: never sleep long by it.
constexpr Nanoseconds kLongestSleepNs = kNanosecondsPerSecond;
constexpr Nanoseconds kEffectDeadlineNs = 30 * kNanosecondsPerSecond;
// Bookmarks come every minute or so.
constexpr Nanoseconds kWatchSilenceNs = 150 * kNanosecondsPerSecond;
constexpr std::size_t kMostUnderWay = 200;

}  // namespace

struct MachineHost::State {
  struct Resident {
    std::unique_ptr<Machine> machine;
    std::vector<std::size_t> feeds;
    bool synced = false;
  };
  struct Feed {
    explicit Feed(const schema::Kind& kind)
        : feed(kind, model::KindFeed::Lists::kStreamingOrPages) {}

    model::KindFeed feed;
    std::vector<std::size_t> residents;
    kube::Client::Id watch = 0;
    unsigned failures = 0;
    Timestamp ask_again;   // if set, no watch is under way
    bool cut_off = false;  // the stream could not be understood and has to be given up
  };
  struct Waiting {
    std::size_t resident;
    Effect effect;
  };

  State(kube::Client& with, Complain how) : client(with), complain(std::move(how)) {}

  void add(std::unique_ptr<Machine> machine);
  void ask(std::size_t index);
  void take_piece(std::size_t index, std::string_view bytes);
  void take_page(std::size_t index, const ApiReply& reply);
  // Tells the machines that look at the feed.
  [[nodiscard]] model::KindFeed::Tell told_by(const Feed& feed, Timestamp now);
  void watch_over(std::size_t index, const ApiReply& reply);
  void give_up_streams();
  void tell_synced();
  void collect(std::size_t resident);
  void send_waiting();
  void send(const Waiting& next);
  void wake_due(Timestamp now);
  [[nodiscard]] Timestamp next_wake() const;
  void look_whether_settled();

  kube::Client& client;
  Complain complain;
  std::function<void()> settled;
  std::vector<Resident> residents;
  std::vector<Feed> feeds;
  std::deque<Waiting> waiting;
  std::size_t under_way = 0;
  std::atomic<bool> stopping = false;
};

void MachineHost::State::add(std::unique_ptr<Machine> machine) {
  Resident resident{.machine = std::move(machine), .feeds = {}};
  for (const schema::Kind* kind : resident.machine->watched()) {
    const auto known = std::find_if(feeds.begin(), feeds.end(),
                                    [&](const Feed& one) { return &one.feed.kind() == kind; });
    const auto feed = static_cast<std::size_t>(known - feeds.begin());
    if (known == feeds.end()) feeds.emplace_back(*kind);
    resident.feeds.push_back(feed);
    feeds[feed].residents.push_back(residents.size());
  }
  residents.push_back(std::move(resident));
}

void MachineHost::State::ask(std::size_t index) {
  Feed& feed = feeds[index];
  feed.ask_again = {};
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

void MachineHost::State::take_piece(std::size_t index, std::string_view bytes) {
  Feed& feed = feeds[index];
  if (feed.cut_off) return;
  const Timestamp now = clock_now().wall;
  feed.cut_off = !feed.feed.take(bytes, told_by(feed, now));
  if (!feed.cut_off) feed.failures = 0;
  if (feed.feed.synced()) tell_synced();
}

void MachineHost::State::take_page(std::size_t index, const ApiReply& reply) {
  Feed& feed = feeds[index];
  if (reply.failure != net::HttpReply::Failure::kNone || reply.response.code != 200) {
    return watch_over(index, reply);
  }
  const Timestamp now = clock_now().wall;
  const bool understood = feed.feed.take_page(reply.response.body.str(), told_by(feed, now));
  feed.failures = understood ? 0 : feed.failures + 1;
  feed.ask_again = understood ? now : later_by(now, retry_delay_ns(feed.failures));
  if (feed.feed.synced()) tell_synced();
}

model::KindFeed::Tell MachineHost::State::told_by(const Feed& feed, Timestamp now) {
  return [this, &feed, now](const ObjectEvent& event) {
    for (const std::size_t resident : feed.residents) {
      residents[resident].machine->observe(event, now);
      collect(resident);
    }
  };
}

void MachineHost::State::watch_over(std::size_t index, const ApiReply& reply) {
  Feed& feed = feeds[index];
  const bool refused =
      reply.failure != net::HttpReply::Failure::kNone || reply.response.code != 200;
  if (refused && reply.failure == net::HttpReply::Failure::kNone) {
    feed.feed.refused(reply.response.code);
  }
  // Told once, until it works again.
  if (refused && feed.failures == 0) {
    complain(fmt::format("cannot watch {}: {}", feed.feed.kind().plural, what_went_wrong(reply)));
  }
  const Nanoseconds pause = refused ? retry_delay_ns(feed.failures) : kNanosecondsPerSecond / 20;
  if (refused) ++feed.failures;
  feed.ask_again = later_by(clock_now().wall, pause);
}

// Not from within a piece: the client is not done with it then.
void MachineHost::State::give_up_streams() {
  for (Feed& feed : feeds) {
    if (!std::exchange(feed.cut_off, false)) continue;
    if (!feed.ask_again.is_zero()) continue;  // it ended by itself
    client.cancel(feed.watch);
    feed.ask_again = later_by(clock_now().wall, retry_delay_ns(feed.failures++));
  }
}

void MachineHost::State::tell_synced() {
  for (std::size_t i = 0; i < residents.size(); ++i) {
    Resident& resident = residents[i];
    if (resident.synced) continue;
    resident.synced = std::all_of(resident.feeds.begin(), resident.feeds.end(),
                                  [&](std::size_t feed) { return feeds[feed].feed.synced(); });
    if (!resident.synced) continue;
    resident.machine->synced(clock_now().wall);
    collect(i);
  }
}

void MachineHost::State::collect(std::size_t resident) {
  for (Effect& effect : residents[resident].machine->take_effects()) {
    waiting.push_back({resident, std::move(effect)});
  }
}

void MachineHost::State::send_waiting() {
  while (!waiting.empty() && under_way < kMostUnderWay) {
    send(waiting.front());
    waiting.pop_front();
  }
}

void MachineHost::State::send(const Waiting& next) {
  ++under_way;
  client.send(next.effect.request, kEffectDeadlineNs,
              [this, resident = next.resident, id = next.effect.id](ApiReply reply) {
                --under_way;
                if (reply.failure != net::HttpReply::Failure::kNone) reply.response.code = 0;
                residents[resident].machine->answered(id, reply.response, clock_now().wall);
                collect(resident);
              });
}

Timestamp MachineHost::State::next_wake() const {
  Timestamp next;
  for (const Resident& resident : residents) next = sooner(next, resident.machine->wake_at());
  for (const Feed& feed : feeds) next = sooner(next, feed.ask_again);
  return next;
}

void MachineHost::State::wake_due(Timestamp now) {
  for (std::size_t i = 0; i < residents.size(); ++i) {
    const Timestamp at = residents[i].machine->wake_at();
    if (at.is_zero() || at > now) continue;
    residents[i].machine->wake(now);
    collect(i);
  }
  for (std::size_t i = 0; i < feeds.size(); ++i) {
    if (!feeds[i].ask_again.is_zero() && feeds[i].ask_again <= now) ask(i);
  }
}

void MachineHost::State::look_whether_settled() {
  if (!settled || under_way > 0 || !waiting.empty()) return;
  for (const Resident& resident : residents) {
    if (!resident.synced) return;
  }
  std::exchange(settled, nullptr)();
}

MachineHost::MachineHost(std::vector<std::unique_ptr<Machine>> machines, kube::Client& client,
                         Complain complain)
    : state_(std::make_unique<State>(client, std::move(complain))) {
  for (auto& machine : machines) state_->add(std::move(machine));
}
MachineHost::~MachineHost() = default;

void MachineHost::on_settled(std::function<void()> settled) {
  state_->settled = std::move(settled);
}

void MachineHost::run() {
  State& state = *state_;
  for (std::size_t i = 0; i < state.feeds.size(); ++i) state.ask(i);
  state.tell_synced();  // those who watch nothing
  while (!state.stopping) {
    state.send_waiting();
    state.client.poll(wait_ns(state.next_wake(), clock_now().wall, kLongestSleepNs));
    state.give_up_streams();
    state.wake_due(clock_now().wall);
    state.look_whether_settled();
  }
}

void MachineHost::stop() {
  state_->stopping = true;
  state_->client.wake();
}

}  // namespace ebb::runtime
