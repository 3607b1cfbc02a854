#include "model/kind_feed.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>

#include "model/list_query.h"
#include "model/managed_fields_text.h"
#include "model/requests.h"
#include "schema/json.h"

namespace ebb::model {

namespace json = boost::json;
using schema::object_at;
using schema::text_at;

namespace {

constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";
constexpr std::size_t kDepth = 1000;
constexpr int kGone = 410;
// So many streaming lists may begin and not come to their end before pages are tried.
constexpr unsigned kMostStreams = 2;

json::value parse(std::string_view text, json::error_code& error) {
  json::parse_options options;
  options.max_depth = kDepth;
  // One block of memory for all of it: most is looked at and thrown away. Copies of the
  // objects are made in it, too, so they belong to the thread of the machines.
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
  paging_ = lists_ == Lists::kStreamingOrPages && unfinished_streams_ >= kMostStreams;
  request.query = paging_ ? page_query(continue_) : streaming_list_query(0);
  return request;
}

bool KindFeed::take(std::string_view bytes, const Tell& tell) {
  stream_began_ = true;
  rest_ += bytes;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (take_line(std::string_view(rest_).substr(begin, end - begin), tell)) continue;
    start_over();
    return false;
  }
  rest_.erase(0, begin);
  return true;
}

bool KindFeed::take_page(std::string_view body, const Tell& tell) {
  json::error_code error;
  json::value value = parse(body, error);
  json::object* list = error ? nullptr : value.if_object();
  json::array* items = list == nullptr ? nullptr : schema::array_at(*list, {"items"});
  if (items == nullptr) {
    start_over();
    return false;
  }
  for (json::value& item : *items) {
    if (item.is_object()) take_object("ADDED", std::move(item.get_object()), tell);
  }
  continue_ = text_at(*list, {"metadata", "continue"});
  if (!continue_.empty()) return true;
  revision_ = text_at(*list, {"metadata", "resourceVersion"});
  end_listing(tell);
  return true;
}

void KindFeed::refused(int code) {
  if (code == kGone || refuses_request(code)) start_over();
  if (listing_ && !paging_ && refuses_request(code)) give_up_streams();
}

bool KindFeed::take_line(std::string_view line, const Tell& tell) {
  json::error_code error;
  // No machine asks who owns which fields.
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
    take_bookmark(*object, tell);
  } else {
    take_object(type, std::move(*object), tell);
  }
  // From the middle of a listing there is no going on.
  if (!listing_) revision_ = std::move(revision);
  return true;
}

// An API server whose storage cannot stream a list accepts the request and then says so.
void KindFeed::take_error(const json::object& status) {
  const json::value* code = status.if_contains("code");
  if (listing_ && (code == nullptr || *code != kGone)) give_up_streams();
}

void KindFeed::take_bookmark(const json::object& object, const Tell& tell) {
  const json::object* notes = object_at(object, {"metadata", "annotations"});
  if (listing_ && notes != nullptr && notes->contains(kInitialEventsEnd)) end_listing(tell);
}

void KindFeed::take_object(std::string_view type, json::object object, const Tell& tell) {
  const Key key(text_at(object, {"metadata", "namespace"}), text_at(object, {"metadata", "name"}));
  std::string uid(text_at(object, {"metadata", "uid"}));
  const auto send = [&](ObjectEvent::Type what, json::object content) {
    tell({what, &kind_, std::make_shared<const json::object>(std::move(content))});
  };
  const auto known = known_.find(key);
  if (type == "DELETED") {
    if (known == known_.end()) return;
    known_.erase(known);
    return send(ObjectEvent::Type::kDeleted, std::move(object));
  }
  const bool is_new = known == known_.end() || known->second.uid != uid;
  if (is_new && known != known_.end()) tell_gone(key, known->second, tell);
  known_.insert_or_assign(key, Known{std::move(uid), true});
  send(is_new ? ObjectEvent::Type::kAdded : ObjectEvent::Type::kModified, std::move(object));
}

void KindFeed::end_listing(const Tell& tell) {
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
    tell_gone(key, known, tell);
  }
}

void KindFeed::tell_gone(const Key& key, const Known& known, const Tell& tell) const {
  json::object metadata{{"name", key.second}, {"uid", known.uid}};
  if (!key.first.empty()) metadata["namespace"] = key.first;
  json::object last{
      {"apiVersion", kind_.api_version()}, {"kind", kind_.name}, {"metadata", std::move(metadata)}};
  tell(
      {ObjectEvent::Type::kDeleted, &kind_, std::make_shared<const json::object>(std::move(last))});
}

void KindFeed::give_up_streams() { unfinished_streams_ = kMostStreams; }

void KindFeed::start_over() {
  revision_.clear();
  continue_.clear();
}

}  // namespace ebb::model
