#include "sim/link/link_stream.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/response/encode_response.h"
#include "model/api/status.h"
#include "schema/core/envelope.h"
#include "sim/core/garble.h"
#include "sim/link/wording.h"

namespace ebb::sim {
namespace {

using control::Answer;
using control::CallId;

// The kind whose collection a path names, among those that controllers watch.
const schema::Kind* kind_of(std::string_view path) {
  for (const schema::Kind& kind : schema::kinds()) {
    if (path.size() > kind.plural.size() && path.ends_with(kind.plural) &&
        path[path.size() - kind.plural.size() - 1] == '/') {
      return &kind;
    }
  }
  return nullptr;
}

std::string expired_event(bool protobuf) {
  apiserver::Form form;
  if (protobuf) form.encoding = apiserver::Encoding::kProtobuf;
  Bytes event;
  apiserver::append_error(event, form, model::expired("too old resource version"));
  return event.str();
}

}  // namespace

void Link::open(const FlightPtr& flight, const model::ApiRequest& request) {
  const CallId id = flight->call.id;
  const auto waiting = unanswered_.find(id);
  if (waiting == unanswered_.end() || waiting->second != flight || user_ == nullptr) return;
  if (context_.refuses_streaming_lists &&
      request.query.find("sendInitialEvents") != std::string::npos) {
    Answer refused;
    refused.response.code = 422;
    refused.response.body = Bytes(
        R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,)"
        R"("message":"sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled"})");
    return answer(flight, refused);
  }
  const apiserver::Reply reply = context_.api.handle(request);
  if (reply.retry_after != 0) {
    context_.time.at(reply.retry_at,
                     [self = shared_from_this(), flight, request] { self->open(flight, request); });
    return;
  }
  if (reply.watch == nullptr) {
    return answer(flight, {.outcome = Answer::Outcome::kAnswered, .response = reply.response});
  }
  auto stream = std::make_unique<Stream>();
  stream->call = flight->call;
  stream->kind = kind_of(request.path);
  stream->cursor = reply.watch;
  stream->protobuf = reply.response.content_type.starts_with(schema::kProtobufMediaType);
  stream->last_heard = context_.time.now();
  unanswered_.erase(waiting);
  streams_.emplace(id, std::move(stream));
  context_.trace.line(name_, fmt::format("#{} begins", id));
  schedule_poll(id);
  watch_silence(id);
}

void Link::changed(const schema::Kind* kind) {
  for (const auto& entry : streams_) {
    if (entry.second->kind == kind) schedule_poll(entry.first);
  }
}

void Link::schedule_poll(CallId id) {
  Stream& stream = *streams_.at(id);
  if (std::exchange(stream.poll_due, true)) return;
  Nanoseconds delay = up_to(kMillisecond);
  if (meet(Fault::kLagging)) delay = up_to(3 * kSecond);
  // It catches up in between.
  const bool caught_up = context_.time.now() >= later_by(stream.held_until, kSecond);
  if (context_.pod_lag_ns > 0 && stream.kind->plural == "pods" && caught_up &&
      random_.chance(0.3)) {
    stream.held_until = later_by(context_.time.now(), up_to(context_.pod_lag_ns));
  }
  if (meet(Fault::kStale)) {
    stream.held_until = later_by(context_.time.now(), 2 * kSecond + up_to(40 * kSecond));
  }
  context_.time.at(std::max(later_by(context_.time.now(), delay), stream.held_until),
                   [self = shared_from_this(), id] { self->poll(id); });
}

// Reads new events from the server.
void Link::poll(CallId id) {
  const auto found = streams_.find(id);
  if (found == streams_.end() || user_ == nullptr) return;
  Stream& stream = *found->second;
  stream.poll_due = false;
  if (stream.ended || holding_) return;
  // One event at a time, so that each can be held back.
  const apiserver::Frames frames = context_.api.follow(*stream.cursor, 1);
  if (!frames.bytes.empty()) {
    ++events_;
    std::string event = frames.bytes.str();
    if (random_.chance(context_.profile[Fault::kGarbled]) &&
        garble_event(event, stream.protobuf, random_)) {
      context_.met.add(Fault::kGarbled);
      context_.trace.line(name_, fmt::format("#{} ! {}", id, to_string(Fault::kGarbled)));
    }
    stream.unheard += event;
    stream.hiding = events_ == hidden_event_;
  }
  stream.ended = frames.ended;
  if (frames.ended && frames.bytes.str().find("ERROR") != std::string::npos) {
    context_.met.add(Fault::kExpired);
  }
  if (disturb(stream)) return;
  if (!stream.unheard.empty() || stream.ended) schedule_delivery(stream);
  if (stream.ended) return;
  if (frames.more) return schedule_poll(id);
  if (!frames.wake_at.is_zero()) {
    context_.time.at(frames.wake_at, [self = weak_from_this(), id] {
      const auto link = self.lock();
      if (link && link->streams_.contains(id)) link->schedule_poll(id);
    });
  }
}

