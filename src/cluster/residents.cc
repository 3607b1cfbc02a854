#include "cluster/residents.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "cluster/clock.h"
#include "model/kind_feed.h"

namespace ebb::cluster {
namespace {

using model::Effect;
using model::EffectId;
using model::Machine;
using model::ObjectEvent;

// Before a watch that was refused is asked for again.
constexpr Nanoseconds kRefusedPause = kNanosecondsPerSecond;
constexpr std::chrono::seconds kSettlingTime{10};

Timestamp plus(Timestamp time, Nanoseconds ns) {
  return Timestamp::from_nanoseconds(time.since_epoch_ns() + ns);
}

}  // namespace

struct Residents::Parts : std::enable_shared_from_this<Residents::Parts> {
  struct Resident {
    std::unique_ptr<Machine> machine;
    std::vector<std::size_t> feeds;
    bool synced = false;
  };
  struct Feed {
    explicit Feed(const schema::Kind& kind) : feed(kind) {}

    model::KindFeed feed;
    std::vector<std::size_t> residents;
    std::shared_ptr<LiveWatch> watch;
    Timestamp ask_again;  // if set, no watch is under way
  };
  // Something for the thread to do.
  using Item = std::function<void(Timestamp now)>;

  explicit Parts(LiveServer& with) : server(with) {}

  void add(std::unique_ptr<Machine> machine);
  void post(Item item);
  void run();
  [[nodiscard]] Timestamp next_wake() const;
  void wake_due(Timestamp now);

  void ask(std::size_t feed);
  void follow(std::size_t feed);
  void take_piece(std::size_t feed, const Bytes& bytes, bool ended, Timestamp now);
  void tell_synced(Timestamp now);
  void carry_out(std::size_t resident);

  LiveServer& server;
  // Of the thread alone.
  std::vector<Resident> residents;
  std::vector<Feed> feeds;

