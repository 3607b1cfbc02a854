#include "control/process/recorder.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/deadline_queue.h"
#include "model/api/requests.h"

namespace ebb::control {
namespace {

constexpr std::size_t kMaxWaiting = 1000;
constexpr std::size_t kMaxInFlight = 8;
constexpr int kMaxTries = 12;
constexpr Nanoseconds kBetweenTriesNs = 10 * kNanosecondsPerSecond;
constexpr Nanoseconds kBetweenLastTriesNs = kNanosecondsPerSecond / 4;

// Events about objects without a namespace go to the default namespace.
std::string namespace_of(const Event& content) {
  return content.namespace_name.empty() ? "default" : content.namespace_name;
}

model::ApiRequest create_event(const Correlated& event) {
  const Event& content = event.content;
  boost::json::object about{{"kind", content.kind->name},
                            {"namespace", content.namespace_name},
                            {"name", content.name},
                            {"uid", content.uid},
                            {"apiVersion", content.kind->api_version()},
                            {"resourceVersion", content.resource_version}};
  const boost::json::object document{
      {"apiVersion", "v1"},
      {"kind", "Event"},
      {"metadata", {{"name", event.name}, {"namespace", namespace_of(content)}}},
      {"involvedObject", std::move(about)},
      {"reason", content.reason},
      {"message", content.message},
      {"source", {{"component", content.component}}},
      {"firstTimestamp", model::time_text(event.first)},
      {"lastTimestamp", model::time_text(event.last)},
      {"count", event.count},
      {"type", content.warning ? "Warning" : "Normal"},
      {"reportingComponent", content.component},
      {"reportingInstance", ""}};
  return model::create_request(model::collection_path(*model::event_kind(), namespace_of(content)),
                               document);
}

model::ApiRequest update_event(const Correlated& event) {
  const std::string path = model::object_path(
      *model::event_kind(), {.namespace_name = namespace_of(event.content), .name = event.name});
  return model::strategic_patch_request(path, {{"count", event.count},
                                               {"lastTimestamp", model::time_text(event.last)},
                                               {"message", event.content.message}});
}

// The server was unreachable or overloaded. Any other error is final.
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

void Recorder::record_event(Event content, Now now) {
  std::optional<Correlated> event = correlator_.correlate(std::move(content), now);
  if (!event) return telemetry_.count(Count::kEventsDropped);
  if (Item* const same = find_waiting(event->name)) {
    same->event = std::move(*event);
    return;
  }
  Item item{.ticket = next_ticket_++, .event = std::move(*event)};
  item.creates = !item.event.repeated();
  if (!given_up_.empty()) return drop(item, given_up_);
  waiting_.push_back(std::move(item));
  if (waiting_.size() > kMaxWaiting) make_room();
}

void Recorder::make_room() {
  std::map<std::string_view, std::size_t> waiting;
  for (const Item& each : waiting_) ++waiting[each.event.content.namespace_name];
  const auto most = std::max_element(waiting.begin(), waiting.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  const auto last = std::find_if(waiting_.rbegin(), waiting_.rend(), [&](const Item& each) {
    return each.event.content.namespace_name == most->first;
  });
  drop(*last, "too many events are waiting");
  waiting_.erase(std::next(last).base());
}

Recorder::Item* Recorder::find_waiting(const std::string& name) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&name](const Item& each) { return each.event.name == name; });
  return found == waiting_.end() ? nullptr : &*found;
}

void Recorder::drop(const Item& item, std::string_view why) {
  telemetry_.count(Count::kEventsDropped);
  if (!telemetry_.logs(2)) return;
  const Event& content = item.event.content;
  telemetry_.log(Severity::kWarning, 2,
                 fmt::format("dropped an event about {}/{} ({}): {}", content.namespace_name,
                             content.name, content.reason, why),
                 {{"object", ObjectName{content.namespace_name, content.name}},
                  {"kind", content.kind->name},
                  {"reason", content.reason},
                  {"err", why}});
}

bool Recorder::can_go(const Item& item, Timestamp mono) const {
  if (mono < item.not_before) return false;
  return std::none_of(in_flight_.begin(), in_flight_.end(),
                      [&item](const Item& other) { return other.event.name == item.event.name; });
}

// In a namespace oldest first; while stopping, decisions before other events.
std::deque<Recorder::Item>::iterator Recorder::next(Timestamp mono) {
  const auto goes = [this, mono](const Item& each) { return can_go(each, mono); };
  if (stopped_) {
    const auto decision = std::find_if(waiting_.begin(), waiting_.end(), [&goes](const Item& each) {
      return each.event.content.reason == kDecisionReason && goes(each);
    });
    if (decision != waiting_.end()) return decision;
  }
  // The next namespace by name has its turn.
  const auto turn = [this](const Item& item) {
    const std::string& name = item.event.content.namespace_name;
    return std::pair<bool, std::string_view>(name <= last_turn_, name);
  };
  auto best = waiting_.end();
  for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
    if (goes(*each) && (best == waiting_.end() || turn(*each) < turn(*best))) best = each;
  }
  return best;
}

void Recorder::stop() {
  stopped_ = true;
  for (Item& item : waiting_) item.not_before = {};
}

void Recorder::give_up(std::string_view why) {
  given_up_ = why;
  for (const Item& item : in_flight_) drop(item, why);
  for (const Item& item : waiting_) drop(item, why);
  in_flight_.clear();
  waiting_.clear();
}

std::optional<Recorder::Wanted> Recorder::take_wanted(Now now) {
  if (in_flight_.size() >= kMaxInFlight) return std::nullopt;
  const auto item = next(now.mono);
  if (item == waiting_.end()) return std::nullopt;
  in_flight_.push_back(std::move(*item));
  waiting_.erase(item);
  const Item& taken = in_flight_.back();
  last_turn_ = taken.event.content.namespace_name;
  return Wanted{.ticket = taken.ticket,
                .request = taken.creates ? create_event(taken.event) : update_event(taken.event)};
}

void Recorder::answered(std::uint64_t ticket, const Answer& answer, Now now) {
  const auto found = std::find_if(in_flight_.begin(), in_flight_.end(),
                                  [ticket](const Item& each) { return each.ticket == ticket; });
  if (found == in_flight_.end()) return;
  Item item = std::move(*found);
  in_flight_.erase(found);
  if (answer.succeeded()) return;
  const int code = answer.outcome == Answer::Outcome::kAnswered ? answer.response.code : 0;
  const bool gone = code == 404 && !item.creates;
  const bool there_already = code == 409 && item.creates;
  if (!gone && !there_already && !worth_another_try(answer)) {
    return drop(item, fmt::format("the API server refused it with {}", code));
  }
  if (++item.tries >= kMaxTries) return drop(item, describe(answer));
  if (gone || there_already) {
    item.creates = gone;
  } else if (stopped_) {
    item.not_before = later_by(now.mono, kBetweenLastTriesNs);
  } else {
    // The first delay is random, so that clients do not all retry at once after an outage.
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
  if (in_flight_.size() >= kMaxInFlight) return {};
  Timestamp wake;
  // Items without a time of their own wait for an answer.
  for (const Item& item : waiting_) wake = sooner(wake, item.not_before);
  return wake;
}

}  // namespace ebb::control
