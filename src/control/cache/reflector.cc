#include "control/cache/reflector.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/deadline_queue.h"
#include "control/cache/list_page.h"
#include "control/cache/list_query.h"
#include "control/cache/past_lists.h"
#include "control/cache/unreadable.h"
#include "control/cache/watch_stream.h"
#include "control/core/retry_backoff.h"
#include "model/api/list_query.h"

namespace ebb::control {
namespace {

// The API server's own request timeout.
constexpr Nanoseconds kPageDeadlineNs = 60 * kNanosecondsPerSecond;
// An idle server sends a bookmark about every minute, though it is not required to. Three minutes
// of silence are more likely a dead connection than a quiet one, and resuming from the last
// revision is cheap.
constexpr Nanoseconds kSilenceNs = 180 * kNanosecondsPerSecond;
// A stream that has been open for this long without an answer is connected, even if nothing has
// arrived yet: connections that fail do so sooner.
constexpr Nanoseconds kQuietStreamNs = 5 * kNanosecondsPerSecond;
constexpr std::uint64_t kShortestWatchSeconds = 300;
constexpr std::uint64_t kLongestWatchSeconds = 600;
// A watch that ends sooner than this, without an event, has failed.
constexpr Nanoseconds kTooShortNs = kNanosecondsPerSecond;
// After this many streaming lists that start but do not complete, pages are used instead.
constexpr unsigned kMaxUnfinishedLists = 3;
// After this many other failures, an optional resource is no longer waited for either.
constexpr unsigned kMaxFailureBackoffs = 5;
constexpr Nanoseconds kFirstWithheldNs = 30 * kNanosecondsPerSecond;
constexpr Nanoseconds kLongestWithheldNs = 300 * kNanosecondsPerSecond;

bool refuses_format(int code) { return code == 406 || code == 415; }

// The resource does not exist, or access is forbidden.
bool is_withheld(int code) { return code == 403 || code == 404; }

bool lost_place(int code, std::string_view reason) {
  return code == 410 || reason == "Expired" || reason == "Gone";
}

std::string describe(const Answer& answer) {
  switch (answer.outcome) {
    case Answer::Outcome::kAnswered:
      return fmt::format("the API server answered {}", answer.response.code);
    case Answer::Outcome::kUnknown:
      return "the connection was lost or silent for too long";
    case Answer::Outcome::kNotSent:
      return "not connected to the API server";
    case Answer::Outcome::kEnded:
      break;
  }
  return "the API server closed the stream";
}

}  // namespace

struct Reflector::State {
  enum class Step : std::uint8_t { kStreamingList, kPage, kWatch };

  State(ReflectorSettings given, Store& into, Telemetry& sink)
      : settings(given), store(into), telemetry(sink), pace(given.seed), protobuf(given.protobuf) {}

  [[nodiscard]] Wanted make_request(Now now);
  void begin_listing(Now now);

  void page_answered(const Answer& answer, Now now);
  void take_page(std::string_view body, Now now);
  void stream_answered(const Answer& answer, Now now);
  void stream_refused(const Answer& answer, Now now);
  void take_event(const StreamEvent& event, Now now);
  void take_object(const StreamEvent& event, Now now);
  void take_item(Store::Format format, std::string_view item, Now now);
  // An object has an invalid part. Damaged: its state is unknown.
  void complain(std::string_view problem, bool damaged, Now now);
  void take_bookmark(const StreamEvent& event, Now now);
  void take_error(const StreamEvent& event, Now now);
  [[nodiscard]] bool is_past(model::Revision revision) const;
  void listed(model::Revision revision);
  void refuse_past(model::Revision revision, Now now);