  std::mutex mutex;  // of what follows
  std::condition_variable changed;
  std::deque<Item> inbox;
  std::size_t under_way = 0;  // effects that have not been answered
  bool all_synced = false;
  bool idle = false;
  bool stopping = false;
  std::thread thread;
};

void Residents::Parts::add(std::unique_ptr<Machine> machine) {
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

void Residents::Parts::post(Item item) {
  const std::unique_lock<std::mutex> lock(mutex);
  if (stopping) return;
  inbox.push_back(std::move(item));
  changed.notify_all();
}

void Residents::Parts::ask(std::size_t feed) {
  feeds[feed].ask_again = {};
  const std::weak_ptr<Parts> weak = weak_from_this();
  server.submit(feeds[feed].feed.next_request(),
                [weak, feed](const ApiResponse& response, const std::shared_ptr<LiveWatch>& watch) {
                  const auto self = weak.lock();
                  if (!self) return;
                  self->post([raw = self.get(), feed, code = response.code, watch](Timestamp now) {
                    raw->feeds[feed].watch = watch;
                    if (watch) return raw->follow(feed);
                    raw->feeds[feed].feed.refused(code);
                    raw->feeds[feed].ask_again = plus(now, kRefusedPause);
                  });
                });
}

void Residents::Parts::follow(std::size_t feed) {
  const std::weak_ptr<Parts> weak = weak_from_this();
  feeds[feed].watch->next([weak, feed](Bytes bytes, bool ended) {
    const auto self = weak.lock();
    if (!self) return;
    self->post([raw = self.get(), feed, bytes = std::move(bytes), ended](Timestamp now) {
      raw->take_piece(feed, bytes, ended, now);
    });
  });
}

void Residents::Parts::take_piece(std::size_t feed, const Bytes& bytes, bool ended, Timestamp now) {
  const auto tell = [&](const ObjectEvent& event) {
    for (const std::size_t resident : feeds[feed].residents) {
      residents[resident].machine->observe(event, now);
      carry_out(resident);
    }
  };
  bool understood = true;
  for (const Bytes::Segment& segment : bytes.segments()) {
    understood = understood && feeds[feed].feed.take(segment.text, tell);
  }
  if (feeds[feed].feed.synced()) tell_synced(now);
  if (!ended && understood) return follow(feed);
  if (!ended) feeds[feed].watch->cancel();
  feeds[feed].watch.reset();
  ask(feed);
}

void Residents::Parts::tell_synced(Timestamp now) {
  bool all = true;
  for (std::size_t i = 0; i < residents.size(); ++i) {
    Resident& resident = residents[i];
    if (resident.synced) continue;
    resident.synced = std::all_of(resident.feeds.begin(), resident.feeds.end(),
                                  [&](std::size_t feed) { return feeds[feed].feed.synced(); });
    all = all && resident.synced;
    if (!resident.synced) continue;
    resident.machine->synced(now);
    carry_out(i);
  }
  const std::unique_lock<std::mutex> lock(mutex);
  all_synced = all;
}

void Residents::Parts::carry_out(std::size_t resident) {
  for (Effect& effect : residents[resident].machine->take_effects()) {
    {
      const std::unique_lock<std::mutex> lock(mutex);
      ++under_way;
    }
    effect.request.received = wall_now();
    effect.request.user_agent = "ebb";
    const std::weak_ptr<Parts> weak = weak_from_this();
    server.submit(std::move(effect.request), [weak, resident, id = effect.id](
                                                 ApiResponse response,
                                                 const std::shared_ptr<LiveWatch>&) {
      const auto self = weak.lock();
      if (!self) return;
      self->post([raw = self.get(), resident, id, response = std::move(response)](Timestamp now) {
        {
          const std::unique_lock<std::mutex> lock(raw->mutex);
          --raw->under_way;
        }
        raw->residents[resident].machine->answered(id, response, now);
        raw->carry_out(resident);
      });
    });
  }
}

Timestamp Residents::Parts::next_wake() const {
  Timestamp next;
  const auto consider = [&](Timestamp time) {
    if (!time.is_zero() && (next.is_zero() || time < next)) next = time;
  };
  for (const Resident& resident : residents) consider(resident.machine->wake_at());
  for (const Feed& feed : feeds) consider(feed.ask_again);
  return next;
}

void Residents::Parts::wake_due(Timestamp now) {
  for (std::size_t i = 0; i < residents.size(); ++i) {
    const Timestamp at = residents[i].machine->wake_at();
    if (at.is_zero() || at > now) continue;
    residents[i].machine->wake(now);
    carry_out(i);
  }
  for (std::size_t i = 0; i < feeds.size(); ++i) {
    if (!feeds[i].ask_again.is_zero() && feeds[i].ask_again <= now) ask(i);
  }
}

void Residents::Parts::run() {
  for (std::size_t i = 0; i < feeds.size(); ++i) ask(i);
  tell_synced(wall_now());  // those who watch nothing
  for (;;) {
    std::deque<Item> items;
    {
      std::unique_lock<std::mutex> lock(mutex);
      const Timestamp now = wall_now();
      const Timestamp next = next_wake();
      if (inbox.empty() && !stopping && (next.is_zero() || next > now)) {
        idle = true;
        changed.notify_all();
        changed.wait_for(lock, sleep_until(next, now));
        idle = false;
      }
      if (stopping) return;
      items.swap(inbox);
    }
    for (const Item& item : items) item(wall_now());
    wake_due(wall_now());
  }
}

Residents::Residents(LiveServer& server, std::vector<std::unique_ptr<Machine>> machines)
    : parts_(std::make_shared<Parts>(server)) {
  for (auto& machine : machines) parts_->add(std::move(machine));
  parts_->thread = std::thread([raw = parts_.get()] { raw->run(); });
}

Residents::~Residents() { stop(); }

void Residents::wait_until_settled() {
  std::unique_lock<std::mutex> lock(parts_->mutex);
  parts_->changed.wait_for(lock, kSettlingTime, [&] {
    return parts_->stopping ||
           (parts_->all_synced && parts_->idle && parts_->inbox.empty() && parts_->under_way == 0);
  });
}

void Residents::stop() {
  {
    const std::unique_lock<std::mutex> lock(parts_->mutex);
    parts_->stopping = true;
    parts_->changed.notify_all();
  }
  if (parts_->thread.joinable()) parts_->thread.join();
  for (auto& feed : parts_->feeds) {
    if (feed.watch) feed.watch->cancel();
  }
}

}  // namespace ebb::cluster
