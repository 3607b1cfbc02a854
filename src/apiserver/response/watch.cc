#include "apiserver/response/watch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/api/status.h"

namespace ebb::apiserver {

namespace {

// Kubernetes sends a bookmark about once a minute, and one shortly before a watch ends.
constexpr Nanoseconds kBookmarkInterval = 60 * kNanosecondsPerSecond;
constexpr Nanoseconds kLastBookmarkBefore = 2 * kNanosecondsPerSecond;

Timestamp plus(Timestamp time, Nanoseconds ns) {
  return Timestamp::from_nanoseconds(time.since_epoch_ns() + ns);
}

// An object that left the selection is sent in its last selected state, at the revision at which it
// left.
ObjectPtr at_revision(const Object& object, Revision revision) {
  return std::make_shared<const Object>(object.kind(), object.draft(), revision);
}

}  // namespace

bool Selection::matches(const Object& object) const {
  if (!namespace_name.empty() && object.namespace_name() != namespace_name) return false;
  if (!name.empty() && object.name() != name) return false;
  return labels.matches(object.labels()) && fields.matches(object.fields());
}

WatchCursor::WatchCursor(Start start, Timestamp now)
    : start_(std::move(start)),
      next_bookmark_(
          std::min(plus(now, kBookmarkInterval), plus(start_.deadline, -kLastBookmarkBefore))) {}

void WatchCursor::append(Frames& frames, std::string_view type, const ObjectPtr& object,
                         Timestamp now) {
  append_event(frames.bytes, start_.form, type, object, !std::exchange(sent_columns_, true), now);
}

void WatchCursor::send_initial(Frames& frames, Timestamp now, std::size_t max_bytes) {
  while (sent_initial_ < start_.initial.size()) {
    if (frames.bytes.size() >= max_bytes) return;
    append(frames, "ADDED", start_.initial[sent_initial_++], now);
  }
  start_.initial = {};
  sent_initial_ = 0;
  if (std::exchange(start_.marks_end_of_initial, false)) {
    append_bookmark(frames.bytes, start_.form, *start_.selection.kind, start_.after, true);
  }
}

void WatchCursor::send(Frames& frames, const Event& event, Timestamp now) {
  const bool was = event.previous && start_.selection.matches(*event.previous);
  const bool is = !event.deleted && start_.selection.matches(*event.object);
  if (is) {
    append(frames, was ? "MODIFIED" : "ADDED", event.object, now);
  } else if (was) {
    append(frames, "DELETED",
           event.deleted ? event.object : at_revision(*event.previous, event.revision), now);
  }
}

void WatchCursor::send_events(Frames& frames, const Store& store, Timestamp now,
                              std::size_t max_bytes) {
  const std::deque<Event>& history = store.history(*start_.selection.kind);
  auto event = std::upper_bound(
      history.begin(), history.end(), start_.after,
      [](Revision after, const Event& candidate) { return after < candidate.revision; });
  for (; event != history.end(); ++event) {
    if (frames.bytes.size() >= max_bytes) {
      frames.more = true;
      return;
    }
    send(frames, *event, now);
    start_.after = event->revision;
  }
  // No change of this kind up to here, so an idle watch stays within the history.
  start_.after = std::max(start_.after, store.published());
}

Frames WatchCursor::next(const Store& store, Timestamp now, std::size_t max_bytes) {
  Frames frames;
  frames.ended = ended_;
  if (ended_) return frames;

  send_initial(frames, now, max_bytes);
  frames.more = !start_.initial.empty();
  if (!frames.more && !store.can_go_back_to(*start_.selection.kind, start_.after)) {
    const model::Status status = model::expired(
        fmt::format("too old resource version: {} ({})", start_.after, store.published()));
    append_error(frames.bytes, start_.form, status);
    frames.ended = ended_ = true;
    return frames;
  }
  if (!frames.more) send_events(frames, store, now, max_bytes);
  if (!frames.more && start_.bookmarks && now >= next_bookmark_) {
    append_bookmark(frames.bytes, start_.form, *start_.selection.kind, start_.after, false);
    next_bookmark_ = plus(now, kBookmarkInterval);
  }
  if (!frames.more && now >= start_.deadline) frames.ended = ended_ = true;
  frames.wake_at = start_.bookmarks ? std::min(next_bookmark_, start_.deadline) : start_.deadline;
  return frames;
}

}  // namespace ebb::apiserver
