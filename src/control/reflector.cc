#include "control/reflector.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/agenda.h"
#include "base/check.h"
#include "control/list_page.h"
#include "control/list_query.h"
#include "control/retry_pace.h"
#include "control/watch_stream.h"
#include "model/list_query.h"

namespace ebb::control {
namespace {

using model::refuses_request;

// As long as API servers give a request.
constexpr Nanoseconds kPageDeadlineNs = 60 * kNanosecondsPerSecond;
// A server that has nothing to tell sends a bookmark about every minute, though nothing says that
// it must. Three minutes of silence are more likely a dead connection than a quiet one, and
// going on from the last place costs little if not.
constexpr Nanoseconds kSilenceNs = 180 * kNanosecondsPerSecond;
constexpr std::uint64_t kShortestWatchSeconds = 300;
constexpr std::uint64_t kLongestWatchSeconds = 600;
// A watch that ends sooner, and without telling anything, has failed.
constexpr Nanoseconds kTooShortNs = kNanosecondsPerSecond;
// So many streaming lists may begin and not come to their end before pages are tried instead.
constexpr unsigned kMostUnfinishedLists = 3;
// An optional resource that fails so often in other ways is not waited for either.
constexpr unsigned kMostFailuresWaitedFor = 5;
constexpr Nanoseconds kFirstWithheldNs = 30 * kNanosecondsPerSecond;
constexpr Nanoseconds kLongestWithheldNs = 300 * kNanosecondsPerSecond;
// For so long, and so often, a list may be older than what is known before that is taken for
// good. A consistent list never is, so this is no matter of a replica that lags behind.
constexpr Nanoseconds kBelievedBackNs = 60 * kNanosecondsPerSecond;
constexpr unsigned kBelievedBackLists = 5;

bool refuses_format(int code) { return code == 406 || code == 415; }

// There is no such resource here, or it is not for us.
bool is_withheld(int code) { return code == 403 || code == 404; }

bool lost_place(int code, std::string_view reason) {
  return code == 410 || reason == "Expired" || reason == "Gone";
}

std::string describe(const Answer& answer) {
  switch (answer.outcome) {
    case Answer::Outcome::kAnswered:
      return fmt::format("the API server answered {}", answer.response.code);
    case Answer::Outcome::kUnknown:
      return "the connection broke, or there was silence for too long";
    case Answer::Outcome::kNotSent:
      return "there is no connection";
    case Answer::Outcome::kEnded:
      break;
  }
  return "the API server ended it";
}

}  // namespace

struct Reflector::State {
  enum class Step : std::uint8_t { kStreamingList, kPage, kWatch };

  State(ReflectorSettings given, Store& into, Telemetry& tell)
      : settings(given), store(into), telemetry(tell), pace(given.seed), protobuf(given.protobuf) {}

  [[nodiscard]] Wanted make_request(Now now);
  void begin_listing();

  void page_answered(const Answer& answer, Now now);
  void take_page(std::string_view body, Now now);
  void stream_answered(const Answer& answer, Now now);
  void stream_refused(const Answer& answer, Now now);
  void take_event(const StreamEvent& event, Now now);
  void take_object(const StreamEvent& event);
  void take_bookmark(const StreamEvent& event, Now now);
  void take_error(const StreamEvent& event, Now now);
  [[nodiscard]] bool is_past(model::Revision revision) const;
  void listed(model::Revision revision);
  void refuse_past(model::Revision revision, Now now);

  // Whether that was it: an optional resource was withheld.
  bool withheld(const Answer& answer, Now now);
  void list_again(Now now, std::string_view why);
  void list_anew() { step = streams ? Step::kStreamingList : Step::kPage; }
  // Goes on with the current step, later.
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
  RetryPace pace;
  bool protobuf;
  bool streams = true;  // streaming lists are worth a try
  unsigned unfinished_lists = 0;
  unsigned past_lists = 0;  // in a row
  Timestamp past_since{};

  Step step = Step::kStreamingList;  // under way, or else the next one
  bool under_way = false;
  bool streaming = false;                          // and it is a stream
  Timestamp due = Timestamp::from_nanoseconds(0);  // of the next step
  bool synced = false;
  unsigned failures = 0;  // since it was last listed
  unsigned refusals = 0;  // likewise, of an optional resource

  // Of a list in pages.
  std::string continue_token;

