#include "apiserver/store/revision_cursor.h"

#include <algorithm>
#include <utility>

namespace ebb::apiserver {

RevisionCursor::RevisionCursor(const ObjectSet& now, const std::deque<Event>& history,
                               model::Revision revision, const InOrderOfKeys::Key& from)
    : now_(now.lower_bound(from)), end_(now.end()) {
  // The state before the first change after that revision is the state at that revision.
  const auto later = std::upper_bound(
      history.begin(), history.end(), revision,
      [](model::Revision wanted, const Event& event) { return wanted < event.revision; });
  for (auto event = later; event != history.end(); ++event) {
    const InOrderOfKeys::Key key = InOrderOfKeys::key(event->object);
    if (key >= from) before_.try_emplace(key, event->previous);
  }
}

ObjectPtr RevisionCursor::next() {
  while (!before_.empty()) {
    const auto changed = before_.begin();
    if (now_ != end_ && InOrderOfKeys::key(*now_) < changed->first) break;
    if (now_ != end_ && InOrderOfKeys::key(*now_) == changed->first) ++now_;
    ObjectPtr then = std::move(changed->second);
    before_.erase(changed);
    if (then) return then;
  }
  return now_ == end_ ? nullptr : *now_++;
}

}  // namespace ebb::apiserver
