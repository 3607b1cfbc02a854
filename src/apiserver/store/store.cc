#include "apiserver/store/store.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.h"
#include "schema/core/json.h"

namespace ebb::apiserver {

namespace json = boost::json;

namespace {

// The bytes that only this event keeps alive: the state that it replaced.
std::size_t bytes_held_by(const Event& event) {
  std::size_t bytes = sizeof(Event);
  if (event.previous) bytes += event.previous->footprint();
  if (event.deleted) bytes += event.object->footprint();
  return bytes;
}

}  // namespace

const Store::Collection& Store::collection(const schema::Kind& kind) const {
  return collections_[&kind];
}

Store::Collection& Store::collection(const schema::Kind& kind) { return collections_[&kind]; }

ObjectPtr Store::find(const schema::Kind& kind, std::string_view namespace_name,
                      std::string_view name) const {
  const ObjectSet& all = objects(kind);
  const auto found = all.find(InOrderOfKeys::Key(namespace_name, name));
  return found == all.end() ? nullptr : *found;
}

const ObjectSet& Store::objects(const schema::Kind& kind) const { return collection(kind).objects; }

RevisionCursor Store::cursor_at(const schema::Kind& kind, Revision revision,
                                const InOrderOfKeys::Key& from) const {
  const Collection& all = collection(kind);
  EBB_CHECK(can_go_back_to(kind, revision));
  return {all.objects, all.history, revision, from};
}

ObjectPtr Store::newest(const schema::Kind& kind, std::string_view namespace_name,
                        std::string_view name) const {
  const Collection& all = collection(kind);
  if (!all.staged.empty()) {
    const auto found = all.staged.find({std::string(namespace_name), std::string(name)});
    if (found != all.staged.end()) return found->second;
  }
  return find(kind, namespace_name, name);
}

std::vector<ObjectPtr> Store::all_newest(const schema::Kind& kind,
                                         std::string_view namespace_name) const {
  const Collection& all = collection(kind);
  std::vector<ObjectPtr> found;
  const auto wanted = [&](std::string_view name) {
    return namespace_name.empty() || name == namespace_name;
  };
  for (const ObjectPtr& object : all.objects) {
    if (!wanted(object->namespace_name())) continue;
    if (!all.staged.empty() &&
        all.staged.contains({std::string(object->namespace_name()), std::string(object->name())})) {
      continue;
    }
    found.push_back(object);
  }
  for (const auto& [key, object] : all.staged) {
    if (object && wanted(key.first)) found.push_back(object);
  }
  return found;
}

ObjectPtr Store::put(const schema::Kind& kind, json::object content, Timestamp now) {
  auto object = std::make_shared<const Object>(kind, std::move(content), ++last_revision_, &texts_);
  stage({.revision = last_revision_,
         .time = now,
         .object = object,
         .previous = newest(kind, object->namespace_name(), object->name()),
         .deleted = false});
  return object;
}

ObjectPtr Store::remove(const schema::Kind& kind, json::object last_content, Timestamp now) {
  auto last =
      std::make_shared<const Object>(kind, std::move(last_content), ++last_revision_, &texts_);
  stage({.revision = last_revision_,
         .time = now,
         .object = last,
         .previous = newest(kind, last->namespace_name(), last->name()),
         .deleted = true});
  return last;
}

void Store::stage(Event event) {
  Collection& all = collection(event.object->kind());
  all.staged[{std::string(event.object->namespace_name()), std::string(event.object->name())}] =
      event.deleted ? nullptr : event.object;
  staged_.push_back(std::move(event));
}

std::vector<Change> Store::take_staged() {
  std::vector<Change> changes;
  for (; taken_ < staged_.size(); ++taken_) {
    const Event& event = staged_[taken_];
    const auto json = std::make_shared<const std::string>(event.object->json());
    changes.push_back({.revision = event.revision,
                       .time = event.time,
                       .kind = &event.object->kind(),
                       .namespace_name = std::string(event.object->namespace_name()),
                       .name = std::string(event.object->name()),
                       .deleted = event.deleted,
                       .json = {json, *json}});
  }
  return changes;
}

void Store::publish(Revision last, Timestamp now) {
  while (!staged_.empty() && staged_.front().revision <= last) {
    Event event = std::move(staged_.front());
    staged_.pop_front();
    if (taken_ > 0) --taken_;
    Collection& all = collection(event.object->kind());
    const auto staged = all.staged.find(
        {std::string(event.object->namespace_name()), std::string(event.object->name())});
    // A later write to the same object may still be staged.
    if (staged != all.staged.end() && staged->second == (event.deleted ? nullptr : event.object)) {
      all.staged.erase(staged);
    }
    apply(std::move(event));
  }
  drop_old_history(now);
}

void Store::discard() {
  for (auto& [kind, all] : collections_) all.staged.clear();
  staged_.clear();
  taken_ = 0;
  // Revisions are not reused: the log may still contain the discarded ones.
}

void Store::apply(Event event) {
  Collection& all = collection(event.object->kind());
  published_ = event.revision;
  const auto present = all.objects.find(event.object);
  if (present != all.objects.end()) all.objects.erase(present);
  if (!event.deleted) all.objects.insert(event.object);
  history_bytes_ += bytes_held_by(event);
  all.history.push_back(std::move(event));
  history_order_.push_back(&all);
}

void Store::restore_history_start(Revision history_start) {
  compacted_.history_start = history_start;
  restored_start_ = history_start;
}

void Store::restore(const ObjectPtr& object, bool deleted, Timestamp time) {
  Collection& all = collection(object->kind());
  EBB_CHECK(object->revision() > last_revision_);
  last_revision_ = object->revision();
  Event event{.revision = object->revision(),
              .time = time,
              .object = object,
              .previous = find(object->kind(), object->namespace_name(), object->name()),
              .deleted = deleted};
  apply(std::move(event));
  if (last_revision_ <= restored_start_) {
    history_bytes_ -= bytes_held_by(all.history.back());
    all.history.pop_back();
    history_order_.pop_back();
  }
}

void Store::drop_oldest() {
  Collection& all = *history_order_.front();
  history_order_.pop_front();
  const Event& oldest = all.history.front();
  all.dropped = oldest.revision;
  history_bytes_ -= bytes_held_by(oldest);
  if (oldest.previous) compacted_.revisions.push_back(oldest.previous->revision());
  if (oldest.deleted) compacted_.revisions.push_back(oldest.revision);
  compacted_.history_start = oldest.revision;
  all.history.pop_front();
}

void Store::drop_old_history(Timestamp now) {
  // The newest change always stays, so that a log knows the last revision.
  while (history_order_.size() > 1) {
    const Event& oldest = history_order_.front()->history.front();
    if (history_bytes_ <= settings_.history_bytes &&
        elapsed_ns(oldest.time, now) <= settings_.history_age_ns) {
      return;
    }
    drop_oldest();
  }
}

CompactedHistory Store::take_compacted() {
  CompactedHistory taken = std::move(compacted_);
  compacted_ = {.revisions = {}, .history_start = taken.history_start};
  return taken;
}

bool Store::can_go_back_to(const schema::Kind& kind, Revision revision) const {
  return revision >= std::max(collection(kind).dropped, restored_start_) && revision <= published_;
}

const std::deque<Event>& Store::history(const schema::Kind& kind) const {
  return collection(kind).history;
}

}  // namespace ebb::apiserver