  // Of a stream.
  WatchStream stream;
  Timestamp stream_start;
  bool stream_began = false;   // something has come
  bool stream_told = false;    // and it was news
  bool stream_failed = false;  // what is to be done next has been decided
};

Reflector::Wanted Reflector::State::make_request(Now now) {
  const std::uint64_t seconds =
      kShortestWatchSeconds + pace.below(kLongestWatchSeconds - kShortestWatchSeconds);
  Wanted wanted;
  wanted.request.path = list_path(settings.resource);
  wanted.request.accept = list_accept(protobuf);
  wanted.kind = step == Step::kPage ? Call::Kind::kRead : Call::Kind::kStream;
  wanted.deadline_ns = step == Step::kPage ? kPageDeadlineNs : kSilenceNs;
  switch (step) {
    case Step::kStreamingList:
      begin_listing();
      wanted.request.query = model::streaming_list_query(seconds);
      break;
    case Step::kPage:
      if (continue_token.empty()) begin_listing();
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
  stream_began = stream_told = stream_failed = false;
  return wanted;
}

void Reflector::State::begin_listing() {
  count(Count::kLists);
  store.begin_listing(settings.resource);
}

void Reflector::State::fail(Now now, std::string_view why, int retry_after_seconds) {
  ++failures;
  if (step != Step::kPage) count(Count::kWatchErrors);
  const Nanoseconds asked = retry_after_seconds * kNanosecondsPerSecond;
  const Nanoseconds delay = std::max(pace.delay_ns(now), asked);
  due = later_by(now.mono, delay);
  log(Severity::kWarning, 0,
      fmt::format("cannot {}: {}; trying again in {:.1f} s", lists() ? "list" : "watch", why,
                  static_cast<double>(delay) / kNanosecondsPerSecond));
}

bool Reflector::State::withheld(const Answer& answer, Now now) {
  const int code = answer.response.code;
  if (!settings.optional || answer.outcome != Answer::Outcome::kAnswered || !is_withheld(code)) {
    return false;
  }
  ++refusals;
  if (refusals == 1) {
    log(Severity::kInfo, 0,
        fmt::format("the API server answers {}; going on without them, and asking again now and "
                    "then",
                    code));
  }
  // A server that is just starting may not know its own resources for a moment.
  if (!synced || (code == 404 && refusals > 1)) store.clear(settings.resource);
  synced = true;
  continue_token.clear();
  list_anew();
  const Nanoseconds base =
      std::min(kFirstWithheldNs << std::min(refusals - 1, 10U), kLongestWithheldNs);
  const auto extra = static_cast<Nanoseconds>(pace.below(static_cast<std::uint64_t>(base / 4)));
  due = later_by(now.mono, base + extra);
  return true;
}

// The first time at once, for until then nothing is known of what has happened.
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
  log(Severity::kInfo, 1, "the API server has no protobuf; going on in JSON");
}

// A server that answers from the past would take back what is known already.
bool Reflector::State::is_past(model::Revision revision) const {
  return revision < store.seen(settings.resource);
}

void Reflector::State::listed(model::Revision revision) {
  store.end_listing(settings.resource);
  store.advance(settings.resource, revision);
  synced = true;
  failures = 0;
  refusals = 0;
  unfinished_lists = 0;
  past_lists = 0;
  continue_token.clear();
  // The stream of a streaming list goes on as a watch.
  if (step == Step::kStreamingList) count(Count::kWatches);
  step = Step::kWatch;
}

void Reflector::State::refuse_past(model::Revision revision, Now now) {
  if (past_lists++ == 0) past_since = now.mono;
  fail(now, fmt::format("the API server lists revision {}, but {} has been seen; was its storage "
                        "restored from a backup?",
                        revision, store.seen(settings.resource)));
}

void Reflector::State::page_answered(const Answer& answer, Now now) {
  const int code = answer.response.code;
  if (answer.succeeded()) {
    pace.went_well(now);
    return take_page(answer.response.body.str(), now);
  }
  if (withheld(answer, now)) return;
  if (answer.outcome == Answer::Outcome::kAnswered) {
    if (code == 410) return list_again(now, "the list took too long and its place expired");
    if (protobuf && refuses_format(code)) return go_on_in_json(now);
    // It may be the token: from the beginning.
    if (refuses_request(code)) continue_token.clear();
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
  for (const std::string_view item : page->items) {
    const auto done = store.upsert(settings.resource, page->format, item);
    if (!done) log(Severity::kError, 0, done.error().message);
  }
  continue_token = page->continue_token;
  if (continue_token.empty()) listed(page->revision);
  go_on(now);
}

void Reflector::State::stream_answered(const Answer& answer, Now now) {
  // A watch that nothing happened on has gone well all the same.
  if (elapsed_ns(stream_start, now.mono) >= RetryPace::kCalmNs) pace.went_well(now);
  if (stream_failed) return;
  if (answer.outcome == Answer::Outcome::kAnswered && !answer.succeeded()) {
    return stream_refused(answer, now);
  }
  if (step == Step::kStreamingList) {
    if (stream_began && ++unfinished_lists == kMostUnfinishedLists) {
      streams = false;
      list_anew();
    }
    return fail(now, describe(answer));
  }
  const bool ended = answer.outcome == Answer::Outcome::kEnded || answer.succeeded();
  const bool too_short = !stream_told && elapsed_ns(stream_start, now.mono) < kTooShortNs;
  if (ended && !too_short) return go_on(now);
  fail(now, describe(answer), answer.response.retry_after_seconds);
}

void Reflector::State::stream_refused(const Answer& answer, Now now) {
  const int code = answer.response.code;
  if (withheld(answer, now)) return;
  if (protobuf && refuses_format(code)) return go_on_in_json(now);
  if (step == Step::kStreamingList && refuses_request(code)) {
    count(Count::kStreamingListRefused);
    log(Severity::kInfo, 1, fmt::format("no streaming lists here ({}); listing in pages", code));
    streams = false;
    list_anew();
    return go_on(now);
  }
  if (code == 410) return list_again(now, "the place to watch from has expired");
  fail(now, describe(answer), answer.response.retry_after_seconds);
}

void Reflector::State::take_event(const StreamEvent& event, Now now) {
  if (stream_failed) return;
  if (event.type != StreamEvent::Type::kError) pace.went_well(now);
  switch (event.type) {
    case StreamEvent::Type::kUpsert:
    case StreamEvent::Type::kRemove:
      return take_object(event);
    case StreamEvent::Type::kBookmark:
      return take_bookmark(event, now);
    case StreamEvent::Type::kError:
      break;
  }
  take_error(event, now);
}

// An object that cannot be understood must not keep the others from being seen.
void Reflector::State::take_object(const StreamEvent& event) {
  stream_told = true;
  const auto done = event.type == StreamEvent::Type::kUpsert
                        ? store.upsert(settings.resource, event.format, event.object)
                        : store.remove(settings.resource, event.format, event.object);
  if (!done) return log(Severity::kError, 0, done.error().message);
  // In a list objects come in no order, so only its end says how far it goes.
  if (!lists()) store.advance(settings.resource, *done);
}

void Reflector::State::take_bookmark(const StreamEvent& event, Now now) {
  if (!lists() && event.revision != 0 && is_past(event.revision)) {
    // A watch from a revision that is still to come is silent until then. Only a list can tell
    // whether this server lags behind or all of them went back.
    stream_failed = true;
    return list_again(now, fmt::format("the API server is at revision {}, but {} has been seen",
                                       event.revision, store.seen(settings.resource)));
  }
  if (!lists()) {
    stream_told = stream_told || event.revision > store.seen(settings.resource);
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
  stream_told = true;
  listed(event.revision);
}

void Reflector::State::take_error(const StreamEvent& event, Now now) {
  stream_failed = true;
  if (lost_place(event.code, event.reason)) return list_again(now, event.message);
  // An API server whose storage cannot stream a list accepts the request and then says so.
  if (step == Step::kStreamingList && !stream_told) {
    count(Count::kStreamingListRefused);
    log(Severity::kInfo, 1,
        fmt::format("no streaming lists here ({}); listing in pages", event.message));
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
  if (state_->under_way || now.mono < state_->due) return std::nullopt;
  state_->under_way = true;
  return state_->make_request(now);
}

void Reflector::answered(const Answer& answer, Now now) {
  EBB_CHECK(state_->under_way);
  state_->under_way = false;
  if (state_->streaming) return state_->stream_answered(answer, now);
  state_->page_answered(answer, now);
}

void Reflector::received(std::string_view bytes, Now now) {
  State& s = *state_;
  EBB_CHECK(s.under_way && s.streaming);
  if (s.stream_failed) return;
  s.stream_began = true;
  const auto fed =
      s.stream.feed(bytes, [&](const StreamEvent& event) { s.take_event(event, now); });
  if (fed || s.stream_failed) return;
  s.stream_failed = true;
  s.list_again(now, fed.error().message);
}

Timestamp Reflector::wake_at() const { return state_->under_way ? Timestamp() : state_->due; }

bool Reflector::wants_cancel() const { return state_->under_way && state_->stream_failed; }

void Reflector::cancelled(Now now) {
  EBB_CHECK(state_->under_way);
  state_->under_way = false;
  if (!state_->stream_failed) state_->go_on(now);
}

bool Reflector::went_back(Now now) const {
  return state_->past_lists >= kBelievedBackLists &&
         elapsed_ns(state_->past_since, now.mono) >= kBelievedBackNs;
}

bool Reflector::synced() const {
  const State& s = *state_;
  return s.synced || (s.settings.optional && s.failures >= kMostFailuresWaitedFor);
}

}  // namespace ebb::control