  // Handles an optional resource that is withheld. Returns whether it was.
  bool withheld(const Answer& answer, Now now);
  void list_again(Now now, std::string_view why);
  void list_anew() { step = streams ? Step::kStreamingList : Step::kPage; }
  // Retries the current step later.
  void fail(Now now, std::string_view why, int retry_after_seconds = 0);
  void go_on_in_json(Now now);
  void go_on(Now now) { due = now.mono; }
  [[nodiscard]] bool lists() const { return step != Step::kWatch; }
  void count(Count what) { telemetry.count(what, plural(settings.resource)); }
  void log(Severity severity, int verbosity, std::string_view text) {
    telemetry.log(
        severity, verbosity, fmt::format("{}: {}", plural(settings.resource), text),
        {{"resource", plural(settings.resource)}, {"revision", store.seen(settings.resource)}});
  }

  ReflectorSettings settings;
  Store& store;
  Telemetry& telemetry;
  RetryBackoff pace;
  bool protobuf;
  bool streams = true;  // streaming lists are worth trying
  unsigned unfinished_lists = 0;
  PastLists past_lists;

  Step step = Step::kStreamingList;  // in flight, or else the next one
  bool in_flight = false;
  bool streaming = false;                          // the call in flight is a stream
  Timestamp due = Timestamp::from_nanoseconds(0);  // of the next step
  bool synced = false;
  unsigned failures = 0;  // since the last complete list
  unsigned refusals = 0;  // the same, of an optional resource

  Unreadable unreadable;

  // When the current list began, and when the last complete one did.
  Timestamp listing_since;
  Timestamp listed_since;
  // For a list in pages.
  std::string continue_token;