// Returns whether a fault has ended the stream.
bool Link::disturb(Stream& stream) {
  if (meet(Fault::kSilent)) stream.silent = true;
  if (meet(Fault::kGoneMidStream)) {
    stream.unheard += expired_event(stream.protobuf);
    stream.ended = true;
  }
  if (meet(Fault::kCut)) {
    const CallId id = stream.call.id;
    // At any byte, also within an event.
    const std::string heard = stream.unheard.substr(0, random_.below(stream.unheard.size() + 1));
    if (!heard.empty() && !stream.silent) user_->received(id, heard);
    // The process may have closed the stream in response.
    if (streams_.contains(id)) end(id, Answer::Outcome::kUnknown);
    return true;
  }
  if (meet(Fault::kRestarted)) stream.ended = true;
  return false;
}

void Link::schedule_delivery(Stream& stream) {
  if (stream.hiding && !stream.ended) return;
  if (std::exchange(stream.delivery_due, true)) return;
  context_.time.after(up_to(5 * kMillisecond),
                      [self = shared_from_this(), id = stream.call.id] { self->deliver(id); });
}

void Link::deliver(CallId id) {
  const auto found = streams_.find(id);
  if (found == streams_.end() || user_ == nullptr) return;
  Stream& stream = *found->second;
  stream.delivery_due = false;
  if (stream.silent) return;
  std::size_t size = stream.unheard.size();
  if (size > 1 && meet(Fault::kTornPieces)) size = 1 + random_.below(size - 1);
  const std::string piece = stream.unheard.substr(0, size);
  stream.unheard.erase(0, size);
  stream.last_heard = context_.time.now();
  const bool rest = !stream.unheard.empty();
  const bool over = stream.ended && !rest;
  if (rest) schedule_delivery(stream);
  if (!piece.empty()) {
    context_.trace.line(name_, fmt::format("#{} < {} bytes", id, piece.size()));
    user_->received(id, piece);
  }
  // The process may have cancelled the stream or ended in response.
  if (over && streams_.contains(id)) end(id, Answer::Outcome::kEnded);
}

// Ends a stream that was silent for too long, as a real runtime does.
void Link::watch_silence(CallId id) {
  const auto found = streams_.find(id);
  if (found == streams_.end()) return;
  const Stream& stream = *found->second;
  const Timestamp patience = later_by(stream.last_heard, stream.call.deadline_ns);
  if (patience <= context_.time.now()) return end(id, Answer::Outcome::kUnknown);
  context_.time.at(patience, [self = weak_from_this(), id] {
    if (const auto link = self.lock()) link->watch_silence(id);
  });
}

void Link::end(CallId id, Answer::Outcome outcome) {
  streams_.erase(id);
  if (user_ == nullptr) return;
  const Answer answer{.outcome = outcome, .response = {}};
  context_.trace.line(name_, fmt::format("#{} = {}", id, describe(answer)));
  user_->answered(id, answer);
}

void Link::hold_streams() {
  // Events up to now are delivered.
  for (const auto& entry : streams_) {
    Stream& stream = *entry.second;
    for (bool more = !stream.ended; more;) {
      const apiserver::Frames frames = context_.api.follow(*stream.cursor, 1);
      stream.unheard += frames.bytes.str();
      stream.ended = frames.ended;
      more = frames.more;
    }
    if (!stream.unheard.empty()) schedule_delivery(stream);
  }
  holding_ = true;
}

void Link::let_streams_go() {
  holding_ = false;
  for (const auto& entry : streams_) schedule_poll(entry.first);
}

void Link::cut_streams() {
  while (user_ != nullptr && !streams_.empty()) {
    end(streams_.begin()->first, Answer::Outcome::kUnknown);
  }
}

Timestamp Link::silent_until() const {
  Timestamp last;
  for (const auto& entry : unanswered_) last = std::max(last, entry.second->deadline);
  for (const auto& entry : streams_) {
    const Stream& stream = *entry.second;
    if (stream.silent) {
      last = std::max(last, later_by(stream.last_heard, stream.call.deadline_ns));
    }
    last = std::max(last, stream.held_until);
  }
  return last;
}

}  // namespace ebb::sim
