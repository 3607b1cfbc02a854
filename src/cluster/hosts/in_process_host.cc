#include "cluster/hosts/in_process_host.h"

#include <deque>
#include <optional>
#include <thread>
#include <utility>

#include "base/deadline_queue.h"
#include "base/mutex.h"
#include "cluster/server/clock.h"
#include "model/component/component_group.h"
#include "model/component/kind_feed.h"

namespace ebb::cluster {
namespace {

using model::Component;
using model::Effect;
using model::ObjectEvent;

// The pause before a rejected watch is requested again.
constexpr Nanoseconds kRefusedPause = kNanosecondsPerSecond;
constexpr std::chrono::seconds kSettlingTime{10};

}  // namespace

struct InProcessHost::Impl : std::enable_shared_from_this<InProcessHost::Impl> {
  struct Feed {
    explicit Feed(const schema::Kind& kind) : feed(kind) {}

    model::KindFeed feed;
    std::shared_ptr<LiveWatch> watch;
  };
  // Work for the thread.
  using Item = std::function<void(Timestamp now)>;

  Impl(LiveServer& with, std::vector<std::unique_ptr<Component>> hosted);

  void post(Item item);
  void run();

  void ask(std::size_t feed);
  void follow(std::size_t feed);
  void take_piece(std::size_t feed, const Bytes& bytes, bool ended, Timestamp now);
  void send_effects();

  LiveServer& server;
  // Used by the thread only.
  model::ComponentGroup components;
  std::vector<Feed> feeds;
  DeadlineQueue<std::size_t> retries;  // of feeds whose watch was rejected

  Mutex mutex;
  ConditionVariable changed;
  std::deque<Item> inbox EBB_GUARDED_BY(mutex);
  bool settled EBB_GUARDED_BY(mutex) = false;  // and the thread sleeps
  bool stopping EBB_GUARDED_BY(mutex) = false;
  std::thread thread;
};

InProcessHost::Impl::Impl(LiveServer& with, std::vector<std::unique_ptr<Component>> hosted)
    : server(with) {
  for (auto& component : hosted) components.add(std::move(component));
  for (const schema::Kind* kind : components.watched()) feeds.emplace_back(*kind);
}

void InProcessHost::Impl::post(Item item) {
  const MutexLock lock(mutex);
  if (stopping) return;
  inbox.push_back(std::move(item));
  changed.notify_all();
}

void InProcessHost::Impl::ask(std::size_t feed) {
  const std::weak_ptr<Impl> weak = weak_from_this();
  server.submit(feeds[feed].feed.next_request(),
                [weak, feed](const ApiResponse& response, const std::shared_ptr<LiveWatch>& watch) {
                  const auto self = weak.lock();
                  if (!self) return;
                  self->post([raw = self.get(), feed, code = response.code, watch](Timestamp now) {
                    raw->feeds[feed].watch = watch;
                    if (watch) return raw->follow(feed);
                    raw->feeds[feed].feed.refused(code);
                    raw->retries.set(feed, later_by(now, kRefusedPause));
                  });
                });
}

void InProcessHost::Impl::follow(std::size_t feed) {
  const std::weak_ptr<Impl> weak = weak_from_this();
  feeds[feed].watch->next([weak, feed](Bytes bytes, bool ended) {
    const auto self = weak.lock();
    if (!self) return;
    self->post([raw = self.get(), feed, bytes = std::move(bytes), ended](Timestamp now) {
      raw->take_piece(feed, bytes, ended, now);
    });
  });
}

void InProcessHost::Impl::take_piece(std::size_t feed, const Bytes& bytes, bool ended,
                                     Timestamp now) {
  const auto notify = [&](const ObjectEvent& event) {
    components.observe(event, now);
    send_effects();  // at once: the server works on them while the rest is decoded
  };
  bool understood = true;
  for (const Bytes::Segment& segment : bytes.segments()) {
    understood = understood && feeds[feed].feed.take(segment.text, notify);
  }
  if (feeds[feed].feed.synced()) components.synced(feeds[feed].feed.kind(), now);
  if (!ended && understood) return follow(feed);
  if (!ended) feeds[feed].watch->cancel();
  feeds[feed].watch.reset();
  ask(feed);
}

void InProcessHost::Impl::send_effects() {
  while (std::optional<Effect> effect = components.next_effect()) {
    effect->request.received = wall_now();
    effect->request.user_agent = "ebb";
    const std::weak_ptr<Impl> weak = weak_from_this();
    server.submit(std::move(effect->request),
                  [weak, id = effect->id](ApiResponse response, const std::shared_ptr<LiveWatch>&) {
                    const auto self = weak.lock();
                    if (!self) return;
                    self->post([raw = self.get(), id, response = std::move(response)](
                                   Timestamp now) { raw->components.answered(id, response, now); });
                  });
  }
}

void InProcessHost::Impl::run() {
  for (std::size_t i = 0; i < feeds.size(); ++i) ask(i);
  components.start(wall_now());
  for (;;) {
    send_effects();
    std::deque<Item> items;
    {
      const MutexLock lock(mutex);
      const Timestamp now = wall_now();
      const Timestamp next = sooner(components.wake_at(), retries.next());
      if (inbox.empty() && !stopping && (next.is_zero() || next > now)) {
        settled = components.is_settled();
        changed.notify_all();
        changed.wait_for(mutex, sleep_until(next, now));
        settled = false;
      }
      if (stopping) return;
      items.swap(inbox);
    }
    for (const Item& item : items) {
      item(wall_now());
      send_effects();
    }
    const Timestamp now = wall_now();
    components.wake(now);
    for (const std::size_t feed : retries.take_due(now)) ask(feed);
  }
}

InProcessHost::InProcessHost(LiveServer& server, std::vector<std::unique_ptr<Component>> components)
    : impl_(std::make_shared<Impl>(server, std::move(components))) {
  impl_->thread = std::thread([raw = impl_.get()] { raw->run(); });
}

InProcessHost::~InProcessHost() { stop(); }

void InProcessHost::wait_until_settled() {
  const auto end = std::chrono::steady_clock::now() + kSettlingTime;
  const MutexLock lock(impl_->mutex);
  while (!impl_->stopping && !(impl_->settled && impl_->inbox.empty())) {
    if (!impl_->changed.wait_until(impl_->mutex, end)) return;
  }
}

void InProcessHost::stop() {
  {
    const MutexLock lock(impl_->mutex);
    impl_->stopping = true;
    impl_->changed.notify_all();
  }
  if (impl_->thread.joinable()) impl_->thread.join();
  for (auto& feed : impl_->feeds) {
    if (feed.watch) feed.watch->cancel();
  }
}

}  // namespace ebb::cluster