  // For a stream.
  WatchStream stream;
  Timestamp stream_start;
  bool stream_began = false;       // some bytes have arrived
  bool stream_progressed = false;  // some of them were an event
  bool stream_failed = false;      // the next step has been decided
  Timestamp down_since;            // the first failure since anything arrived
};

Reflector::Wanted Reflector::State::make_request(Now now) {
  const std::uint64_t seconds =
      kShortestWatchSeconds + pace.below(kLongestWatchSeconds - kShortestWatchSeconds);
  Wanted wanted;
  wanted.request.path = list_path(settings.resource);
  wanted.request.accept = list_accept(settings.resource, protobuf, step != Step::kPage);
  wanted.kind = step == Step::kPage ? Call::Kind::kRead : Call::Kind::kStream;
  wanted.deadline_ns = step == Step::kPage ? kPageDeadlineNs : kSilenceNs;
  switch (step) {
    case Step::kStreamingList:
      begin_listing(now);
      wanted.request.query = model::streaming_list_query(seconds);
      break;
    case Step::kPage:
      if (continue_token.empty()) begin_listing(now);
      wanted.request.query = model::page_query(continue_token);
      break;
    case Step::kWatch:
      count(Count::kWatches);
      wanted.request.query =
          model::watch_query(fmt::to_string(store.seen(settings.resource)), seconds);
      break;
  }
  streaming = wanted.kind == Call::Kind::kStream;
  stream = WatchStream();
  stream_start = now.mono;
  stream_began = stream_progressed = stream_failed = false;
  return wanted;
}

void Reflector::State::begin_listing(Now now) {
  listing_since = now.mono;
  count(Count::kLists);
  unreadable.list_begins();
  store.begin_listing(settings.resource);
}

void Reflector::State::fail(Now now, std::string_view why, int retry_after_seconds) {
  ++failures;
  if (down_since.is_zero()) down_since = now.mono;
  if (step != Step::kPage) count(Count::kWatchErrors);
  const Nanoseconds asked = retry_after_seconds * kNanosecondsPerSecond;
  const Nanoseconds delay = std::max(pace.delay_ns(now), asked);
  due = later_by(now.mono, delay);
  log(Severity::kWarning, 0,
      fmt::format("cannot {}: {}; retrying in {:.1f} s", lists() ? "list" : "watch", why,
                  static_cast<double>(delay) / kNanosecondsPerSecond));
}

bool Reflector::State::withheld(const Answer& answer, Now now) {
  const int code = answer.response.code;
  if (!settings.optional || answer.outcome != Answer::Outcome::kAnswered || !is_withheld(code)) {
    return false;
  }
  ++refusals;
  down_since = {};
  if (refusals == 1) {
    log(Severity::kInfo, 0,
        fmt::format(
            "the API server answered {}; continuing without them, and retrying from time to time",
            code));
  }
  // A server that is just starting may not know its own resources for a moment. Decisions must not
  // be written once they cannot be listed any more.
  const bool is_lost = code == 404 || settings.resource == Resource::kDecisions;
  if (!synced || (is_lost && refusals > 1)) store.clear(settings.resource);
  synced = true;
  continue_token.clear();
  list_anew();
  const Nanoseconds base =
      std::min(kFirstWithheldNs << std::min(refusals - 1, 10U), kLongestWithheldNs);
  const auto extra = static_cast<Nanoseconds>(pace.below(static_cast<std::uint64_t>(base / 4)));
  due = later_by(now.mono, base + extra);
  return true;
}

// The first time at once, because changes are missed until then.
void Reflector::State::list_again(Now now, std::string_view why) {
  count(Count::kRelists);
  const bool calm = pace.is_calm();
  const Nanoseconds delay = pace.delay_ns(now);
  due = calm ? now.mono : later_by(now.mono, delay);
  continue_token.clear();
  list_anew();
  log(Severity::kInfo, 1, fmt::format("listing again: {}", why));
}

void Reflector::State::go_on_in_json(Now now) {
  protobuf = false;
  go_on(now);
  log(Severity::kInfo, 1, "the API server does not support protobuf; continuing in JSON");
}

// A server that answers from the past would revert known changes.
bool Reflector::State::is_past(model::Revision revision) const {
  return revision < store.seen(settings.resource);
}

void Reflector::State::listed(model::Revision revision) {
  store.end_listing(settings.resource);
  store.advance(settings.resource, revision);
  synced = true;
  listed_since = listing_since;
  failures = 0;
  refusals = 0;
  down_since = {};
  unfinished_lists = 0;
  past_lists.clear();
  unreadable.list_ends();
  continue_token.clear();
  // The stream of a streaming list continues as a watch.
  if (step == Step::kStreamingList) count(Count::kWatches);
  step = Step::kWatch;
}

void Reflector::State::refuse_past(model::Revision revision, Now now) {
  past_lists.add(now);
  fail(now, fmt::format("the API server lists revision {}, but {} has been seen; was its storage "
                        "restored from a backup?",
                        revision, store.seen(settings.resource)));
}

void Reflector::State::page_answered(const Answer& answer, Now now) {
  const int code = answer.response.code;
  if (answer.succeeded()) {
    pace.record_success(now);
    return take_page(answer.response.body.str(), now);
  }
  if (withheld(answer, now)) return;
  if (answer.outcome == Answer::Outcome::kAnswered) {
    if (code == 410)
      return list_again(now, "the list took too long and its continue token expired");
    if (protobuf && refuses_format(code)) return go_on_in_json(now);
    // The token may be the cause: start from the first page.
    if (model::refuses_request(code)) continue_token.clear();
  }
  fail(now, describe(answer), answer.response.retry_after_seconds);
}

void Reflector::State::take_page(std::string_view body, Now now) {
  const auto page = read_page(body);
  if (!page) {
    continue_token.clear();
    return fail(now, page.error().message);
  }
  if (is_past(page->revision)) {
    continue_token.clear();
    return refuse_past(page->revision, now);
  }
  for (const std::string_view item : page->items) take_item(page->format, item, now);
  continue_token = page->continue_token;
  if (continue_token.empty()) listed(page->revision);
  go_on(now);
}

void Reflector::State::stream_answered(const Answer& answer, Now now) {
  // A watch without events is successful too.
  if (elapsed_ns(stream_start, now.mono) >= RetryBackoff::kCalmNs) pace.record_success(now);
  if (stream_failed) return;
  if (answer.outcome == Answer::Outcome::kAnswered && !answer.succeeded()) {
    return stream_refused(answer, now);
  }
  if (step == Step::kStreamingList) {
    if (stream_began && ++unfinished_lists == kMaxUnfinishedLists) {
      streams = false;
      list_anew();
    }
    return fail(now, describe(answer));
  }
  const bool ended = answer.outcome == Answer::Outcome::kEnded || answer.succeeded();
  const bool too_short = !stream_progressed && elapsed_ns(stream_start, now.mono) < kTooShortNs;
  if (ended && !too_short) return go_on(now);
  fail(now, describe(answer), answer.response.retry_after_seconds);
}

void Reflector::State::stream_refused(const Answer& answer, Now now) {
  const int code = answer.response.code;
  if (withheld(answer, now)) return;
  if (protobuf && refuses_format(code)) return go_on_in_json(now);
  if (step == Step::kStreamingList && model::refuses_request(code)) {
    count(Count::kStreamingListRefused);
    log(Severity::kInfo, 1,
        fmt::format("streaming lists are not supported ({}); listing in pages", code));
    streams = false;
    list_anew();
    return go_on(now);
  }
  if (code == 410) return list_again(now, "the revision to watch from has expired");
  fail(now, describe(answer), answer.response.retry_after_seconds);
}

void Reflector::State::take_event(const StreamEvent& event, Now now) {
  if (stream_failed) return;
  if (event.type != StreamEvent::Type::kError) pace.record_success(now);
  switch (event.type) {
    case StreamEvent::Type::kUpsert:
    case StreamEvent::Type::kRemove:
      return take_object(event, now);
    case StreamEvent::Type::kBookmark:
      return take_bookmark(event, now);
    case StreamEvent::Type::kError:
      break;
  }
  take_error(event, now);
}

// An object that cannot be decoded must not hide the others.
void Reflector::State::take_object(const StreamEvent& event, Now now) {
  stream_progressed = true;
  std::string remark;
  const auto done = event.type == StreamEvent::Type::kUpsert
                        ? store.upsert(settings.resource, event.format, event.object, &remark)
                        : store.remove(settings.resource, event.format, event.object, &remark);
  if (!done) return complain(done.error().message, true, now);
  if (!remark.empty()) complain(remark, false, now);
  // The objects of a list are unordered, so only its end has a revision.
  if (!lists()) store.advance(settings.resource, *done);
}

void Reflector::State::take_item(Store::Format format, std::string_view item, Now now) {
  std::string remark;
  const auto done = store.upsert(settings.resource, format, item, &remark);
  if (!done) return complain(done.error().message, true, now);
  if (!remark.empty()) complain(remark, false, now);
}

void Reflector::State::complain(std::string_view problem, bool damaged, Now now) {
  count(Count::kUnreadable);
  if (damaged) unreadable.list_again_later(pace, now);
  const auto line = unreadable.complain(problem, damaged, now);
  if (line) log(damaged ? Severity::kError : Severity::kWarning, 0, *line);
}

void Reflector::State::take_bookmark(const StreamEvent& event, Now now) {
  if (!lists() && event.revision != 0 && is_past(event.revision)) {
    // A watch from a future revision stays silent until then. Only a list can tell whether this
    // server lags or all of them went back.
    stream_failed = true;
    return list_again(now, fmt::format("the API server is at revision {}, but {} has been seen",
                                       event.revision, store.seen(settings.resource)));
  }
  if (!lists()) {
    stream_progressed = stream_progressed || event.revision > store.seen(settings.resource);
    return store.advance(settings.resource, event.revision);
  }
  if (!event.ends_initial_events) return;
  if (event.revision == 0) {
    stream_failed = true;
    return fail(now, "the API server's list has no revision");
  }
  if (is_past(event.revision)) {
    stream_failed = true;
    return refuse_past(event.revision, now);
  }
  stream_progressed = true;
  listed(event.revision);
}

void Reflector::State::take_error(const StreamEvent& event, Now now) {
  stream_failed = true;
  if (lost_place(event.code, event.reason)) return list_again(now, event.message);
  // An API server whose storage cannot stream lists accepts the request and then reports that.
  if (step == Step::kStreamingList && !stream_progressed) {
    count(Count::kStreamingListRefused);
    log(Severity::kInfo, 1,
        fmt::format("streaming lists are not supported ({}); listing in pages", event.message));
    streams = false;
    list_anew();
    return go_on(now);
  }
  fail(now, fmt::format("the API server said {} {}: {}", event.code, event.reason, event.message));
}

Reflector::Reflector(ReflectorSettings settings, Store& store, Telemetry& telemetry)
    : state_(std::make_unique<State>(settings, store, telemetry)) {
  EBB_CHECK(!settings.protobuf || settings.resource == Resource::kPods ||
            settings.resource == Resource::kNodes);
}
Reflector::~Reflector() = default;
Reflector::Reflector(Reflector&&) noexcept = default;
Reflector& Reflector::operator=(Reflector&&) noexcept = default;

std::optional<Reflector::Wanted> Reflector::take_wanted(Now now) {
  if (state_->in_flight || now.mono < state_->due) return std::nullopt;
  state_->in_flight = true;
  return state_->make_request(now);
}

void Reflector::answered(const Answer& answer, Now now) {
  EBB_CHECK(state_->in_flight);
  state_->in_flight = false;
  if (state_->streaming) return state_->stream_answered(answer, now);
  state_->page_answered(answer, now);
}

void Reflector::received(std::string_view bytes, Now now) {
  State& s = *state_;
  EBB_CHECK(s.in_flight && s.streaming);
  if (s.stream_failed) return;
  s.stream_began = true;
  s.down_since = {};
  const auto fed =
      s.stream.feed(bytes, [&](const StreamEvent& event) { s.take_event(event, now); });
  if (fed || s.stream_failed) return;
  s.stream_failed = true;
  s.list_again(now, fed.error().message);
}

void Reflector::wake(Now now) {
  State& s = *state_;
  if (!s.in_flight || s.lists() || s.stream_failed) return;
  const Timestamp list_at = s.unreadable.list_at(s.store.mixed());
  if (list_at.is_zero() || now.mono < list_at) return;
  s.stream_failed = true;
  s.list_again(now, "an object could not be decoded");
}

Timestamp Reflector::wake_at() const {
  if (!state_->in_flight) return state_->due;
  if (state_->lists()) return {};
  return state_->unreadable.list_at(state_->store.mixed());
}

bool Reflector::wants_cancel() const { return state_->in_flight && state_->stream_failed; }

void Reflector::cancelled(Now now) {
  EBB_CHECK(state_->in_flight);
  state_->in_flight = false;
  if (!state_->stream_failed) state_->go_on(now);
}

void Reflector::refresh(Now now) {
  State& s = *state_;
  if (s.lists()) return;
  s.stream_failed = true;  // so that the watch is cancelled
  s.list_anew();
  s.go_on(now);
}

Timestamp Reflector::down_since(Now now) const {
  const State& s = *state_;
  const bool is_open =
      s.in_flight && s.streaming && elapsed_ns(s.stream_start, now.mono) >= kQuietStreamNs;
  return is_open ? Timestamp() : s.down_since;
}

bool Reflector::listed_since(Timestamp mono) const {
  return !state_->listed_since.is_zero() && state_->listed_since >= mono;
}

bool Reflector::is_optional() const { return state_->settings.optional; }

bool Reflector::went_back(Now now) const { return state_->past_lists.believed(now); }

bool Reflector::synced() const {
  const State& s = *state_;
  return s.synced || (s.settings.optional && s.failures >= kMaxFailureBackoffs);
}

}  // namespace ebb::control
