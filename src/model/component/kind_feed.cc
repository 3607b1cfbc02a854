#include "model/component/kind_feed.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include "model/api/list_query.h"
#include "model/api/requests.h"
#include "model/json/managed_fields_text.h"
#include "schema/core/json.h"

namespace ebb::model {

namespace json = boost::json;
using schema::object_at;
using schema::text_at;

namespace {

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";
constexpr std::size_t kDepth = 1000;
constexpr int kGone = 410;
// The number of streaming lists that may start without completing before the feed falls back to
// pages.
constexpr unsigned kMaxStreams = 2;
// Objects are at most 1.5 MB in etcd; their JSON may be several times larger.
constexpr std::size_t kMaxLineBytes = 64UL << 20;

json::value parse(std::string_view text, json::error_code& error) {
  json::parse_options options;
  options.max_depth = kDepth;
  // One block of memory for the whole document: most of it is read once and discarded. Copies of
  // the objects are allocated in it too, so they belong to the components' thread.
  return json::parse(json::string_view(text.data(), text.size()), error,
                     json::make_shared_resource<json::monotonic_resource>(2 * text.size()),
                     options);
}

}  // namespace

ApiRequest KindFeed::next_request() {
  rest_.clear();
  ApiRequest request;
  request.path = collection_path(kind_, {});
  request.accept = "application/json";
  const bool began = std::exchange(stream_began_, false);
  if (listing_ && began) ++unfinished_streams_;
  paging_ = false;
  if (!revision_.empty()) {
    request.query = watch_query(revision_, 0);
    return request;
  }
  if (continue_.empty()) {
    listing_ = true;
    for (auto& [key, known] : known_) known.seen = false;
  }
  paging_ = lists_ == Lists::kStreamingOrPages && unfinished_streams_ >= kMaxStreams;
  request.query = paging_ ? page_query(continue_) : streaming_list_query(0);
  return request;
}

bool KindFeed::take(std::string_view bytes, const Notify& notify) {
  stream_began_ = true;
  // Only the new bytes can contain the end of a line: lines may be long and arrive in small pieces.
  std::size_t searched = rest_.size();
  rest_ += bytes;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = rest_.find('\n', searched)) != std::string::npos;) {
    if (!take_line(std::string_view(rest_).substr(begin, end - begin), notify)) {
      start_over();
      return false;
    }
    begin = searched = end + 1;
  }
  rest_.erase(0, begin);
  if (rest_.size() > kMaxLineBytes) {
    start_over();
    return false;
  }
  return true;
}

bool KindFeed::take_page(std::string_view body, const Notify& notify) {
  json::error_code error;
  json::value value = parse(body, error);
  json::object* list = error ? nullptr : value.if_object();
  json::array* items = list == nullptr ? nullptr : schema::array_at(*list, {"items"});
  if (items == nullptr) {
    start_over();
    return false;
  }
  for (json::value& item : *items) {
    if (item.is_object()) take_object("ADDED", std::move(item.get_object()), notify);
  }
  continue_ = text_at(*list, {"metadata", "continue"});
  if (!continue_.empty()) return true;
  revision_ = text_at(*list, {"metadata", "resourceVersion"});
  end_listing(notify);
  return true;
}

void KindFeed::refused(int code) {
  if (code == kGone || refuses_request(code)) start_over();
  if (listing_ && !paging_ && refuses_request(code)) give_up_streams();
}

bool KindFeed::take_line(std::string_view line, const Notify& notify) {
  json::error_code error;
  // No component reads managedFields.
  const std::optional<CutText> cut = cut_managed_fields(line);
  json::value value = parse(cut ? std::string_view(cut->rest) : line, error);
  if (error || !value.is_object()) return false;
  json::object& event = value.get_object();
  const std::string type(text_at(event, {"type"}));
  json::object* object = object_at(event, {"object"});
  if (type == "ERROR" && object != nullptr) take_error(*object);
  if (type == "ERROR" || object == nullptr) return false;
  std::string revision(text_at(*object, {"metadata", "resourceVersion"}));
  if (type == "BOOKMARK") {
    take_bookmark(*object, notify);
  } else {
    take_object(type, std::move(*object), notify);
  }
  // A listing cannot be resumed in the middle.
  if (!listing_) revision_ = std::move(revision);
  return true;
}

// An API server whose storage cannot stream a list accepts the request and reports an error later.
void KindFeed::take_error(const json::object& status) {
  const json::value* code = status.if_contains("code");
  if (listing_ && (code == nullptr || *code != kGone)) give_up_streams();
}

void KindFeed::take_bookmark(const json::object& object, const Notify& notify) {
  const json::object* notes = object_at(object, {"metadata", "annotations"});
  if (listing_ && notes != nullptr && notes->contains(kInitialEventsEnd)) end_listing(notify);
}

void KindFeed::take_object(std::string_view type, json::object object, const Notify& notify) {
  const Key key(text_at(object, {"metadata", "namespace"}), text_at(object, {"metadata", "name"}));
  std::string uid(text_at(object, {"metadata", "uid"}));
  const auto send = [&](ObjectEvent::Type what, json::object content) {
    notify({what, &kind_, std::make_shared<const json::object>(std::move(content))});
  };
  const auto known = known_.find(key);
  if (type == "DELETED") {
    if (known == known_.end()) return;
    known_.erase(known);
    return send(ObjectEvent::Type::kDeleted, std::move(object));
  }
  const bool is_new = known == known_.end() || known->second.uid != uid;
  if (is_new && known != known_.end()) notify_deleted(key, known->second, notify);
  known_.insert_or_assign(key, Known{std::move(uid), true});
  send(is_new ? ObjectEvent::Type::kAdded : ObjectEvent::Type::kModified, std::move(object));
}

void KindFeed::end_listing(const Notify& notify) {
  listing_ = false;
  synced_ = true;
  if (!paging_) unfinished_streams_ = 0;
  stream_began_ = false;
  std::vector<std::pair<Key, Known>> gone;
  for (const auto& one : known_) {
    if (!one.second.seen) gone.push_back(one);
  }
  for (const auto& [key, known] : gone) {
    known_.erase(key);
    notify_deleted(key, known, notify);
  }
}

void KindFeed::notify_deleted(const Key& key, const Known& known, const Notify& notify) const {
  json::object metadata{{"name", key.second}, {"uid", known.uid}};
  if (!key.first.empty()) metadata["namespace"] = key.first;
  json::object last{
      {"apiVersion", kind_.api_version()}, {"kind", kind_.name}, {"metadata", std::move(metadata)}};
  notify(
      {ObjectEvent::Type::kDeleted, &kind_, std::make_shared<const json::object>(std::move(last))});
}

void KindFeed::give_up_streams() { unfinished_streams_ = kMaxStreams; }

void KindFeed::start_over() {
  revision_.clear();
  continue_.clear();
}

}  // namespace ebb::model
