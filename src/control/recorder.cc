#include "control/recorder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/agenda.h"
#include "model/requests.h"

namespace ebb::control {
namespace {

constexpr std::size_t kMostWaiting = 1000;
constexpr std::size_t kMostUnderWay = 8;
constexpr int kMostTries = 12;
constexpr Nanoseconds kBetweenTriesNs = 10 * kNanosecondsPerSecond;
constexpr Nanoseconds kBetweenLastTriesNs = kNanosecondsPerSecond / 4;

// Events about what has no namespace are kept in the default one.
std::string namespace_of(const Note& note) {
  return note.name_space.empty() ? "default" : note.name_space;
}

model::ApiRequest create_event(const Correlated& event) {
  const Note& note = event.note;
  boost::json::object about{{"kind", note.kind->name},
                            {"namespace", note.name_space},
                            {"name", note.name},
                            {"uid", note.uid},
                            {"apiVersion", note.kind->api_version()},
                            {"resourceVersion", note.resource_version}};
  const boost::json::object document{
      {"apiVersion", "v1"},
      {"kind", "Event"},
      {"metadata", {{"name", event.name}, {"namespace", namespace_of(note)}}},
      {"involvedObject", std::move(about)},
      {"reason", note.reason},
      {"message", note.message},
      {"source", {{"component", note.component}}},
      {"firstTimestamp", model::time_text(event.first)},
      {"lastTimestamp", model::time_text(event.last)},
      {"count", event.count},
      {"type", note.warning ? "Warning" : "Normal"},
      {"reportingComponent", note.component},
      {"reportingInstance", ""}};
  return model::create_request(model::collection_path(*model::event_kind(), namespace_of(note)),
                               document);
}

model::ApiRequest update_event(const Correlated& event) {
  const std::string path = model::object_path(
      *model::event_kind(), {.namespace_name = namespace_of(event.note), .name = event.name});
  return model::strategic_patch_request(path, {{"count", event.count},
                                               {"lastTimestamp", model::time_text(event.last)},
                                               {"message", event.note.message}});
}

// The server could not be reached, or could not cope. Anything else it says is its last word.
bool worth_another_try(const Answer& answer) {
  return answer.outcome != Answer::Outcome::kAnswered || answer.response.code == 429 ||
         answer.unknown();
}

std::string describe(const Answer& answer) {
  if (answer.outcome == Answer::Outcome::kAnswered) {
    return fmt::format("the API server answered {}", answer.response.code);
  }
  std::string text = "the API server could not be reached";
  if (!answer.error.empty()) text += ": " + answer.error;
  return text;
}

}  // namespace

void Recorder::note(Note note, Now now) {
  std::optional<Correlated> event = correlator_.correlate(std::move(note), now);
  if (!event) return telemetry_.count(Count::kEventsDropped);
  if (Item* const same = find_waiting(event->name)) {
    same->event = std::move(*event);
    return;
  }
  Item item{.ticket = next_ticket_++, .event = std::move(*event)};
  item.creates = !item.event.repeated();
  if (!given_up_.empty()) return drop(item, given_up_);
  if (waiting_.size() >= kMostWaiting) return drop(item, "too many wait");
  waiting_.push_back(std::move(item));
}

Recorder::Item* Recorder::find_waiting(const std::string& name) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&name](const Item& each) { return each.event.name == name; });
  return found == waiting_.end() ? nullptr : &*found;
}

void Recorder::drop(const Item& item, std::string_view why) {
  telemetry_.count(Count::kEventsDropped);
  if (!telemetry_.logs(2)) return;
  const Note& note = item.event.note;
  telemetry_.log(Severity::kWarning, 2,
                 fmt::format("dropped an event about {}/{} ({}): {}", note.name_space, note.name,
                             note.reason, why),
                 {{"object", ObjectName{note.name_space, note.name}},
                  {"kind", note.kind->name},
                  {"reason", note.reason},
                  {"err", why}});
}

bool Recorder::can_go(const Item& item, Timestamp mono) const {
  if (mono < item.not_before) return false;
  return std::none_of(under_way_.begin(), under_way_.end(),
                      [&item](const Item& other) { return other.event.name == item.event.name; });
}

// While there is plenty of time, in the order in which things happened.
std::deque<Recorder::Item>::iterator Recorder::next(Timestamp mono) {
  const auto goes = [this, mono](const Item& each) { return can_go(each, mono); };
  if (stopped_) {
    const auto decision = std::find_if(waiting_.begin(), waiting_.end(), [&goes](const Item& each) {
      return each.event.note.reason == kDecisionReason && goes(each);
    });
    if (decision != waiting_.end()) return decision;
  }
  return std::find_if(waiting_.begin(), waiting_.end(), goes);
}

void Recorder::stop() {
  stopped_ = true;
  for (Item& item : waiting_) item.not_before = {};
}

void Recorder::give_up(std::string_view why) {
  given_up_ = why;
  for (const Item& item : under_way_) drop(item, why);
  for (const Item& item : waiting_) drop(item, why);
  under_way_.clear();
  waiting_.clear();
}

std::optional<Recorder::Wanted> Recorder::take_wanted(Now now) {
  if (under_way_.size() >= kMostUnderWay) return std::nullopt;
  const auto item = next(now.mono);
  if (item == waiting_.end()) return std::nullopt;
  under_way_.push_back(std::move(*item));
  waiting_.erase(item);
  const Item& taken = under_way_.back();
  return Wanted{.ticket = taken.ticket,
                .request = taken.creates ? create_event(taken.event) : update_event(taken.event)};
}

void Recorder::answered(std::uint64_t ticket, const Answer& answer, Now now) {
  const auto found = std::find_if(under_way_.begin(), under_way_.end(),
                                  [ticket](const Item& each) { return each.ticket == ticket; });
  if (found == under_way_.end()) return;
  Item item = std::move(*found);
  under_way_.erase(found);
  if (answer.succeeded()) return;
  const int code = answer.outcome == Answer::Outcome::kAnswered ? answer.response.code : 0;
  const bool gone = code == 404 && !item.creates;
  const bool there_already = code == 409 && item.creates;
  if (!gone && !there_already && !worth_another_try(answer)) {
    return drop(item, fmt::format("the API server refused it with {}", code));
  }
  if (++item.tries >= kMostTries) return drop(item, describe(answer));
  if (gone || there_already) {
    item.creates = gone;
  } else if (stopped_) {
    item.not_before = later_by(now.mono, kBetweenLastTriesNs);
  } else {
    // The first wait is spread, so that not everybody comes at once after an outage.
    const double share = item.tries == 1 ? jitter_.fraction() : 1;
    item.not_before =
        later_by(now.mono, static_cast<Nanoseconds>(share * static_cast<double>(kBetweenTriesNs)));
  }
  put_back(std::move(item));
}

void Recorder::put_back(Item item) {
  Item* const newer = find_waiting(item.event.name);
  if (newer == nullptr) {
    waiting_.push_front(std::move(item));
    return;
  }
  newer->creates = item.creates;
  newer->tries = item.tries;
  newer->not_before = item.not_before;
}

Timestamp Recorder::wake_at() const {
  if (under_way_.size() >= kMostUnderWay) return {};
  Timestamp wake;
  // Those without a time of their own wait for an answer.
  for (const Item& item : waiting_) wake = sooner(wake, item.not_before);
  return wake;
}

}  // namespace ebb::control
